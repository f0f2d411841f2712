import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import {
  describeAge,
  describeAloud,
  describeOperation,
  headsOf,
  isUndoable,
  repositoryNameOf,
  timeOf,
} from "../../src/operationText";
import type { Operation } from "../../src/protocol";
import { describeEffects, fence, quoteCommand, renderCard, renderDialog, type Translate } from "../../src/question";

const t: Translate = (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)]));

test.each([
  [["git", "restore", "--", "a.txt"], "git restore -- a.txt"],
  [["git", "add", "it's here"], "git add 'it'\\''s here'"],
  [["git", "add", "$(rm)"], "git add '$(rm)'"],
  [["git", "add", ""], "git add ''"],
  [["git", "add", "a\nb"], "git add $'a\\nb'"],
  [["git", "add", "a\u202Eb"], "git add $'a\\u{202e}b'"],
])("%j is shown as it could be typed", (command, shown) => {
  expect(quoteCommand(command)).toBe(shown);
});

test.skipIf(process.platform === "win32")("a shell reads a quoted command as it was", () => {
  const words = ["a b", "it's", "$HOME `x` \"y\"", "back\\slash", "*"];
  const out = execFileSync("sh", ["-c", `printf '%s\\0' ${quoteCommand(words)}`], { encoding: "utf8" });
  expect(out.split("\0").slice(0, -1)).toEqual(words);
});

test("a code block cannot be left by what is in it", () => {
  expect(fence("a ``` b")).toBe("````\na ``` b\n````");
});

test("effects name what is lost first", () => {
  const lines = describeEffects({ filesChanged: 2, linesLost: 7, untrackedLost: 0, undo: "none" }, t);
  expect(lines).toEqual([
    "Lines that are found nowhere else and will be lost: 7",
    "Files changed: 2",
    "This cannot be undone.",
  ]);
  const refs = [
    { name: "main", old: "0123456789abcdef", new: null },
    { name: "new", old: null, new: "fedcba9876543210" },
    { name: "both", old: "0123456789abcdef", new: "fedcba9876543210" },
  ];
  const moves = ["main, now at 0123456789", "new, new at fedcba9876", "both: 0123456789 → fedcba9876"];
  expect(describeEffects({ refs }, t)).toEqual(moves);
});

const QUESTION = {
  message: "Discard **2** files, `a_b.txt` among them.",
  command: ["git", "restore", "--", "a_b.txt"],
  effects: { remoteUrl: "https://h/[x](command:y)" },
};

test("a card holds the exact command, and no text can become a link", () => {
  const card = renderCard(QUESTION, t);
  expect(card).toContain("```sh\ngit restore -- a_b.txt\n```");
  expect(card).toContain("\\[x\\](command:y)");
});

test("a dialog is plain text", () => {
  expect(renderDialog(QUESTION, t)).toBe(
    "Discard 2 files, a_b.txt among them.\n\ngit restore -- a_b.txt\n\nRemote: https://h/[x](command:y)",
  );
});

const OPERATION: Operation = {
  operationId: "1",
  session: "s",
  client: "Code",
  time: 1_000_000,
  tool: "git_commit",
  arguments: { message: "Add a\n\nBody" },
  repository: { label: "app", root: "/w/app" },
  before: { head: "a" },
  after: { head: "b" },
  commits: ["b"],
  undo: "reflog",
};

test("an operation says what, where, when and who", () => {
  expect(describeOperation(OPERATION)).toBe("commit: Add a");
  expect(describeOperation({ ...OPERATION, tool: "git_restore", arguments: { paths: ["x", "y"] } })).toBe("restore: x, y");
  expect(repositoryNameOf({ ...OPERATION, repository: "C:\\w\\app\\" })).toBe("app");
  expect(timeOf({ ...OPERATION, time: "1970-01-01T00:00:01Z" })).toBe(1_000);
  expect(describeAge(1_000_000, 1_000_000 + 3 * 60_000 + 1, "en")).toBe("3 minutes ago");
  expect(describeAge(2_000_000, 1_000_000, "en")).toBe("now");
  expect(describeAloud({ ...OPERATION, undone: true }, 1_000_000, "en", t)).toBe("commit: Add a, app, now, Code, undone");
});

test("only what was not undone and left something to put back can be undone", () => {
  expect(isUndoable(OPERATION)).toBe(true);
  expect(isUndoable({ ...OPERATION, undone: "2" })).toBe(false);
  expect(isUndoable({ ...OPERATION, undo: "none" })).toBe(false);
  expect(headsOf(OPERATION)).toEqual({ from: "a", to: "b" });
  expect(headsOf({ ...OPERATION, after: { head: "a" } })).toBeUndefined();
});
