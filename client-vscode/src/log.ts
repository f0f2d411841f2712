/** The output channel: what happened, never what was in it. */

import * as vscode from "vscode";

/** Open the log of this extension and of its server. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("Git Sidecar", { log: true });
}
