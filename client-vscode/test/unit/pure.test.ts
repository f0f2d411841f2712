import { expect, test } from "vitest";

import { Backoff, RESTART_DELAYS_MS, STABLE_AFTER_MS } from "../../src/backoff";
import { canonicalJson } from "../../src/canonical";
import { listDiffs, toDocument } from "../../src/diffTexts";
import { describeBox, replacesText } from "../../src/inputText";
import { labelRepository } from "../../src/labels";
import { collectSettings, nest, withOfflineWriter } from "../../src/settings";
import { TicketBook } from "../../src/tickets";

test("canonical JSON knows no order of members, but one of elements", () => {
  expect(canonicalJson({ b: [{ y: 1, x: 2 }], a: undefined })).toBe('{"b":[{"x":2,"y":1}]}');
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
  expect(canonicalJson(undefined)).toBe("null");
});

test("tickets come first in, first out, and die when they expire", () => {
  let now = 0;
  const book = new TicketBook(() => now);
  book.put("git_add", { a: 1, b: 2 }, "one", 10);
  book.put("git_add", { b: 2, a: 1 }, "two", 100);
  book.put("git_rm", { a: 1, b: 2 }, "other", 100);
  now = 10;
  expect(book.take("git_add", { b: 2, a: 1 })).toBe("two");
  expect(book.take("git_add", { a: 1, b: 2 })).toBeUndefined();
  book.clear();
  expect(book.take("git_rm", { a: 1, b: 2 })).toBeUndefined();
});

test("restarts wait longer each time, end, and begin anew after a stable time", () => {
  const backoff = new Backoff();
  const waits = RESTART_DELAYS_MS.map(() => backoff.next(0));
  expect(waits).toEqual([500, 1_000, 2_000, 5_000, 15_000]);
  expect(backoff.next(0)).toBeUndefined();
  expect(backoff.next(STABLE_AFTER_MS)).toBe(500);
  backoff.reset();
  expect(backoff.next(0)).toBe(500);
});

test.each([
  ["/w/app", "app"],
  ["/w/app/vendor/lib/", "app/vendor/lib"],
  ["/w/app2", "app2"],
  ["/elsewhere/tool", "tool"],
  ["/w/app/inner/deep", "Inner/deep"],
])("the label of %s is %s", (root, label) => {
  const folders = [
    { name: "app", path: "/w/app" },
    { name: "Inner", path: "/w/app/inner/" },
  ];
  expect(labelRepository(root, folders)).toBe(label);
});

test("settings are nested, and a folder's wishes are kept apart from the user's", () => {
  expect(nest([["limits.bytes", 5], ["limits.lineLength", 6], ["gitPath", "git"]])).toEqual({
    limits: { bytes: 5, lineLength: 6 },
    gitPath: "git",
  });
  const values: Record<string, Record<string, unknown>> = {
    "allowPush ": { globalValue: true },
    "allowPush file:///w": { globalValue: true, workspaceValue: false },
    "limits.bytes file:///w": { workspaceValue: 2_000, workspaceFolderValue: 1_024 },
  };
  expect(
    collectSettings(["allowPush", "limits.bytes"], ["file:///w", "file:///x"], (key, uri) => values[`${key} ${uri ?? ""}`]),
  ).toEqual({
    settings: { allowPush: true },
    workspaceSettings: { "file:///w": { allowPush: false, limits: { bytes: 1_024 } } },
  });
});

test("only where nobody chose a writer is the offline one put in its place", () => {
  const all = { settings: { gitPath: "git", commitMessage: { style: "plain" } }, workspaceSettings: {} };
  expect(withOfflineWriter(all)?.settings).toEqual({ gitPath: "git", commitMessage: { style: "plain", provider: "offline" } });
  expect(withOfflineWriter({ ...all, settings: { commitMessage: { provider: "editor" } } })).toBeUndefined();
});

test("the box's own last message is tried again, the person's words are handed on", () => {
  expect(describeBox("  \n", undefined, 1)).toEqual({});
  expect(describeBox("fix: ", undefined, 1)).toEqual({ current: "fix: " });
  expect(describeBox("Add a", "Add a", 2)).toEqual({ attempt: 2 });
  expect(replacesText("fix:", undefined, "fix: a")).toBe(false);
  expect(replacesText("words", undefined, "Add a")).toBe(true);
  expect(replacesText("Add a", "Add a", "Add b")).toBe(false);
});

const MODIFIED = "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";

test("a card with both sides opens as sides, one without opens as a patch", () => {
  const whole = { path: "a", oldText: "x\n", newText: "y\n", patch: MODIFIED };
  expect(listDiffs([{ kind: "diff", diffs: [whole] }, { kind: "list", items: [] }])).toEqual([whole]);
  expect(toDocument(whole)).toEqual({ kind: "sides", path: "a", before: "x\n", after: "y\n" });
  expect(toDocument({ path: "a", oldText: null, newText: null, patch: MODIFIED }).kind).toBe("patch");
  expect(toDocument({ path: "a", oldText: "x\n", newText: null, patch: MODIFIED }).kind).toBe("patch");
});

test("a new and a deleted file have an empty other side", () => {
  const added = "diff --git a/a b/a\nnew file mode 100644\nindex 0..2\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+y\n";
  expect(toDocument({ path: "a", oldText: null, newText: "y\n", patch: added })).toMatchObject({ before: "", after: "y\n" });
  const deleted = added.replace("new file", "deleted file");
  expect(toDocument({ path: "a", oldText: "y\n", newText: null, patch: deleted })).toMatchObject({ before: "y\n", after: "" });
  const quoting = `${MODIFIED} new file mode 100644\n`;
  expect(toDocument({ path: "a", oldText: null, newText: "y\n", patch: quoting }).kind).toBe("patch");
});
