/** Diffs from cards, opened in the editor's own diff editors from read-only documents. */

import * as vscode from "vscode";

import { listDiffs, toDocument, type DiffDocument } from "./diffTexts";
import type { Card } from "./protocol";

const SCHEME = "git-sidecar-diff";
export const SHOW_DIFF_COMMAND = "gitSidecar.showKeptDiff";
// A card's diff is wanted while its question is on screen; older ones make room.
const KEPT_DIFFS = 20;

interface Kept {
  readonly title: string;
  readonly documents: readonly DiffDocument[];
}

/** Keeps the texts of the last diffs and opens them. */
export class DiffView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly kept = new Map<number, Kept>();
  private readonly disposables: vscode.Disposable[];
  private lastId = 0;

  constructor() {
    this.disposables = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand(SHOW_DIFF_COMMAND, (id: unknown) => this.open(id)),
    ];
  }

  /** Keep the diffs of these cards; the command that opens them, or `undefined` where there is none. */
  keep(title: string, cards: readonly Card[]): { command: string; arguments: [number] } | undefined {
    const documents = listDiffs(cards).map(toDocument);
    if (documents.length === 0) {
      return undefined;
    }
    this.lastId += 1;
    this.kept.set(this.lastId, { title, documents });
    for (const id of [...this.kept.keys()].slice(0, -KEPT_DIFFS)) {
      this.kept.delete(id);
    }
    return { command: SHOW_DIFF_COMMAND, arguments: [this.lastId] };
  }

  /** Open kept diffs: whole files side by side in one editor, each lone patch as a document. */
  private async open(id: unknown): Promise<void> {
    const kept = typeof id === "number" ? this.kept.get(id) : undefined;
    if (typeof id !== "number" || !kept) {
      void vscode.window.showInformationMessage(vscode.l10n.t("This diff is no longer kept."));
      return;
    }
    const sides = kept.documents.flatMap((document, index) =>
      document.kind === "sides"
        ? [[uriOf(id, index, "after", document.path), uriOf(id, index, "before", document.path), uriOf(id, index, "after", document.path)]]
        : [],
    );
    if (sides.length > 0) {
      await vscode.commands.executeCommand("vscode.changes", kept.title, sides);
    }
    for (const [index, document] of kept.documents.entries()) {
      if (document.kind === "patch") {
        const uri = uriOf(id, index, "patch", `${document.path}.diff`);
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
      }
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [, id, index, part] = /^(\d+)\/(\d+)\/(\w+)$/.exec(uri.query) ?? [];
    const document = this.kept.get(Number(id))?.documents[Number(index)];
    if (document?.kind === "patch") {
      return document.patch;
    }
    return (part === "before" ? document?.before : document?.after) ?? "";
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function uriOf(id: number, index: number, part: "before" | "after" | "patch", path: string): vscode.Uri {
  // The path comes last in the URI so that the editor picks the language and shows the file's own name.
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: `${id}/${index}/${part}` });
}
