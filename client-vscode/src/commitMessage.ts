/** "Write Commit Message": into the input box of the very repository whose button was pressed. Never asks. */

import * as vscode from "vscode";

import type { GitRepository } from "./gitApi";
import { describeBox, replacesText } from "./inputText";
import type { CommitMessage } from "./protocol";
import type { Repositories } from "./repositories";
import {
  describeFailure,
  isCancelled,
  refusalOf,
  sendSettings,
  writeCommitMessage,
  type CancelToken,
  type Connection,
  type WriteMessage,
} from "./requests";
import { withOfflineWriter, type ServerSettings } from "./settings";

const WRITING_CONTEXT = "gitSidecar.writingRoots";

interface Written {
  readonly message: string;
  readonly attempts: number;
}

/** The writing that goes on, one for each repository. */
export class CommitMessageWriter implements vscode.Disposable {
  private readonly running = new Map<string, vscode.CancellationTokenSource>();
  private readonly written = new Map<string, Written>();

  constructor(
    private readonly repositories: Repositories,
    private readonly connect: () => Promise<Connection>,
    private readonly readSettings: () => ServerSettings,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Write for the repository of `source` (a SourceControl or URI), else for one that is picked; again: cancel. */
  async write(source: unknown): Promise<void> {
    const repository = await this.pick(source);
    if (!repository) {
      return;
    }
    const key = repository.rootUri.toString();
    const running = this.running.get(key);
    if (running) {
      running.cancel();
      return;
    }
    const cancellation = new vscode.CancellationTokenSource();
    this.running.set(key, cancellation);
    this.tellWhoWrites();
    try {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.SourceControl, title: vscode.l10n.t("Writing a commit message") },
        () => this.writeInto(repository, cancellation.token),
      );
    } finally {
      this.running.delete(key);
      cancellation.dispose();
      this.tellWhoWrites();
    }
  }

  /** Cancel the writing for the repository of `source`, or all where none is named. */
  cancel(source: unknown): void {
    const root = rootOf(source);
    for (const [key, cancellation] of this.running) {
      if (!root || root.toString() === key) {
        cancellation.cancel();
      }
    }
  }

  private async writeInto(repository: GitRepository, token: vscode.CancellationToken): Promise<void> {
    const key = repository.rootUri.toString();
    const box = repository.inputBox;
    const original = box.value;
    const before = this.written.get(key);
    let shown = original;
    // Text so far is shown only while the box still holds what we put there: the person may type meanwhile.
    const show = (text: string): void => {
      if (box.value === shown && !token.isCancellationRequested) {
        box.value = text;
        shown = text;
      }
    };
    const putBack = (): void => {
      if (box.value === shown) {
        box.value = original;
      }
    };
    try {
      const server = await this.connect();
      const about = describeBox(original, before?.message, (before?.attempts ?? 0) + 1);
      const answer = await this.ask(server, { repository: repository.rootUri.fsPath, ...about }, show, token);
      if (answer.canceled || token.isCancellationRequested) {
        putBack();
        return;
      }
      show(answer.message);
      this.written.set(key, { message: answer.message, attempts: (about.attempt ?? 0) + 1 });
      this.tellHow(answer);
      if (replacesText(original, before?.message, answer.message)) {
        void this.offerUndo(repository, original, answer.message);
      }
    } catch (error) {
      putBack();
      if (!isCancelled(error) && !token.isCancellationRequested) {
        await this.tellFailure(repository, error);
      }
    }
  }

  /**
   * Ask for a message; where no model is there just now, once more for one that is written offline.
   *
   * Models come and go, but a client says only at the start whether it has any: so the settings say it for this while.
   */
  private async ask(
    server: Connection,
    params: WriteMessage,
    show: (text: string) => void,
    token: CancelToken,
  ): Promise<CommitMessage> {
    try {
      return await writeCommitMessage(server, params, show, token);
    } catch (error) {
      const offline = withOfflineWriter(this.readSettings());
      if (refusalOf(error)?.code !== "model_unavailable" || !offline || token.isCancellationRequested) {
        throw error;
      }
      await sendSettings(server, offline);
      try {
        return await writeCommitMessage(server, params, show, token);
      } finally {
        await sendSettings(server, this.readSettings());
      }
    }
  }

  private tellHow(answer: CommitMessage): void {
    this.log.info(`A commit message was written by ${answer.provider}${answer.model ? ` (${answer.model})` : ""}.`);
    if (answer.provider === "offline") {
      vscode.window.setStatusBarMessage(
        `$(info) ${vscode.l10n.t("No language model was used: the message was written offline.")}`,
        10_000,
      );
    }
    for (const warning of answer.warnings) {
      this.log.warn(warning);
    }
  }

  private async offerUndo(repository: GitRepository, original: string, message: string): Promise<void> {
    const undo = vscode.l10n.t("Undo");
    const picked = await vscode.window.showInformationMessage(
      vscode.l10n.t("The text in the commit box was replaced."),
      undo,
    );
    if (picked === undo && repository.inputBox.value === message) {
      repository.inputBox.value = original;
    }
  }

  private async tellFailure(repository: GitRepository, error: unknown): Promise<void> {
    const refusal = refusalOf(error);
    if (refusal?.code !== "nothing_to_commit" && refusal?.code !== "nothing_to_do") {
      void vscode.window.showErrorMessage(describeFailure(error));
      return;
    }
    const stageAll = vscode.l10n.t("Stage All and Write");
    const picked = await vscode.window.showInformationMessage(
      vscode.l10n.t("Nothing is staged, so there is nothing to write about."),
      stageAll,
    );
    if (picked === stageAll) {
      await vscode.commands.executeCommand("git.stageAll", repository.rootUri);
      // Not awaited: this run must end before the same repository can begin another.
      setTimeout(() => void this.write(repository.rootUri), 0);
    }
  }

  private async pick(source: unknown): Promise<GitRepository | undefined> {
    const root = rootOf(source);
    if (root) {
      return this.repositories.find(root.fsPath);
    }
    const { all } = this.repositories;
    const staged = all.filter((repository) => repository.state.indexChanges.length > 0);
    const choices = staged.length > 0 ? staged : all;
    if (choices.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no git repository to write for."));
    }
    if (choices.length <= 1) {
      return choices[0];
    }
    const labels = new Map((this.repositories.list ?? []).map(({ rootUri, label }) => [rootUri, label]));
    const picked = await vscode.window.showQuickPick(
      choices.map((repository) => ({
        label: labels.get(repository.rootUri.toString()) ?? repository.rootUri.fsPath,
        description: repository.rootUri.fsPath,
        repository,
      })),
      { title: vscode.l10n.t("Write a commit message for which repository?"), matchOnDescription: true },
    );
    return picked?.repository;
  }

  private tellWhoWrites(): void {
    void vscode.commands.executeCommand("setContext", WRITING_CONTEXT, [...this.running.keys()]);
  }

  dispose(): void {
    for (const cancellation of this.running.values()) {
      cancellation.cancel();
    }
  }
}

function rootOf(source: unknown): vscode.Uri | undefined {
  if (source instanceof vscode.Uri) {
    return source;
  }
  const { rootUri } = (source ?? {}) as { rootUri?: unknown };
  return rootUri instanceof vscode.Uri ? rootUri : undefined;
}
