/** Scratch repositories with fixed identity and dates, made by the real git. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

/** A folder of its own, with a HOME that holds nothing but an identity. */
export class Scratch {
  readonly root: string;
  readonly home: string;

  constructor() {
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "git-sidecar-editor-")));
    this.home = this.mkdir("home");
    fs.writeFileSync(
      path.join(this.home, ".gitconfig"),
      "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = trunk\n",
    );
  }

  mkdir(...parts: string[]): string {
    const folder = path.join(this.root, ...parts);
    fs.mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** A repository with one commit of `a.txt`. */
  repository(...parts: string[]): string {
    const root = this.mkdir(...parts);
    this.git(root, "init", "--quiet");
    this.write(root, "a.txt", "one\ntwo\n");
    this.git(root, "add", "a.txt");
    this.git(root, "commit", "--quiet", "--message", "Start");
    return root;
  }

  write(root: string, name: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }

  read(root: string, name: string): string {
    return fs.readFileSync(path.join(root, name), "utf8");
  }

  git(root: string, ...args: string[]): string {
    const date = "2026-01-02T03:04:05Z";
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: this.home, GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
