/** The editor's configuration, read: what goes to the server, and what is this client's own. */

import * as vscode from "vscode";

import { SETTING_KEYS } from "./protocol.gen";
import { collectSettings, type ServerSettings } from "./settings";

export const SECTION = "gitSidecar";

/** The server's settings as they are now. */
export function readServerSettings(): ServerSettings {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const configurations = new Map<string | undefined, vscode.WorkspaceConfiguration>([
    [undefined, vscode.workspace.getConfiguration(SECTION)],
    ...folders.map((uri) => [uri.toString(), vscode.workspace.getConfiguration(SECTION, uri)] as const),
  ]);
  return collectSettings(
    SETTING_KEYS,
    folders.map((uri) => uri.toString()),
    (key, folderUri) => configurations.get(folderUri)?.inspect(key),
  );
}

/** The Python that a person chose, or "". */
export function readInterpreter(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>("client.interpreter", "").trim();
}

/** The language model that a person chose, as `vendor/id`, or "". */
export function readModel(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>("client.model", "").trim();
}

/** Remember the language model that a person chose. */
export async function writeModel(model: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update("client.model", model, vscode.ConfigurationTarget.Global);
}
