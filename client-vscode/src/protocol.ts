/** What travels between this client and the server, as the project's `docs/protocol.md` describes it. */

export const PROTOCOL_VERSION = 1;

/** JSON-RPC error codes of our own. */
export const ErrorCode = {
  gitMissing: 1001,
  settings: 1002,
  protocolVersion: 1003,
  refused: 1010,
  requestCancelled: -32800,
  methodNotFound: -32601,
} as const;

export type Tier = "read" | "write" | "destructive" | "network";

/** Why a call was not carried out, and what would help. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retry?: string;
  readonly setting?: string;
  readonly candidates?: readonly { label: string; root: string; matches: boolean }[];
  readonly conflicts?: readonly { path: string; code: string }[];
}

export interface EditorRepository {
  readonly rootUri: string;
  readonly label?: string;
  readonly selected?: boolean;
  readonly kind?: "repository" | "submodule" | "worktree";
}

export interface KnownRepository {
  readonly label: string;
  readonly root: string;
  readonly rootUri: string;
  readonly relativePath: string;
  readonly folderName: string;
  readonly selected: boolean;
  readonly kind: string;
  readonly source: "editor" | "discovered";
}

export interface DiffOfFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly oldText: string | null;
  readonly newText: string | null;
  readonly patch: string;
}

export interface DiffCard {
  readonly kind: "diff";
  readonly diffs: readonly DiffOfFile[];
}

export interface ReadCard {
  readonly kind: "read";
  readonly path: string;
  readonly offset: number;
  readonly lines: readonly { number: number; text: string }[];
  readonly totalLines: number;
  readonly language?: string;
}

export interface ListCard {
  readonly kind: "list";
  readonly items: readonly unknown[];
}

export type Card = DiffCard | ReadCard | ListCard;

export interface Effects {
  readonly filesChanged?: number;
  readonly linesLost?: number;
  readonly untrackedLost?: number;
  readonly commitsPushed?: number;
  readonly commitsDropped?: number;
  readonly refs?: readonly { name: string; old: string | null; new: string | null }[];
  readonly remoteUrl?: string;
  readonly undo?: "snapshot" | "reflog" | "none";
}

export interface Confirmation {
  readonly title: string;
  readonly message: string;
  readonly command: readonly string[];
  readonly effects: Effects;
  readonly cards: readonly Card[];
  readonly ticket: string;
  readonly expiresInMs: number;
}

export interface Prepared {
  readonly invocationMessage: string;
  readonly tier: Tier | null;
  readonly decision: "allow" | "ask" | "deny";
  readonly refusal?: Refusal;
  readonly confirmation?: Confirmation;
}

export interface CallResult {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error?: Refusal;
  readonly text: string;
  readonly cards: readonly Card[];
  readonly meta: {
    readonly tool: string;
    readonly tier: Tier | null;
    readonly repository?: { label: string; root: string };
    readonly durationMs: number;
    readonly truncated: boolean;
    readonly warnings: readonly string[];
    readonly operationId?: string;
    readonly sessionId: string;
  };
}

export type Choice = "allowOnce" | "allowSession" | "deny";

/** The question that the server asks where no ticket came with a call. */
export interface ConfirmParams {
  readonly name: string;
  readonly sessionId: string;
  readonly toolCallId?: string | null;
  readonly title: string;
  readonly message: string;
  readonly command: readonly string[];
  readonly effects: Effects;
  readonly cards: readonly Card[];
  readonly tier: Tier | null;
  readonly choices: readonly Choice[];
}

export interface CompleteParams {
  readonly messages: readonly { role: string; content: string }[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly purpose?: string;
}

export interface CommitMessage {
  readonly message: string;
  readonly subject: string;
  readonly body: string;
  readonly provider: string;
  readonly model?: string;
  readonly coverage: { files: number; full: number; partial: number; omitted: number };
  readonly checks: readonly { rule: string; ok: boolean; detail?: string }[];
  readonly redactions: number;
  readonly warnings: readonly string[];
  readonly canceled: boolean;
}

export interface Fingerprint {
  readonly head: string | null;
  readonly branch: string | null;
  readonly index: string;
}

export interface Operation {
  readonly operationId: string;
  readonly session: string;
  readonly client: string | null;
  readonly time: number | string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly repository: { label: string; root: string } | string;
  readonly before: Partial<Fingerprint> | null;
  readonly after: Partial<Fingerprint> | null;
  readonly commits: readonly string[];
  readonly undo: "snapshot" | "reflog" | "none";
  readonly undone?: unknown;
}

export interface ServerInfo {
  readonly protocolVersion: number;
  readonly version: string;
  readonly gitVersion: string | null;
  readonly methods: readonly string[];
  readonly tools: readonly string[];
}
