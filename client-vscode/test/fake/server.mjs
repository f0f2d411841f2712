// A stand-in for the server, for unit tests only: speaks the wire contract's shapes over stdio and records what it got.
import { createMessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const connection = createMessageConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
const received = [];
const spent = new Set();
let minted = 0;

function refuse(code, message) {
  return new ResponseError(1010, message, { code, message, retry: "fix_arguments" });
}

connection.onRequest((method, params, token) => {
  received.push({ method, params });
  switch (method) {
    case "fake/received":
      return received;
    case "tools/prepare":
      return {
        invocationMessage: `Running ${params.name}`,
        tier: "destructive",
        decision: "ask",
        confirmation: {
          title: "Discard changes in 1 file?",
          message: "`a.txt` goes back to HEAD.",
          command: ["git", "restore", "--", "a.txt"],
          effects: { filesChanged: 1, linesLost: 2, undo: "snapshot" },
          cards: [],
          ticket: `t${++minted}`,
          expiresInMs: 600000,
        },
      };
    case "tools/call": {
      const meta = { tool: params.name, tier: "destructive", durationMs: 1, truncated: false, warnings: [], sessionId: params.sessionId };
      const stale = params.arguments.stale?.includes(params.ticket);
      const code = stale ? "changed_since_confirmed" : spent.has(params.ticket) ? "ticket_invalid" : undefined;
      if (params.ticket === undefined) {
        return { ok: false, error: { code: "denied_by_user", message: "asked", retry: "ask_user" }, text: "asked", cards: [], meta };
      }
      if (code) {
        return { ok: false, error: { code, message: code, retry: "confirm" }, text: code, cards: [], meta };
      }
      spent.add(params.ticket);
      return { ok: true, value: { restored: ["a.txt"] }, text: "restored a.txt", cards: [], meta };
    }
    case "git/commitMessage": {
      if (params.repository === "/nothing") {
        throw refuse("nothing_to_commit", "nothing is staged");
      }
      const answer = {
        message: "Add a\n\nBody", subject: "Add a", body: "Body", provider: "offline",
        coverage: { files: 1, full: 1, partial: 0, omitted: 0 }, checks: [], redactions: 0, warnings: [], canceled: false,
      };
      if (params.repository === "/slow") {
        return new Promise((resolve) => token.onCancellationRequested(() => resolve({ ...answer, message: "", canceled: true })));
      }
      return connection.sendNotification("$/progress", { token: params.partialResultToken, value: { text: "Add" } }).then(() => answer);
    }
    default:
      throw new ResponseError(-32601, `no method ${method}`);
  }
});
connection.onNotification((method, params) => received.push({ method, params }));
connection.onClose(() => process.exit(0));
connection.listen();
