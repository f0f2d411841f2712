/** Diff cards as documents: both sides where a card holds them, its patch where it does not. Pure. */

import type { Card, DiffOfFile } from "./protocol";

/** One file to show: two sides, or a patch alone. */
export type DiffDocument =
  | { readonly kind: "sides"; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: "patch"; readonly path: string; readonly patch: string };

/** All files of the diff cards among `cards`. */
export function listDiffs(cards: readonly Card[]): DiffOfFile[] {
  return cards.flatMap((card) => (card.kind === "diff" ? [...card.diffs] : []));
}

/**
 * What to show of one file. A side is null where the card does not hold it whole, and also where the file is not there
 * at all: only the patch's own header (`new file`, `deleted file`) tells these apart.
 */
export function toDocument(diff: DiffOfFile): DiffDocument {
  const header = diff.patch.slice(0, diff.patch.search(/^@@|^GIT binary|^Binary files/m) >>> 0);
  const before = diff.oldText ?? (/^new file mode /m.test(header) ? "" : null);
  const after = diff.newText ?? (/^deleted file mode /m.test(header) ? "" : null);
  if (before === null || after === null || (diff.oldText === null && diff.newText === null)) {
    return { kind: "patch", path: diff.path, patch: diff.patch };
  }
  return { kind: "sides", path: diff.path, before, after };
}
