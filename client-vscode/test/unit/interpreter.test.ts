import * as path from "node:path";

import { expect, test } from "vitest";

import {
  describeTried,
  findInterpreter,
  fits,
  listCandidates,
  parseProbe,
  probeInterpreter,
  type Candidate,
} from "../../src/interpreter";

const LAUNCHER = path.join(import.meta.dirname, "..", "..", "python", "launch.py");

test("a setting stands alone, the Python extension comes before the path", () => {
  expect(listCandidates("/opt/py", "/venv/py", "linux").map(({ command }) => command)).toEqual(["/opt/py"]);
  expect(listCandidates("", "/venv/py", "linux").map(({ command }) => command).slice(0, 2)).toEqual(["/venv/py", "python3"]);
  expect(listCandidates("", undefined, "win32")[0]).toEqual({ origin: "path", command: "py", args: ["-3"] });
});

test.each([
  ['{"version": [3, 12], "bundled": true, "installed": false}', true],
  ['{"version": [3, 12], "bundled": false, "installed": true}', true],
  ['{"version": [3, 9], "bundled": false, "installed": false}', false],
  ["Python was not found; run without arguments to install", false],
  ["null", false],
])("a Python that says %s fits: %s", (output, expected) => {
  expect(fits(parseProbe(output))).toBe(expected);
});

test("the first that fits is taken, and all that were tried are told", async () => {
  const candidates: Candidate[] = ["a", "b", "c"].map((command) => ({ origin: "path", command, args: [] }));
  const search = await findInterpreter(candidates, ({ command }) =>
    Promise.resolve(command === "b" ? { version: [3, 11], bundled: true, installed: false } : { failure: "is not there" }),
  );
  expect(search.found?.candidate.command).toBe("b");
  expect(search.tried.map(describeTried)).toEqual(["a: is not there", "b: Python 3.11, runs the bundled server"]);
});

test("a real Python answers, a missing one is said to be missing, another program is none", async () => {
  const real = await probeInterpreter(LAUNCHER, { origin: "path", command: "python3", args: [] });
  expect(real).toMatchObject({ version: [3, expect.any(Number)] });
  const missing = await probeInterpreter(LAUNCHER, { origin: "setting", command: "/no/such/python", args: [] });
  expect(missing).toEqual({ failure: "is not there" });
  const other = await probeInterpreter(LAUNCHER, { origin: "setting", command: process.execPath, args: ["-e", "1", "--"] });
  expect("failure" in other).toBe(true);
});
