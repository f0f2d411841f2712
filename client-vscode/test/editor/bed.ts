/** The editor under test: code-server with the extension installed, and a page in headless Chromium. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";

import { chromium, type Browser, type Locator, type Page } from "playwright-core";

import { Scratch } from "./scratch";

export const CLIENT = path.resolve(import.meta.dirname, "..", "..");
const CHECKOUT = path.dirname(CLIENT);
const CHROMIUM_ARGUMENTS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export interface BedOptions {
  readonly settings?: Record<string, unknown>;
  readonly trust?: boolean;
}

/** One running editor. Make the folders to open in `scratch` before `open`. */
export class Bed {
  readonly scratch = new Scratch();
  private server: ChildProcess | undefined;
  private browser: Browser | undefined;
  private port = 0;
  private doorPort = 0;
  page!: Page;

  /** Start the editor; nothing is open yet. */
  async start(options: BedOptions = {}): Promise<void> {
    [this.port, this.doorPort] = await Promise.all([freePort(), freePort()]);
    const data = this.scratch.mkdir("data");
    const extensions = path.join(this.scratch.root, "extensions");
    fs.cpSync(installedExtensions(), extensions, { recursive: true });
    const settings = {
      "gitSidecar.client.interpreter": process.env["GIT_SIDECAR_TEST_PYTHON"] ?? path.join(CHECKOUT, ".venv", "bin", "python"),
      "git.repositoryScanMaxDepth": 3,
      "git.autofetch": false,
      "git.openRepositoryInParentFolders": "never",
      "workbench.startupEditor": "none",
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "extensions.autoUpdate": false,
      "telemetry.telemetryLevel": "off",
      "security.workspace.trust.enabled": options.trust !== undefined,
      "security.workspace.trust.startupPrompt": "never",
      "security.workspace.trust.banner": "never",
      ...options.settings,
    };
    for (const place of ["User", "Machine"]) {
      this.scratch.write(data, `${place}/settings.json`, JSON.stringify(settings));
    }
    this.server = spawn(
      node(),
      [
        codeServer(), "--bind-addr", `127.0.0.1:${this.port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check",
        ...(options.trust === undefined ? ["--disable-workspace-trust"] : []),
        "--user-data-dir", data, "--extensions-dir", extensions,
      ],
      { env: this.environment(), stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    await lineFrom(this.server, /HTTP server listening/);
    this.browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: CHROMIUM_ARGUMENTS,
    });
  }

  /** Open a folder in a new page and wait until the tools are there. */
  async open(folder: string): Promise<Page> {
    if (!this.browser) {
      throw new Error("start() first");
    }
    this.page = await this.browser.newPage({ viewport: { width: 1280, height: 800 } });
    this.page.setDefaultTimeout(60_000);
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}`);
    await this.page.waitForSelector(".monaco-workbench .statusbar", { timeout: 60_000 });
    await this.until(async () => {
      const { tools } = await this.door<{ tools: string[] }>("state");
      return tools.length > 0;
    }, "the companion's door");
    await this.serverRuns();
    return this.page;
  }

  /** Ask the companion in the editor. */
  async door<R = unknown>(door: string, params: object = {}): Promise<R> {
    const response = await fetch(`http://127.0.0.1:${this.doorPort}/`, {
      method: "POST",
      body: JSON.stringify({ door, ...params }),
    });
    const { value, error } = (await response.json()) as { value: R; error?: string };
    if (error) {
      throw new Error(error);
    }
    return value;
  }

  /** Wait for a condition, with a bound; a door that is not open yet counts as not true yet. */
  async until(condition: () => Promise<unknown>, what: string, withinMs = 60_000): Promise<void> {
    const end = Date.now() + withinMs;
    let last = "";
    while (Date.now() < end) {
      try {
        if (await condition()) {
          return;
        }
      } catch (error) {
        last = `: ${error instanceof Error ? error.message : "?"}`;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`waited in vain for ${what}${last}`);
  }

  /** Call a tool outside every chat; its answer is fetched later. */
  async invoke(tool: string, input: object): Promise<() => Promise<{ text?: string; error?: string }>> {
    const key = crypto.randomUUID();
    await this.door("invoke", { key, tool, input });
    return async () => {
      const read = () => this.door<{ text?: string; error?: string } | null>("answer", { key });
      await this.until(async () => (await read()) !== null, `the answer of ${tool}`);
      return (await read()) ?? {};
    };
  }

  /** Run a command as a person does, from the palette. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input.input").fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().click();
  }

  /** Have the editor look at a repository again: it watches files, but late. */
  async refresh(root: string): Promise<void> {
    await this.door("commandOnRoot", { id: "git.refresh", root });
  }

  /** A button of the newest question in the chat. */
  chatButton(name: string): Locator {
    return this.page.locator(".interactive-session .monaco-button").filter({ hasText: new RegExp(`^${name}$`) }).last();
  }

  /** Send a prompt to the companion's agent. */
  async prompt(query: string): Promise<void> {
    await this.door("command", { id: "workbench.action.chat.open", args: [{ query, mode: "agent" }] });
  }

  /** Texts of the notifications on screen. */
  async notifications(): Promise<string[]> {
    return this.page.locator(".notification-list-item-message").allInnerTexts();
  }

  /** Keep a picture for the documentation; only where it is asked for, so that a test run changes no file. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env["GIT_SIDECAR_SCREENSHOTS"];
    if (folder) {
      await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
    }
  }

  /** Wait until the status item says that the server runs: the manifest's tools are listed long before. */
  async serverRuns(): Promise<void> {
    await this.page.locator('.statusbar [aria-label*="is running"]').first().waitFor();
  }

  /** Ids of the server processes that this editor has started. */
  serverPids(): number[] {
    const listing = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
    return listing
      .split("\n")
      .filter((line) => line.includes("launch.py serve") && line.includes(this.scratch.root))
      .map((line) => Number(line.trim().split(" ", 1)[0]));
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    const server = this.server;
    if (server?.pid !== undefined && server.exitCode === null) {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      process.kill(-server.pid, "SIGTERM");
      const kill = setTimeout(() => server.pid !== undefined && process.kill(-server.pid, "SIGKILL"), 10_000);
      await gone;
      clearTimeout(kill);
    }
    this.scratch.remove();
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      HOME: this.scratch.home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_SIDECAR_TEST_PORT: String(this.doorPort),
      XDG_STATE_HOME: path.join(this.scratch.home, "state"),
      LANG: "C.UTF-8",
    };
  }
}

/** Where `scripts/editor_testbed.sh` installs. */
export function bedFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache");
  return path.join(process.env["GIT_SIDECAR_CACHE"] ?? path.join(cache, "git-sidecar"), "vscode");
}

