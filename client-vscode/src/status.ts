/** The status item, the messages about a server that does not run, and the doctor's report. */

import * as vscode from "vscode";

import { describeTried } from "./interpreter";
import { ErrorCode } from "./protocol";
import { listRepositories } from "./requests";
import { describeState, type Server, type ServerState } from "./server";

const REPORT = vscode.Uri.from({ scheme: "git-sidecar-report", path: "/Git Sidecar.md" });

/** Shows the server's state and offers what helps. */
export class Status implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly disposables: vscode.Disposable[];
  private readonly reportChanged = new vscode.EventEmitter<vscode.Uri>();
  private report = "";

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.item = vscode.window.createStatusBarItem("gitSidecar.status", vscode.StatusBarAlignment.Left, 0);
    this.item.name = "Git Sidecar";
    this.item.command = "gitSidecar.doctor";
    this.disposables = [
      this.item,
      this.reportChanged,
      // A read-only document: an untitled one would have to be saved or thrown away.
      vscode.workspace.registerTextDocumentContentProvider(REPORT.scheme, {
        onDidChange: this.reportChanged.event,
        provideTextDocumentContent: () => this.report,
      }),
      server.onDidChangeState((state) => {
        this.show(state);
        void this.tell(state);
      }),
    ];
    this.show(server.state);
    this.item.show();
  }

  private show(state: ServerState): void {
    const down = state.kind === "failed" || state.kind === "noInterpreter";
    const icon = state.kind === "running" ? "git-commit" : down ? "error" : "sync~spin";
    this.item.text = `$(${icon}) Git Sidecar`;
    const lines = [describeState(state)];
    if (state.kind === "running") {
      const git = state.info.gitVersion;
      lines.push(git === null ? vscode.l10n.t("git was not found.") : vscode.l10n.t("git {0}", git));
    }
    this.item.tooltip = lines.join("\n");
    this.item.accessibilityInformation = { label: lines.join(" "), role: "button" };
    this.item.backgroundColor = down ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  }

  private async tell(state: ServerState): Promise<void> {
    if (state.kind !== "failed" && state.kind !== "noInterpreter") {
      return;
    }
    const choose = vscode.l10n.t("Choose Python");
    const settings = vscode.l10n.t("Open Settings");
    const restart = vscode.l10n.t("Restart");
    const showLog = vscode.l10n.t("Show Log");
    const isAboutSettings =
      state.kind === "failed" && (state.code === ErrorCode.settings || state.code === ErrorCode.gitMissing);
    const first = state.kind === "noInterpreter" ? [choose] : isAboutSettings ? [settings] : [];
    const picked = await vscode.window.showErrorMessage(describeState(state), ...first, restart, showLog);
    if (picked === choose) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "gitSidecar.client.interpreter");
    } else if (picked === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:git-sidecar.git-sidecar");
    } else if (picked === restart) {
      await this.server.restart();
    } else if (picked === showLog) {
      this.log.show();
    }
  }

  /** Open a report of what was found and what runs; no contents of any repository are in it. */
  async openReport(): Promise<void> {
    const { state, connection } = this.server;
    const lines = ["# Git Sidecar", "", describeState(state), ""];
    if (state.kind === "running") {
      lines.push(
        `- ${vscode.l10n.t("Protocol version: {0}", state.info.protocolVersion)}`,
        `- ${vscode.l10n.t("git: {0}", state.info.gitVersion ?? vscode.l10n.t("not found"))}`,
        `- ${vscode.l10n.t("Tools: {0}", state.info.tools.length)}`,
      );
    }
    lines.push(
      `- ${vscode.l10n.t("Workspace trusted: {0}", vscode.workspace.isTrusted ? vscode.l10n.t("yes") : vscode.l10n.t("no"))}`,
      `- ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch}`,
    );
    if (this.server.lastSearch) {
      lines.push("", `## ${vscode.l10n.t("Python")}`, "");
      lines.push(...this.server.lastSearch.tried.map((tried) => `- ${describeTried(tried)}`));
    }
    if (connection) {
      const repositories = await listRepositories(connection);
      lines.push("", `## ${vscode.l10n.t("Repositories")}`, "");
      lines.push(...repositories.map(({ label, root, kind, source }) => `- ${label} (${kind}, ${source}): ${root}`));
    }
    this.report = `${lines.join("\n")}\n`;
    this.reportChanged.fire(REPORT);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(REPORT), { preview: true });
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
