import { CancellationTokenSource } from "vscode-jsonrpc/node";
import { afterEach, beforeEach, expect, test } from "vitest";

import { refusalOf, sendRepositories, writeCommitMessage } from "../../src/requests";
import { Sessions } from "../../src/sessions";
import { TicketBook } from "../../src/tickets";
import { ToolRun } from "../../src/toolRun";
import { FakeServer } from "./fakeConnection";

let fake: FakeServer;
let sessions: Sessions;
let run: ToolRun;
const token = new CancellationTokenSource().token;

beforeEach(() => {
  fake = new FakeServer();
  sessions = new Sessions("window");
  run = new ToolRun(new TicketBook(() => 0), sessions, () => Promise.resolve(fake.connection));
});

afterEach(() => fake.stop());

async function ticketsHeard(): Promise<unknown[]> {
  return (await fake.heard("tools/call")).map((params) => params["ticket"]);
}

test("a prepared call carries its ticket", async () => {
  await run.prepare("git_restore", { paths: ["a.txt"], staged: false }, token);
  const result = await run.call("git_restore", { staged: false, paths: ["a.txt"] }, token);
  expect(result.value).toEqual({ restored: ["a.txt"] });
  expect(await ticketsHeard()).toEqual(["t1"]);
});

test("a ticket is not used twice", async () => {
  await run.prepare("git_restore", { paths: ["a.txt"] }, token);
  await run.call("git_restore", { paths: ["a.txt"] }, token);
  const again = await run.call("git_restore", { paths: ["a.txt"] }, token);
  expect(again.error?.code).toBe("denied_by_user");
  expect(await ticketsHeard()).toEqual(["t1", undefined]);
});

test("a call that was never prepared carries none", async () => {
  await run.call("git_restore", { paths: ["a.txt"] }, token);
  expect(await ticketsHeard()).toEqual([undefined]);
});

test("a ticket of one input is not used for another", async () => {
  await run.prepare("git_restore", { paths: ["a.txt"] }, token);
  await run.call("git_restore", { paths: ["b.txt"] }, token);
  expect(await ticketsHeard()).toEqual([undefined]);
});

test("the ticket of a skipped card gives way to that of the allowed one", async () => {
  const input = { paths: ["a.txt"], stale: ["t1"] };
  await run.prepare("git_restore", input, token);
  await run.prepare("git_restore", input, token);
  expect((await run.call("git_restore", input, token)).ok).toBe(true);
  expect(await ticketsHeard()).toEqual(["t1", "t2"]);
});

test("a stale ticket with no successor is told, not retried without one", async () => {
  const input = { paths: ["a.txt"], stale: ["t1"] };
  await run.prepare("git_restore", input, token);
  expect((await run.call("git_restore", input, token)).error?.code).toBe("changed_since_confirmed");
  expect(await ticketsHeard()).toEqual(["t1"]);
});

test("calls belong to the window's session, a chat's own calls to the chat's", async () => {
  await run.call("git_status", {}, token);
  await sessions.during("chat", "git_status", {}, () => run.call("git_status", {}, token));
  await run.call("git_status", {}, token);
  expect((await fake.heard("tools/call")).map((params) => params["sessionId"])).toEqual(["window", "chat", "window"]);
});

test("text so far arrives before the message", async () => {
  const texts: string[] = [];
  const answer = await writeCommitMessage(fake.connection, { repository: "/w/app" }, (text) => texts.push(text));
  expect(texts).toEqual(["Add"]);
  expect(answer.message).toBe("Add a\n\nBody");
});

test("nothing staged is a refusal that the client can read", async () => {
  const failure = await writeCommitMessage(fake.connection, { repository: "/nothing" }, () => undefined).catch(
    (error: unknown) => error,
  );
  expect(refusalOf(failure)?.code).toBe("nothing_to_commit");
});

test("a cancelled request is told to the server, which answers", async () => {
  const source = new CancellationTokenSource();
  const answer = writeCommitMessage(fake.connection, { repository: "/slow" }, () => undefined, source.token);
  await fake.heard("git/commitMessage");
  source.cancel();
  expect((await answer).canceled).toBe(true);
});

test("repositories are sent whole", async () => {
  const list = [{ rootUri: "file:///w/app", label: "app", selected: true, kind: "repository" as const }];
  await sendRepositories(fake.connection, list);
  expect(await fake.heard("git/didChangeRepositories")).toEqual([{ repositories: list }]);
});
