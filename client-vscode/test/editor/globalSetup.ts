/** Once for all editor tests: the editor is there, and both extensions are packaged and installed. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { bedFolder, CLIENT, installExtensions } from "./bed";

export function setup(): () => void {
  execFileSync("bash", [path.join(CLIENT, "..", "scripts", "editor_testbed.sh")], { stdio: ["ignore", "ignore", "inherit"] });
  if (!fs.existsSync(bedFolder())) {
    throw new Error(`no editor in ${bedFolder()}`);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "git-sidecar-extensions-"));
  const packages = [
    process.env["GIT_SIDECAR_TEST_VSIX"] ?? packageExtension(CLIENT, path.join(folder, "git-sidecar.vsix")),
    packageExtension(path.join(CLIENT, "test", "editor", "companion"), path.join(folder, "companion.vsix")),
  ];
  const installed = path.join(folder, "installed");
  installExtensions(packages, installed, fs.mkdtempSync(path.join(folder, "home-")));
  process.env["GIT_SIDECAR_TEST_EXTENSIONS"] = installed;
  return () => fs.rmSync(folder, { recursive: true, force: true });
}

function packageExtension(source: string, target: string): string {
  if (source === CLIENT) {
    execFileSync(process.execPath, ["esbuild.mjs"], { cwd: CLIENT, stdio: "inherit" });
  }
  const vsce = path.join(CLIENT, "node_modules", "@vscode", "vsce", "vsce");
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license"];
  execFileSync(process.execPath, [vsce, "package", "--out", target, ...flags], { cwd: source, stdio: ["ignore", "ignore", "inherit"] });
  return target;
}
