/** Wiring: which part hears what from whom. No logic of its own. */

import * as path from "node:path";

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { CommitMessageWriter } from "./commitMessage";
import { readInterpreter, readServerSettings, SECTION } from "./configuration";
import { Confirmer } from "./confirm";
import { DiffView } from "./diffView";
import { GitExtensionWatch } from "./gitApi";
import { findInterpreter, listCandidates, probeInterpreter } from "./interpreter";
import { registerTools } from "./lmTools";
import { createLog } from "./log";
import { completeText, hasLanguageModels, pickModel } from "./models";
import { OperationsView } from "./operationsView";
import { Participant } from "./participant";
import { PROTOCOL_VERSION, type CompleteParams, type ConfirmParams } from "./protocol";
import { TOOL_NAMES } from "./protocol.gen";
import { readPythonExtension } from "./pythonExtension";
import { Repositories } from "./repositories";
import { listTools, sendRepositories, sendSettings, sendTrust } from "./requests";
import { Server } from "./server";
import { Sessions } from "./sessions";
import { Status } from "./status";
import { TicketBook } from "./tickets";
import { ToolRun } from "./toolRun";

// The editor calls `deactivate` with nothing in its hands: this is the one thing both must know.
let shutDown: (() => Promise<void>) | undefined;

/** Start the server at once and join the editor's parts to it. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = createLog();
  const launcher = path.join(context.extensionPath, "python", "launch.py");
  const git = new GitExtensionWatch();
  const repositories = new Repositories(git);
  const confirmer = new Confirmer();
  const tickets = new TicketBook(() => performance.now());
  const sessions = new Sessions(crypto.randomUUID());
  const diffs = new DiffView();
  const declared: ReadonlySet<string> = new Set(TOOL_NAMES);
  let tools: vscode.Disposable | undefined;

  const attach = (client: LanguageClient): void => {
    client.onRequest("tools/confirm", (params: ConfirmParams, token: vscode.CancellationToken) => confirmer.ask(params, token));
    client.onRequest("languageModel/complete", (params: CompleteParams, token: vscode.CancellationToken) =>
      completeText(params, token),
    );
    client.onNotification("git/didRecordOperation", () => view.refresh());
    client.onNotification("git/didChangeState", () => undefined);
    client.onNotification("git/settingsIgnored", (params) => log.warn("Settings were ignored:", params));
    client.onNotification("tools/didChange", () => void refreshTools());
  };
  const server: Server = new Server({
    launcher,
    log,
    attach,
    findInterpreter: async () =>
      findInterpreter(
        listCandidates(readInterpreter(), await readPythonExtension(), process.platform),
        (candidate) => probeInterpreter(launcher, candidate),
      ),
    initializationOptions: () => ({
      protocolVersion: PROTOCOL_VERSION,
      trusted: vscode.workspace.isTrusted,
      client: { confirm: true, languageModel: hasLanguageModels(), canAsk: true },
      ...(repositories.list && { repositories: repositories.list }),
      ...readServerSettings(),
    }),
  });
  const connect = () => server.whenRunning();
  const toolRun = new ToolRun(tickets, sessions, connect);
  const view = new OperationsView(() => server.connection, `${sessions.windowSession}-view`, diffs, git);
  const writer = new CommitMessageWriter(repositories, connect, readServerSettings, log);
  const status = new Status(server, log);

  const setTools = (names: readonly string[]): void => {
    tools?.dispose();
    tools = registerTools(names, declared, toolRun, diffs);
  };
  const refreshTools = async (): Promise<void> => {
    if (server.connection) {
      setTools(await listTools(server.connection));
    }
  };

  context.subscriptions.push(
    log,
    git,
    repositories,
    diffs,
    view,
    writer,
    status,
    server,
    {
      dispose: () => {
        tools?.dispose();
      },
    },
    new Participant(connect, sessions, declared).register(),
    server.onDidChangeState((state) => {
      const running = state.kind === "running";
      void vscode.commands.executeCommand("setContext", "gitSidecar.running", running);
      tickets.clear();
      tools?.dispose();
      if (running) {
        setTools(state.info.tools);
        if (repositories.list && server.connection) {
          void sendRepositories(server.connection, repositories.list);
        }
      }
      view.refresh();
    }),
    repositories.onDidChange((list) => server.connection && void sendRepositories(server.connection, list)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.connection && void sendTrust(server.connection, true)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.client.interpreter`) || server.state.kind === "failed") {
        void server.restart();
      } else if (event.affectsConfiguration(SECTION) && server.connection) {
        void sendSettings(server.connection, readServerSettings());
      }
    }),
    vscode.commands.registerCommand("gitSidecar.writeCommitMessage", (source: unknown) => writer.write(source)),
    vscode.commands.registerCommand("gitSidecar.cancelCommitMessage", (source: unknown) => writer.cancel(source)),
    vscode.commands.registerCommand("gitSidecar.selectModel", () => pickModel()),
    vscode.commands.registerCommand("gitSidecar.restart", () => server.restart()),
    vscode.commands.registerCommand("gitSidecar.showLog", () => log.show()),
    vscode.commands.registerCommand("gitSidecar.doctor", () => status.openReport()),
  );
  shutDown = () => server.shutDown();
  // Neither is awaited: the editor goes on while Python starts, and the server needs no git extension.
  void git.start();
  void server.start();
  await Promise.resolve();
}

/** End the server; the editor waits for it, so that no git outlives the window. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}
