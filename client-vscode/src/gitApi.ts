/** The part of the built-in git extension's API (version 1) that is used here, and how to wait for it. */

import * as vscode from "vscode";

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly ui: { readonly selected: boolean; readonly onDidChange: vscode.Event<void> };
  readonly kind?: string;
  readonly state: {
    readonly indexChanges: readonly { readonly uri: vscode.Uri }[];
    readonly submodules: readonly { readonly path: string }[];
    readonly onDidChange: vscode.Event<void>;
  };
}

export interface GitApi {
  readonly state: "uninitialized" | "initialized";
  readonly repositories: readonly GitRepository[];
  readonly onDidChangeState: vscode.Event<string>;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

/** The git extension as it comes and goes: absent, disabled, switched on late. */
export class GitExtensionWatch implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<GitApi | undefined>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private watched: GitExtension | undefined;
  private current: GitApi | undefined;

  readonly onDidChange = this.changed.event;

  /** The API, once the extension is there and switched on. */
  get api(): GitApi | undefined {
    return this.current;
  }

  /** Look for the extension now and whenever extensions change. */
  async start(): Promise<void> {
    this.disposables.push(vscode.extensions.onDidChange(() => void this.find()));
    await this.find();
  }

  private async find(): Promise<void> {
    const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
    if (!extension || this.isWatching()) {
      return;
    }
    // In an untrusted workspace the editor keeps its git extension switched off, and activating it fails.
    const exported = await Promise.resolve(extension.activate()).catch(() => undefined);
    if (!exported || this.isWatching()) {
      return;
    }
    this.watched = exported;
    this.disposables.push(exported.onDidChangeEnablement(() => this.update(exported)));
    this.update(exported);
  }

  private isWatching(): boolean {
    return this.watched !== undefined;
  }

  private update(extension: GitExtension): void {
    this.current = extension.enabled ? extension.getAPI(1) : undefined;
    this.changed.fire(this.current);
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
