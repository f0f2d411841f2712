/** What a repository is called: its folder's name, and the way from there. */

/** A workspace folder: the name that the editor shows and its URI's path, without a slash at the end. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** The label of a repository root: `app`, `app/vendor/lib`; outside every folder, its own base name. */
export function labelRepository(rootPath: string, folders: readonly Folder[]): string {
  const root = trimSlash(rootPath);
  const holders = folders
    .map((folder) => ({ name: folder.name, path: trimSlash(folder.path) }))
    .filter(({ path }) => root === path || root.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  const holder = holders[0];
  if (!holder) {
    return root.slice(root.lastIndexOf("/") + 1);
  }
  return holder.name + root.slice(holder.path.length);
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
