import * as path from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { Bed } from "./bed";

const bed = new Bed();
let one: string;
let two: string;

beforeAll(async () => {
  one = bed.scratch.repository("work", "one", "app");
  two = bed.scratch.repository("work", "two", "app");
  await bed.start();
  await bed.open(bed.scratch.mkdir("work"));
  await bed.door("command", { id: "workbench.view.scm" });
  await bed.until(async () => (await bed.door<{ repositories: string[] }>("state")).repositories.length === 2, "both repositories");
});

afterAll(() => bed.stop());

beforeEach(async () => {
  for (const root of [one, two]) {
    bed.scratch.git(root, "reset", "--quiet", "--hard");
    await bed.door("setBox", { root, text: "" });
  }
  await bed.door("script", { replies: [] });
});

async function stage(root: string, name: string): Promise<void> {
  bed.scratch.write(root, name, "new\n");
  bed.scratch.git(root, "add", name);
  await bed.refresh(root);
  await bed.until(async () => (await bed.door<string[]>("staged", { root })).includes(path.join(root, name)), "the staged file");
}

const box = (root: string) => bed.door<string>("box", { root });

test("the button writes into the box of its own repository, of two with one name", async () => {
  await stage(one, "in-one.txt");
  await stage(two, "in-two.txt");
  await bed.door("script", { replies: [{ text: "Add the file of two" }] });
  const rows = bed.page.locator(".scm-view .monaco-list-row", { has: bed.page.locator(".scm-provider") });
  const row = rows.filter({ hasText: "two" });
  await row.hover();
  await row.locator('.action-label[aria-label="Write Commit Message"]').click();
  await bed.until(async () => (await box(two)) !== "", "a message");
  expect(await box(two)).toBe("Add the file of two");
  expect(await box(one)).toBe("");
  const [prompt] = (await bed.door<string[][]>("asked")).slice(-1);
  expect(prompt?.join("\n")).toContain("in-two.txt");
  expect(prompt?.join("\n")).not.toContain("in-one.txt");
  await bed.screenshot("commit-message");
});

test("from the palette, with changes staged in both, it lets the person pick", async () => {
  await stage(one, "in-one.txt");
  await stage(two, "in-two.txt");
  await bed.door("script", { replies: [{ text: "Add the file of one" }] });
  await bed.runCommand("Git Sidecar: Write Commit Message");
  const picks = bed.page.locator(".quick-input-list .monaco-list-row");
  await picks.filter({ hasText: path.join("one", "app") }).first().click();
  await bed.until(async () => (await box(one)) !== "", "a message");
  expect(await box(one)).toBe("Add the file of one");
  expect(await box(two)).toBe("");
});

test("pressing again cancels and puts the person's own text back", async () => {
  await stage(one, "in-one.txt");
  await bed.door("setBox", { root: one, text: "fix: " });
  await bed.door("script", { replies: [{ hold: true }] });
  const asked = (await bed.door<unknown[]>("asked")).length;
  const pressed = bed.door("commandOnRoot", { id: "gitSidecar.writeCommitMessage", root: one });
  await bed.until(async () => (await bed.door<unknown[]>("asked")).length > asked, "the model to be asked");
  await bed.door("commandOnRoot", { id: "gitSidecar.writeCommitMessage", root: one });
  await pressed;
  expect(await box(one)).toBe("fix: ");
  expect(await bed.notifications()).toEqual([]);
});

test("nothing staged offers to stage all, and then writes", async () => {
  bed.scratch.write(one, "a.txt", "changed\n");
  await bed.refresh(one);
  await bed.door("script", { replies: [{ text: "Change a" }] });
  // Not awaited: the command waits for the person's answer.
  const pressed = bed.door("commandOnRoot", { id: "gitSidecar.writeCommitMessage", root: one });
  await bed.page.getByRole("button", { name: "Stage All and Write" }).click();
  await pressed;
  await bed.until(async () => (await box(one)) === "Change a", "the message");
  expect(bed.scratch.git(one, "diff", "--cached", "--name-only")).toBe("a.txt\n");
});

test("without a model the message is written offline, and that is said", async () => {
  await stage(one, "in-one.txt");
  await bed.door("setting", { name: "gitSidecar.client.model", value: "none/such" });
  try {
    await bed.door("commandOnRoot", { id: "gitSidecar.writeCommitMessage", root: one });
    await bed.until(async () => (await box(one)) !== "", "a message");
    await bed.page.locator(".statusbar").getByText("written offline").waitFor();
  } finally {
    await bed.door("setting", { name: "gitSidecar.client.model", value: undefined });
  }
});
