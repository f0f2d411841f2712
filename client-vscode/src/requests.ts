/** The requests and notifications that this client sends, one function each, over any JSON-RPC connection. */

import type {
  CallResult,
  CommitMessage,
  EditorRepository,
  KnownRepository,
  Operation,
  Prepared,
  Refusal,
} from "./protocol";
import { ErrorCode } from "./protocol";
import type { ServerSettings } from "./settings";

/** As much of an editor's cancellation token as a request needs. */
export interface CancelToken {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): unknown };
}

/** A started server, as seen by who wants something from it; a cancelled token becomes `$/cancelRequest`. */
export interface Connection {
  sendRequest<R>(method: string, params: object, token?: CancelToken): Promise<R>;
  sendNotification(method: string, params: object): Promise<void>;
  onProgress(progressToken: string, handler: (value: unknown) => void): { dispose(): unknown };
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
  readonly sessionId: string;
  readonly toolCallId?: string;
}

/** What should be asked before a call; unknown tools and bad arguments come back as `deny`, not as an error. */
export function prepareTool(server: Connection, call: ToolCall, token?: CancelToken): Promise<Prepared> {
  return server.sendRequest<Prepared>("tools/prepare", call, token);
}

/** Run a tool; what the model or the person can mend comes back as `ok: false`. */
export function callTool(
  server: Connection,
  call: ToolCall & { readonly ticket?: string },
  token?: CancelToken,
): Promise<CallResult> {
  return server.sendRequest<CallResult>("tools/call", call, token);
}

export interface WriteMessage {
  /** Absolute root; left out: the selected repository. */
  readonly repository?: string;
  readonly current?: string;
  readonly instructions?: string;
  readonly attempt?: number;
}

/** Write a commit message for what is staged; `onText` hears the text so far. Fails with a refusal in `data`. */
export async function writeCommitMessage(
  server: Connection,
  params: WriteMessage,
  onText: (text: string) => void,
  token?: CancelToken,
): Promise<CommitMessage> {
  const partialResultToken = crypto.randomUUID();
  const progress = server.onProgress(partialResultToken, (value) => {
    if (isRecord(value) && typeof value["text"] === "string") {
      onText(value["text"]);
    }
  });
  try {
    return await server.sendRequest<CommitMessage>("git/commitMessage", { ...params, partialResultToken }, token);
  } finally {
    progress.dispose();
  }
}

/** All repositories that the server knows, in the editor's order. */
export async function listRepositories(server: Connection): Promise<readonly KnownRepository[]> {
  const answer = await server.sendRequest<{ repositories: readonly KnownRepository[] }>("git/repositories", {});
  return answer.repositories;
}

/** One page of the operation log of one repository (absolute root), newest first. */
export async function listOperations(
  server: Connection,
  page: { readonly repository?: string; readonly count: number; readonly cursor?: string },
): Promise<{ operations: readonly Operation[]; nextCursor?: string }> {
  return server.sendRequest("git/operations", page);
}

/** Put back what an operation changed: the person's own act, so nothing is asked. Fails with a refusal in `data`. */
export function undoOperation(server: Connection, operationId: string): Promise<unknown> {
  return server.sendRequest("git/undo", { operationId });
}

/** Tell the server the editor's repositories, whole. */
export function sendRepositories(server: Connection, repositories: readonly EditorRepository[]): Promise<void> {
  return server.sendNotification("git/didChangeRepositories", { repositories });
}

/** Tell the server all settings anew; each message replaces the whole. */
export function sendSettings(server: Connection, { settings, workspaceSettings }: ServerSettings): Promise<void> {
  return server.sendNotification("workspace/didChangeConfiguration", {
    settings: { gitSidecar: settings, gitSidecarWorkspace: workspaceSettings },
  });
}

/** Names of the tools that the server offers now. */
export async function listTools(server: Connection): Promise<readonly string[]> {
  const answer = await server.sendRequest<{ tools: readonly { name: string }[] }>("tools/list", {});
  return answer.tools.map(({ name }) => name);
}

/** Tell the server that the workspace's trust has changed. */
export function sendTrust(server: Connection, trusted: boolean): Promise<void> {
  return server.sendNotification("git/didChangeTrust", { trusted });
}

/** The refusal that a failed request carries, if its error is one of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isRecord(error) || error["code"] !== ErrorCode.refused || !isRecord(error["data"])) {
    return undefined;
  }
  const { code, message } = error["data"];
  return typeof code === "string" && typeof message === "string" ? (error["data"] as unknown as Refusal) : undefined;
}

/** Whether a request failed only because it was cancelled. */
export function isCancelled(error: unknown): boolean {
  return isRecord(error) && error["code"] === ErrorCode.requestCancelled;
}

/** A line for a person: the refusal's text where there is one, else the error's own. */
export function describeFailure(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) {
    return refusal.hint ? `${refusal.message} ${refusal.hint}` : refusal.message;
  }
  return error instanceof Error ? error.message : String(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}
