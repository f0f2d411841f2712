/** The server's life: found, started, restarted after a wait when it ends by itself, stopped with the window. */

import * as os from "node:os";

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, ProgressType, RevealOutputChannelOn } from "vscode-languageclient/node";

import { Backoff } from "./backoff";
import { describeTried, type Search } from "./interpreter";
import { PROTOCOL_VERSION, type ServerInfo } from "./protocol";
import type { CancelToken, Connection } from "./requests";

const STOP_WITHIN_MS = 3_000;

export type ServerState =
  | { readonly kind: "stopped" | "starting" }
  | { readonly kind: "running"; readonly info: ServerInfo }
  | { readonly kind: "waiting"; readonly delayMs: number }
  | { readonly kind: "noInterpreter"; readonly search: Search }
  | { readonly kind: "failed"; readonly reason: string; readonly code: number | undefined };

export interface ServerParts {
  readonly launcher: string;
  readonly log: vscode.LogOutputChannel;
  /** Look for a Python; asked anew on every start, since people install one when told that it is missing. */
  readonly findInterpreter: () => Promise<Search>;
  readonly initializationOptions: () => object;
  /** Answer what the server asks and hear what it tells; called for every start, before it starts. */
  readonly attach: (client: LanguageClient) => void;
}

/** One server for this window. */
export class Server implements vscode.Disposable {
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly backoff = new Backoff();
  private client: LanguageClient | undefined;
  private startedAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private starting: Promise<void> | undefined;
  private current: ServerState = { kind: "stopped" };
  private disposed = false;

  /** What the last look for a Python found. */
  lastSearch: Search | undefined;

  readonly onDidChangeState = this.stateChanged.event;

  constructor(private readonly parts: ServerParts) {}

  get state(): ServerState {
    return this.current;
  }

  /** The connection while the server runs. */
  get connection(): Connection | undefined {
    return this.client && this.current.kind === "running" ? connectionOf(this.client) : undefined;
  }

  /** The connection as soon as the server runs; rejects when the start has failed for good. */
  async whenRunning(): Promise<Connection> {
    const now = this.connection;
    if (now) {
      return now;
    }
    if (this.current.kind === "stopped") {
      void this.start();
    }
    return new Promise((resolve, reject) => {
      const listener = this.stateChanged.event((state) => {
        if (state.kind === "running" && this.client) {
          listener.dispose();
          resolve(connectionOf(this.client));
        } else if (state.kind === "failed" || state.kind === "noInterpreter" || state.kind === "stopped") {
          listener.dispose();
          reject(new Error(describeState(state)));
        }
      });
      if (this.current.kind === "failed" || this.current.kind === "noInterpreter") {
        listener.dispose();
        reject(new Error(describeState(this.current)));
      }
    });
  }

