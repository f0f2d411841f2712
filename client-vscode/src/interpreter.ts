/** Which Python runs the server: where to look, and what each one says about itself. */

import { execFile } from "node:child_process";

/** A Python that may do; `origin` says why it is tried. */
export interface Candidate {
  readonly origin: "setting" | "pythonExtension" | "path";
  readonly command: string;
  readonly args: readonly string[];
}

/** What a Python said about itself, or why it said nothing. */
export type Probe =
  | { readonly version: readonly [number, number]; readonly bundled: boolean; readonly installed: boolean }
  | { readonly failure: string };

export interface Tried {
  readonly candidate: Candidate;
  readonly probe: Probe;
}

export interface Search {
  readonly found: Tried | undefined;
  readonly tried: readonly Tried[];
}

/** The Pythons to try, best first. A setting stands alone: who names one wants that one or to hear why not. */
export function listCandidates(
  setting: string,
  pythonExtension: string | undefined,
  platform: NodeJS.Platform,
): Candidate[] {
  if (setting !== "") {
    return [{ origin: "setting", command: setting, args: [] }];
  }
  const fromPath: Candidate[] =
    platform === "win32"
      ? [
          { origin: "path", command: "py", args: ["-3"] },
          { origin: "path", command: "python3", args: [] },
          { origin: "path", command: "python", args: [] },
        ]
      : ["python3", "python3.14", "python3.13", "python3.12", "python3.11"].map(
          (command): Candidate => ({ origin: "path", command, args: [] }),
        );
  return pythonExtension === undefined
    ? fromPath
    : [{ origin: "pythonExtension", command: pythonExtension, args: [] }, ...fromPath];
}

/** Whether a Python can run the server. */
export function fits(probe: Probe): boolean {
  return !("failure" in probe) && (probe.bundled || probe.installed);
}

/** What a probe's output says; output that is no answer is a failure. */
export function parseProbe(output: string): Probe {
  try {
    const { version, bundled, installed } = JSON.parse(output) as Record<string, unknown>;
    if (Array.isArray(version) && typeof version[0] === "number" && typeof version[1] === "number") {
      return { version: [version[0], version[1]], bundled: bundled === true, installed: installed === true };
    }
  } catch {
    // Falls through: a program that prints something else is no Python of ours, whatever it printed.
  }
  return { failure: "gave no answer that a Python would give" };
}

/** The first candidate that fits, and all that were tried on the way. */
export async function findInterpreter(
  candidates: readonly Candidate[],
  probe: (candidate: Candidate) => Promise<Probe>,
): Promise<Search> {
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const result = { candidate, probe: await probe(candidate) };
    tried.push(result);
    if (fits(result.probe)) {
      return { found: result, tried };
    }
  }
  return { found: undefined, tried };
}

/** Ask a Python what it is. `-I`: neither the current folder nor PYTHON* variables may add modules. */
export function probeInterpreter(launcher: string, candidate: Candidate, timeoutMs = 10_000): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(
      candidate.command,
      [...candidate.args, "-I", launcher, "--probe"],
      { timeout: timeoutMs, windowsHide: true, maxBuffer: 65_536 },
      (error, stdout) => {
        resolve(error ? { failure: describeStartFailure(error) } : parseProbe(stdout));
      },
    );
  });
}

function describeStartFailure(error: NodeJS.ErrnoException | (Error & { code?: unknown })): string {
  if (error.code === "ENOENT") {
    return "is not there";
  }
  return typeof error.code === "number" ? `ended with exit code ${error.code}` : "could not be started";
}

/** One line about a Python that was tried, for the log and the doctor. */
export function describeTried({ candidate, probe }: Tried): string {
  const name = [candidate.command, ...candidate.args].join(" ");
  if ("failure" in probe) {
    return `${name}: ${probe.failure}`;
  }
  const version = `Python ${probe.version.join(".")}`;
  if (probe.bundled) {
    return `${name}: ${version}, runs the bundled server`;
  }
  return `${name}: ${version}, ${probe.installed ? "has the server installed" : "has no server and the bundle does not fit it"}`;
}
