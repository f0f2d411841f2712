import * as fs from "node:fs";
import * as path from "node:path";

import { expect, test } from "vitest";

import { SETTING_KEYS, TOOL_NAMES } from "../../src/protocol.gen";

const ROOT = path.join(import.meta.dirname, "..", "..");
const text = fs.readFileSync(path.join(ROOT, "package.json"), "utf8");
const manifest = JSON.parse(text) as {
  enabledApiProposals?: unknown;
  engines: { vscode: string };
  devDependencies: Record<string, string>;
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    languageModelTools: { name: string; toolReferenceName: string; icon: string; inputSchema: { type: string } }[];
    configuration: { properties: Record<string, { scope: string }> };
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
};
const strings = JSON.parse(fs.readFileSync(path.join(ROOT, "package.nls.json"), "utf8")) as Record<string, string>;

test("no proposed API is declared", () => {
  expect(manifest).not.toHaveProperty("enabledApiProposals");
  // Menus that only a proposal opens: a stock editor refuses the whole extension's use of them.
  const proposed = ["scm/inputBox", "scm/sourceControl/title", "scm/historyItem/context", "chat/input/editing/session"];
  expect(Object.keys(manifest.contributes.menus).filter((menu) => proposed.includes(menu))).toEqual([]);
});

test("the sources are checked against the stable API of the oldest editor let in", () => {
  const types = manifest.devDependencies["@types/vscode"] ?? "";
  expect(`^${types.replace(/\.\d+$/, ".0")}`).toBe(manifest.engines.vscode);
  const sources = fs.readdirSync(path.join(ROOT, "src"));
  expect(sources.filter((name) => /\.d\.ts$|proposed/.test(name))).toEqual([]);
});

test("every string of the manifest is there to be translated, and none is left over", () => {
  const used = new Set([...text.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key));
  expect([...used].sort()).toEqual(Object.keys(strings).sort());
});

test("menus name declared commands only", () => {
  const declared = new Set(manifest.contributes.commands.map(({ command }) => command));
  const named = Object.values(manifest.contributes.menus).flat();
  expect(named.map(({ command }) => command).filter((command) => !declared.has(command))).toEqual([]);
});

test("every tool can be referenced and takes an object", () => {
  const { languageModelTools } = manifest.contributes;
  expect(languageModelTools.map(({ name }) => name)).toEqual(TOOL_NAMES);
  expect(TOOL_NAMES).toContain("git_staged_diff");
  for (const tool of languageModelTools) {
    expect(tool.inputSchema.type).toBe("object");
    expect(tool.icon).toMatch(/^\$\([a-z-]+\)$/);
    expect(tool.toolReferenceName).toMatch(/^git[A-Za-z]*$/);
  }
});

test("a workspace cannot choose a program, a provider, an address or a key", () => {
  const { properties } = manifest.contributes.configuration;
  for (const name of SETTING_KEYS) {
    expect(properties).toHaveProperty([`gitSidecar.${name}`]);
  }
  const settable = Object.keys(properties).filter((name) => properties[name]?.scope === "resource");
  expect(settable.sort()).toEqual([...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort());
  for (const name of ["client.interpreter", "gitPath", "commitMessage.provider", "commitMessage.baseUrl", "commitMessage.apiKeyEnv"]) {
    expect(settable).not.toContain(`gitSidecar.${name}`);
  }
});

test("the lock file names no registry host, and the package sends nothing anywhere", () => {
  const lock = fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8");
  expect(lock).not.toContain('"resolved"');
  const sources = fs.readdirSync(path.join(ROOT, "src")).map((name) => fs.readFileSync(path.join(ROOT, "src", name), "utf8"));
  expect(sources.filter((source) => /createTelemetryLogger|fetch\(|node:https?|XMLHttpRequest|WebSocket/.test(source))).toEqual([]);
});
