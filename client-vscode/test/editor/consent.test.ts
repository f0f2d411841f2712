import { afterAll, beforeAll, expect, test } from "vitest";

import { Bed } from "./bed";

const bed = new Bed();
let app: string;

beforeAll(async () => {
  app = bed.scratch.repository("app");
  await bed.start({ settings: { "gitSidecar.allowDestructive": true } });
  await bed.open(app);
  await bed.door("command", { id: "workbench.view.scm" });
  await bed.door("command", { id: "gitSidecar.operations.focus" });
});

afterAll(() => bed.stop());

const subjects = () => bed.scratch.git(app, "log", "--format=%s").trim().split("\n");

async function askForCommit(): Promise<void> {
  await bed.door("script", {
    replies: [{ tool: "git_status", input: {} }, { tool: "git_commit", input: { message: "Add b" } }, { text: "That is all." }],
  });
  await bed.prompt("look, and commit");
  await bed.chatButton("Skip").waitFor();
}

test("in a chat, status runs without a question, commit asks with the exact command, and Skip runs nothing", async () => {
  bed.scratch.write(app, "b.txt", "b\n");
  bed.scratch.git(app, "add", "b.txt");
  await bed.refresh(app);
  await askForCommit();
  const asked = await bed.door<string[][]>("asked");
  // The model has been asked twice: the second time it already held the status that nobody was asked about.
  expect(asked.at(-1)?.join("\n")).toContain("b.txt");
  expect(await bed.page.locator(".interactive-session").innerText()).toMatch(/git\s.*commit/);
  await bed.screenshot("confirmation");
  await bed.chatButton("Skip").click();
  await bed.page.getByText("That is all.").last().waitFor();
  expect(subjects()).toEqual(["Start"]);
});

test("Allow runs it, the operation is listed, and Undo brings back what was", async () => {
  await askForCommit();
  await bed.chatButton("Allow in this Session").click();
  await bed.until(() => Promise.resolve(subjects().length === 2), "the commit");
  expect(subjects()).toEqual(["Add b", "Start"]);
  const row = bed.page.locator(".monaco-list-row").filter({ hasText: "commit: Add b" });
  await row.waitFor();
  await bed.screenshot("operations");
  await row.hover();
  await row.locator('.action-label[aria-label="Undo Operation"]').click();
  await bed.until(() => Promise.resolve(subjects().length === 1), "the undo");
  expect(bed.scratch.git(app, "diff", "--cached", "--name-only")).toBe("b.txt\n");
});

async function dialogButton(name: string): Promise<void> {
  await bed.page.locator(".monaco-dialog-box .monaco-button").filter({ hasText: new RegExp(`^${name}$`) }).click();
}

async function dialogText(): Promise<string> {
  await bed.page.locator(".monaco-dialog-box").waitFor();
  return bed.page.locator(".monaco-dialog-box").innerText();
}

test("outside a chat a dialog names the command: Cancel and Escape keep the file, Yes runs it once", async () => {
  // The person's Undo has moved the repository since the agent looked, so it must look before it may change anything.
  const status = await bed.invoke("git_status", {});
  expect((await status()).text).toContain("b.txt");
  bed.scratch.write(app, "a.txt", "precious\n");
  for (const refuse of [() => dialogButton("Cancel"), () => bed.page.keyboard.press("Escape")]) {
    const answer = await bed.invoke("git_restore", { paths: ["a.txt"] });
    expect(await dialogText()).toMatch(/git\s.*restore.*\sa\.txt/s);
    await refuse();
    expect((await answer()).error).toBe("Canceled");
    expect(bed.scratch.read(app, "a.txt")).toBe("precious\n");
  }
  const allowed = await bed.invoke("git_restore", { paths: ["a.txt"] });
  await dialogText();
  await dialogButton("Yes");
  expect((await allowed()).text).toContain("a.txt");
  expect(bed.scratch.read(app, "a.txt")).toBe("one\ntwo\n");
});

test("the same call again asks again: a ticket is spent", async () => {
  bed.scratch.write(app, "a.txt", "precious again\n");
  const answer = await bed.invoke("git_restore", { paths: ["a.txt"] });
  await dialogText();
  await dialogButton("Cancel");
  await answer();
  expect(bed.scratch.read(app, "a.txt")).toBe("precious again\n");
});

test("a call whose ticket is gone is asked about by the server: Cancel is a no, Allow runs it", async () => {
  for (const [button, text] of [["Cancel", "precious again\n"], ["Allow", "one\ntwo\n"]] as const) {
    const answer = await bed.invoke("git_restore", { paths: ["a.txt"] });
    await dialogText();
    // A server that is started anew between the card and the call has minted no ticket for it.
    await bed.door("command", { id: "gitSidecar.restart" });
    await bed.serverRuns();
    await dialogButton("Yes");
    await bed.page.locator(".monaco-dialog-box .monaco-button").filter({ hasText: /^Allow$/ }).waitFor();
    expect(await dialogText()).toMatch(/git\s.*restore.*\sa\.txt/s);
    // What destroys work is never allowed for more than once.
    expect(await dialogText()).not.toContain("Allow in This Session");
    await dialogButton(button);
    await answer();
    expect(bed.scratch.read(app, "a.txt")).toBe(text);
  }
});
