/** The editor's repositories: told to the server whole on every change, and found again for the button. */

import * as path from "node:path";

import * as vscode from "vscode";

import type { GitApi, GitExtensionWatch, GitRepository } from "./gitApi";
import { labelRepository } from "./labels";
import type { EditorRepository } from "./protocol";

// Opening a folder with many repositories announces them one by one within milliseconds.
const DEBOUNCE_MS = 100;

/** Watches the git extension's repositories. */
export class Repositories implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<readonly EditorRepository[]>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private readonly watched = new Map<GitRepository, vscode.Disposable>();
  private timer: NodeJS.Timeout | undefined;
  private lastSent = "";

  /** Fires with the whole list, debounced, and only when it differs from the last one. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly git: GitExtensionWatch) {
    this.disposables.push(
      git.onDidChange((api) => this.attach(api)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.schedule()),
    );
    this.attach(git.api);
  }

  /** The list in the editor's order; `undefined` while the editor has none, so that the server discovers. */
  get list(): readonly EditorRepository[] | undefined {
    const api = this.git.api;
    if (api?.state !== "initialized") {
      return undefined;
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.path }));
    const submodules = new Set(
      api.repositories.flatMap((repository) =>
        repository.state.submodules.map((submodule) => path.join(repository.rootUri.fsPath, submodule.path)),
      ),
    );
    return api.repositories.map((repository) => ({
      rootUri: repository.rootUri.toString(),
      label: labelRepository(repository.rootUri.path, folders),
      selected: repository.ui.selected,
      kind: kindOf(repository, submodules),
    }));
  }

  /** The editor's repository with this root, as a file path. */
  find(rootPath: string): GitRepository | undefined {
    return this.git.api?.repositories.find((repository) => repository.rootUri.fsPath === rootPath);
  }

  /** All of the editor's repositories. */
  get all(): readonly GitRepository[] {
    return this.git.api?.repositories ?? [];
  }

  private attach(api: GitApi | undefined): void {
    if (!api) {
      return;
    }
    this.disposables.push(
      api.onDidChangeState(() => this.schedule()),
      api.onDidOpenRepository((repository) => {
        this.watch(repository);
        this.schedule();
      }),
      api.onDidCloseRepository((repository) => {
        this.watched.get(repository)?.dispose();
        this.watched.delete(repository);
        this.schedule();
      }),
    );
    api.repositories.forEach((repository) => this.watch(repository));
    this.schedule();
  }

  private watch(repository: GitRepository): void {
    if (!this.watched.has(repository)) {
      const listeners = [
        repository.ui.onDidChange(() => this.schedule()),
        // Submodules become known only after a repository's first status.
        repository.state.onDidChange(() => this.schedule()),
      ];
      this.watched.set(repository, vscode.Disposable.from(...listeners));
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const list = this.list;
      const text = JSON.stringify(list);
      if (list && text !== this.lastSent) {
        this.lastSent = text;
        this.changed.fire(list);
      }
    }, DEBOUNCE_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables, ...this.watched.values()).dispose();
  }
}

function kindOf(repository: GitRepository, submodules: ReadonlySet<string>): NonNullable<EditorRepository["kind"]> {
  if (repository.kind === "submodule" || repository.kind === "worktree") {
    return repository.kind;
  }
  return submodules.has(repository.rootUri.fsPath) ? "submodule" : "repository";
}
