import * as fs from "node:fs";
import * as path from "node:path";

import { afterEach, expect, test } from "vitest";

import { Bed } from "./bed";

let bed: Bed;

afterEach(() => bed.stop());

interface State {
  readonly tools: readonly string[];
  readonly repositories: readonly string[];
}

const state = () => bed.door<State>("state");

test("a server that is killed comes back, and its tools with it", async () => {
  bed = new Bed();
  const app = bed.scratch.repository("app");
  await bed.start();
  await bed.open(app);
  const pids = bed.serverPids();
  expect(pids).toHaveLength(1);
  // The second dies while it starts, before it can have answered anything.
  for (let kills = 0; kills < 2; kills += 1) {
    const alive = bed.serverPids();
    alive.forEach((pid) => process.kill(pid, "SIGKILL"));
    await bed.until(() => Promise.resolve(bed.serverPids().some((pid) => !alive.includes(pid))), "another server");
  }
  await bed.serverRuns();
  const answer = await bed.invoke("git_status", {});
  expect((await answer()).text).toContain("trunk");
});

test("a hundred repositories are all known to the server", async () => {
  bed = new Bed();
  const first = bed.scratch.repository("many", "r0");
  for (let index = 1; index < 100; index += 1) {
    fs.cpSync(first, path.join(path.dirname(first), `r${index}`), { recursive: true });
  }
  await bed.start();
  await bed.open(path.dirname(first));
  await bed.until(async () => (await state()).repositories.length === 100, "the editor to find them", 240_000);
  const listed = async (): Promise<number> => {
    await bed.door("command", { id: "gitSidecar.doctor" });
    const documents = await bed.door<{ uri: string; text: string }[]>("documents");
    return documents.find(({ uri }) => uri.startsWith("git-sidecar-report:"))?.text.match(/^- many\/r\d+ \(repository, editor\)/gm)?.length ?? 0;
  };
  await bed.until(async () => (await listed()) === 100, "the server to know them");
}, 360_000);

test("in an untrusted workspace reading works and writing is refused", async () => {
  bed = new Bed();
  const app = bed.scratch.repository("app");
  bed.scratch.write(app, "b.txt", "b\n");
  await bed.start({ trust: false });
  await bed.open(app);
  const status = await bed.invoke("git_status", {});
  expect(JSON.stringify(await status())).toContain("b.txt");
  const add = await bed.invoke("git_add", { paths: ["b.txt"] });
  expect(JSON.stringify(await add())).toMatch(/trust/);
  expect(bed.scratch.git(app, "diff", "--cached", "--name-only")).toBe("");
});