function node(): string {
  return path.join(bedFolder(), "n24", "bin", "node");
}

function codeServer(): string {
  return path.join(bedFolder(), "node_modules", "code-server", "out", "node", "entry.js");
}

/** The folder that `test/editor/globalSetup.ts` has installed the extension and its companion into. */
function installedExtensions(): string {
  const folder = process.env["GIT_SIDECAR_TEST_EXTENSIONS"];
  if (!folder) {
    throw new Error("run through vitest.editor.config.ts");
  }
  return folder;
}

/** Install packages into a fresh extensions folder. */
export function installExtensions(packages: readonly string[], folder: string, home: string): void {
  execFileSync(
    node(),
    [codeServer(), "--extensions-dir", folder, "--user-data-dir", path.join(home, "install-data"), ...packages.flatMap((file) => ["--install-extension", file]), "--force"],
    { env: { PATH: process.env["PATH"], HOME: home }, stdio: ["ignore", "ignore", "inherit"] },
  );
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function lineFrom(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = "";
    let found = false;
    // Read on after the line: a pipe that nobody empties stops the process.
    const hear = (chunk: Buffer): void => {
      if (!found) {
        seen += chunk.toString();
        found = pattern.test(seen);
        if (found) {
          resolve();
        }
      }
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => reject(new Error(`code-server ended with ${String(code)}:\n${seen}`)));
  });
}
