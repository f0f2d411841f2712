/** The server's own question (`tools/confirm`), shown as a modal dialog. Whatever is no clear yes is a no. */

import * as vscode from "vscode";

import type { CancelToken } from "./requests";
import type { Choice, ConfirmParams } from "./protocol";
import { renderDialog } from "./question";

/** Asks one question at a time: two dialogs at once would hide one another. */
export class Confirmer {
  private last: Promise<unknown> = Promise.resolve();

  /** The person's choice; Escape, closing the window and a question that was withdrawn while waiting are `deny`. */
  ask(params: ConfirmParams, token: CancelToken): Promise<{ choice: Choice }> {
    const answer = this.last.then(() => (token.isCancellationRequested ? { choice: "deny" as const } : show(params)));
    this.last = answer.catch(() => undefined);
    return answer;
  }
}

async function show(params: ConfirmParams): Promise<{ choice: Choice }> {
  const labels: readonly { readonly choice: Choice; readonly title: string }[] = [
    { choice: "allowOnce", title: vscode.l10n.t("Allow") },
    { choice: "allowSession", title: vscode.l10n.t("Allow in This Session") },
  ];
  // A session's allowance never covers what destroys: a button that promises it would mislead, whoever offers it.
  const offered = labels.filter(
    ({ choice }) => params.choices.includes(choice) && (choice === "allowOnce" || params.tier !== "destructive"),
  );
  const picked = await vscode.window.showWarningMessage(
    params.title,
    { modal: true, detail: renderDialog(params, vscode.l10n.t) },
    ...offered,
  );
  return { choice: picked?.choice ?? "deny" };
}
