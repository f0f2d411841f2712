/** The Python that the person chose in the Python extension, where that extension is there. */

import * as vscode from "vscode";

// The extension may be busy looking for environments; the server must not wait for that.
const WAIT_MS = 2_000;

interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Path of the chosen interpreter. An untrusted workspace's own environment is never run. */
export async function readPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WAIT_MS);
  });
  const asked = (async () => {
    const { environments } = await extension.activate();
    const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath());
    return environment?.executable.uri?.fsPath;
  })().catch(() => undefined);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
