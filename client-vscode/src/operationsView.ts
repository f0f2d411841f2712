/** "Agent Operations": what agents changed, newest first, with Undo and Show Diff. */

import * as vscode from "vscode";

import type { DiffView } from "./diffView";
import type { GitExtensionWatch } from "./gitApi";
import {
  describeAge,
  describeAloud,
  describeOperation,
  headsOf,
  isUndoable,
  repositoryNameOf,
  rootOf,
  timeOf,
} from "./operationText";
import type { Operation } from "./protocol";
import { callTool, describeFailure, listOperations, listRepositories, undoOperation, type Connection } from "./requests";

export const VIEW_ID = "gitSidecar.operations";
const PAGE = 50;
const REFRESH_AFTER_MS = 100;

type Node = { readonly kind: "operation"; readonly operation: Operation } | { readonly kind: "more" };

/** The rows of the view and what can be done with them. */
export class OperationsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private count = PAGE;
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  /** `session` is the view's own: its reads must not count as an agent having looked. */
  constructor(
    private readonly connection: () => Connection | undefined,
    private readonly session: string,
    private readonly diffs: DiffView,
    private readonly git: GitExtensionWatch,
  ) {
    this.disposables.push(
      vscode.window.createTreeView(VIEW_ID, { treeDataProvider: this, showCollapseAll: false }),
      vscode.commands.registerCommand("gitSidecar.operations.refresh", () => this.refresh()),
      vscode.commands.registerCommand("gitSidecar.operations.more", () => {
        this.count += PAGE;
        this.refresh();
      }),
      vscode.commands.registerCommand("gitSidecar.operations.undo", (node?: Node) => this.undo(node)),
      vscode.commands.registerCommand("gitSidecar.operations.showDiff", (node?: Node) => this.showDiff(node)),
    );
  }

  /** Read the log again, soon: operations come in bursts. */
  refresh(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed.fire(undefined), REFRESH_AFTER_MS);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const server = this.connection();
    if (node || !server) {
      return [];
    }
    const repositories = await listRepositories(server);
    const pages = await Promise.all(
      repositories.map(({ root }) =>
        // A repository may be gone by now; the others still have something to show.
        listOperations(server, { repository: root, count: this.count }).catch(() => ({ operations: [] })),
      ),
    );
    const operations = new Map(pages.flatMap((page) => page.operations).map((one) => [one.operationId, one]));
    const rows = [...operations.values()].sort((a, b) => timeOf(b) - timeOf(a));
    const nodes: Node[] = rows.slice(0, this.count).map((operation) => ({ kind: "operation", operation }));
    const hasMore = rows.length > this.count || pages.some((page) => "nextCursor" in page && page.nextCursor);
    return hasMore ? [...nodes, { kind: "more" }] : nodes;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === "more") {
      const item = new vscode.TreeItem(vscode.l10n.t("Show more"));
      item.command = { command: "gitSidecar.operations.more", title: vscode.l10n.t("Show more") };
      return item;
    }
    const { operation } = node;
    const now = Date.now();
    const item = new vscode.TreeItem(describeOperation(operation));
    item.id = operation.operationId;
    item.description = `${repositoryNameOf(operation)} · ${describeAge(timeOf(operation), now, vscode.env.language)}`;
    item.iconPath = new vscode.ThemeIcon(operation.undone ? "discard" : iconOf(operation.tool));
    item.contextValue = ["operation", isUndoable(operation) && "undoable", headsOf(operation) && "diff"]
      .filter(Boolean)
      .join(".");
    item.tooltip = [
      describeOperation(operation),
      rootOf(operation),
      new Date(timeOf(operation)).toLocaleString(vscode.env.language),
      operation.client ?? "",
      vscode.l10n.t("Session {0}", operation.session),
      operation.undone ? vscode.l10n.t("undone") : "",
    ]
      .filter((line) => line !== "")
      .join("\n");
    item.accessibilityInformation = { label: describeAloud(operation, now, vscode.env.language, vscode.l10n.t) };
    return item;
  }

  private async undo(node: Node | undefined): Promise<void> {
    const server = this.connection();
    const operation = node?.kind === "operation" ? node.operation : await this.newest();
    if (!server || !operation) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no operation to undo."));
      return;
    }
    try {
      await undoOperation(server, operation.operationId);
      vscode.window.setStatusBarMessage(vscode.l10n.t("Undone: {0}", describeOperation(operation)), 5_000);
    } catch (error) {
      void vscode.window.showErrorMessage(describeFailure(error));
    }
    this.refresh();
  }

  private async newest(): Promise<Operation | undefined> {
    const nodes = await this.getChildren();
    return nodes.flatMap((node) => (node.kind === "operation" ? [node.operation] : [])).find(isUndoable);
  }

  private async showDiff(node: Node | undefined): Promise<void> {
    const server = this.connection();
    const heads = node?.kind === "operation" ? headsOf(node.operation) : undefined;
    if (!server || node?.kind !== "operation" || !heads) {
      return;
    }
    const { operation } = node;
    const title = describeOperation(operation);
    const result = await callTool(server, {
      name: "git_diff",
      arguments: { repository: rootOf(operation), ...heads },
      sessionId: this.session,
    });
    if (!result.ok) {
      void vscode.window.showErrorMessage(result.error?.message ?? result.text);
      return;
    }
    const kept = this.diffs.keep(title, result.cards);
    if (kept) {
      await vscode.commands.executeCommand(kept.command, ...kept.arguments);
    }
    if (result.meta.truncated) {
      const openWhole = vscode.l10n.t("Open Whole");
      const picked = await vscode.window.showInformationMessage(
        vscode.l10n.t("This diff is long and was cut."),
        ...(this.git.api ? [openWhole] : []),
      );
      if (picked === openWhole) {
        await this.openWhole(title, rootOf(operation), heads, pathsOf(result.value));
      }
    }
  }

  /** Whole files come from the editor's own git documents: this client never reads a repository itself. */
  private async openWhole(
    title: string,
    root: string,
    heads: { from: string; to: string },
    paths: readonly string[],
  ): Promise<void> {
    const api = this.git.api;
    if (api) {
      const files = paths.map((path) => vscode.Uri.joinPath(vscode.Uri.file(root), path));
      const sides = files.map((uri) => [uri, api.toGitUri(uri, heads.from), api.toGitUri(uri, heads.to)]);
      await vscode.commands.executeCommand("vscode.changes", title, sides);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function pathsOf(value: unknown): string[] {
  const { files } = (value ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.map((file: { path: string }) => file.path) : [];
}

function iconOf(tool: string): string {
  const icons: Readonly<Record<string, string>> = {
    git_commit: "git-commit",
    git_add: "add",
    git_branch: "git-branch",
    git_merge: "git-merge",
    git_push: "repo-push",
    git_pull: "repo-pull",
    git_fetch: "repo-pull",
    git_stash: "archive",
    git_tag: "tag",
    git_undo: "discard",
  };
  return icons[tool] ?? "history";
}
