/** The section `gitSidecar`: which of it is the server's, in the nested form that the server takes. */

/** Settings under this name are this client's own and never sent. */
export const CLIENT_PREFIX = "client.";

export type Nested = { [name: string]: unknown };

/** What an editor knows about one setting; `undefined` where it is not set at that place. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export interface ServerSettings {
  readonly settings: Nested;
  readonly workspaceSettings: { readonly [folderUri: string]: Nested };
}

/** Nest dotted names: `{"limits.bytes": 1}` becomes `{limits: {bytes: 1}}`. */
export function nest(flat: Iterable<readonly [string, unknown]>): Nested {
  const root: Nested = {};
  for (const [name, value] of flat) {
    const parts = name.split(".");
    const last = parts.pop() ?? name;
    let group = root;
    for (const part of parts) {
      group = (group[part] ??= {}) as Nested;
    }
    group[last] = value;
  }
  return root;
}

/** The same settings, but messages are written offline; `undefined` where a person chose another writer. */
export function withOfflineWriter(all: ServerSettings): ServerSettings | undefined {
  const commitMessage = (all.settings["commitMessage"] ?? {}) as Nested;
  if ((commitMessage["provider"] ?? "auto") !== "auto") {
    return undefined;
  }
  return { ...all, settings: { ...all.settings, commitMessage: { ...commitMessage, provider: "offline" } } };
}

/**
 * Split what is set into the user's settings and each folder's wishes, defaults left out.
 *
 * The two must not be merged here: a workspace may only narrow, and only the server decides what that means.
 */
export function collectSettings(
  keys: readonly string[],
  folderUris: readonly string[],
  inspect: (key: string, folderUri: string | undefined) => Inspected | undefined,
): ServerSettings {
  const settings = nest(
    keys.flatMap((key) => {
      const value = inspect(key, undefined)?.globalValue;
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  const workspaceSettings: Record<string, Nested> = {};
  for (const folderUri of folderUris) {
    const wishes = keys.flatMap((key) => {
      const inspected = inspect(key, folderUri);
      const value = inspected?.workspaceFolderValue ?? inspected?.workspaceValue;
      return value === undefined ? [] : [[key, value] as const];
    });
    if (wishes.length > 0) {
      workspaceSettings[folderUri] = nest(wishes);
    }
  }
  return { settings, workspaceSettings };
}