  /** Start the server unless it runs or is being started. */
  start(): Promise<void> {
    this.starting ??= this.startOnce().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Stop it if it runs, and start it anew, all earlier failures forgotten. */
  async restart(): Promise<void> {
    this.backoff.reset();
    await this.starting;
    await this.stop();
    await this.start();
  }

  private async startOnce(): Promise<void> {
    clearTimeout(this.timer);
    if (this.client || this.disposed) {
      return;
    }
    this.setState({ kind: "starting" });
    const search = await this.parts.findInterpreter();
    this.lastSearch = search;
    search.tried.forEach((tried) => this.parts.log.info(describeTried(tried)));
    if (!search.found) {
      this.setState({ kind: "noInterpreter", search });
      return;
    }
    const { candidate } = search.found;
    let endStart: (reason: Error) => void = () => undefined;
    // A server that dies before it has answered `initialize` leaves `client.start()` waiting for ever.
    const ended = new Promise<never>((_, reject) => {
      endStart = reject;
    });
    const args = [...candidate.args, "-I", this.parts.launcher, "serve"];
    const client = this.createClient(candidate.command, args, () => endStart(new Error("The server ended.")));
    this.client = client;
    this.startedAtMs = Date.now();
    this.parts.attach(client);
    try {
      await Promise.race([client.start(), ended]);
    } catch (error) {
      // Its state decides whether there is anything left to stop; a client that never started throws.
      void client.dispose(STOP_WITHIN_MS).catch(() => undefined);
      if (this.client === client) {
        this.client = undefined;
        this.onStartFailed(error);
      }
      return;
    }
    // It may have ended while the answer to `initialize` was on its way.
    if (this.client === client) {
      this.setState({ kind: "running", info: readServerInfo(client) });
    }
  }

  private onStartFailed(error: unknown): void {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const reason = typeof message === "string" ? message : String(error);
    // A server that said why it will not run would say so again; one that died gets another try.
    if (typeof code === "number" && code > 0) {
      this.setState({ kind: "failed", reason, code });
    } else {
      this.scheduleRestart(reason);
    }
  }

  private scheduleRestart(reason: string): void {
    const delayMs = this.backoff.next(Date.now() - this.startedAtMs);
    if (this.disposed) {
      return;
    }
    if (delayMs === undefined) {
      this.setState({ kind: "failed", reason, code: undefined });
      return;
    }
    this.parts.log.warn(`The server ended; it is started again in ${delayMs} ms.`);
    this.setState({ kind: "waiting", delayMs });
    this.timer = setTimeout(() => void this.start(), delayMs);
  }

  private createClient(command: string, args: string[], onEndedEarly: () => void): LanguageClient {
    const client: LanguageClient = new LanguageClient(
      "gitSidecar",
      "Git Sidecar",
      // The home folder: never the workspace, whose files a Python started there might pick up.
      { command, args, options: { cwd: os.homedir() } },
      {
        documentSelector: [],
        outputChannel: this.parts.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: this.parts.initializationOptions,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            if (this.client === client && this.current.kind === "running") {
              this.client = undefined;
              this.scheduleRestart("The server ended.");
            } else {
              onEndedEarly();
            }
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
      },
    );
    return client;
  }

  private async stop(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.client;
    this.client = undefined;
    this.setState({ kind: "stopped" });
    if (client) {
      await client.dispose(STOP_WITHIN_MS).catch((error: unknown) => this.parts.log.warn(`Stopping: ${String(error)}`));
    }
  }

  private setState(state: ServerState): void {
    this.current = state;
    if (!this.disposed) {
      this.stateChanged.fire(state);
    }
  }

  /** Stop for good; resolves when the process has ended. */
  async shutDown(): Promise<void> {
    this.disposed = true;
    await this.stop();
    this.stateChanged.dispose();
  }

  dispose(): void {
    void this.shutDown();
  }
}

/** A state in one line for a person. */
export function describeState(state: ServerState): string {
  switch (state.kind) {
    case "running":
      return vscode.l10n.t("Git Sidecar {0} is running.", state.info.version);
    case "starting":
      return vscode.l10n.t("Git Sidecar is starting.");
    case "waiting":
      return vscode.l10n.t("Git Sidecar ended and will be started again.");
    case "stopped":
      return vscode.l10n.t("Git Sidecar is stopped.");
    case "noInterpreter":
      return vscode.l10n.t("Git Sidecar needs Python 3.11 or newer, and none was found.");
    case "failed":
      return vscode.l10n.t("Git Sidecar cannot run: {0}", state.reason);
  }
}

function connectionOf(client: LanguageClient): Connection {
  return {
    sendRequest: <R>(method: string, params: object, token?: CancelToken): Promise<R> =>
      token
        ? client.sendRequest<R>(method, params, token as vscode.CancellationToken)
        : client.sendRequest<R>(method, params),
    sendNotification: (method, params) => client.sendNotification(method, params),
    onProgress: (progressToken, handler) => client.onProgress(new ProgressType<unknown>(), progressToken, handler),
  };
}

function readServerInfo(client: LanguageClient): ServerInfo {
  const experimental = client.initializeResult?.capabilities.experimental as { gitSidecar?: ServerInfo } | undefined;
  return (
    experimental?.gitSidecar ?? {
      protocolVersion: PROTOCOL_VERSION,
      version: client.initializeResult?.serverInfo?.version ?? "",
      gitVersion: null,
      methods: [],
      tools: [],
    }
  );
}
