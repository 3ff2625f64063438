// Completing a folder's path from lists of folders. Pure.

/** Splits what was typed into the folder to list and the start of a name in it. */
export function splitPath(typed: string): { parent: string; prefix: string } {
  const at = Math.max(typed.lastIndexOf("/"), typed.lastIndexOf("\\"));
  if (at < 0) return { parent: "", prefix: typed };
  return { parent: typed.slice(0, at + 1), prefix: typed.slice(at + 1) };
}

/** Replaces a leading "~" by the home folder. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") || path.startsWith("~\\") ? home + path.slice(1) : path;
}

/** The folders that go on from what was typed; hidden ones only when a dot was typed. */
export function completions(dirs: readonly string[], prefix: string): string[] {
  const low = prefix.toLowerCase();
  return dirs.filter(
    (d) => d.toLowerCase().startsWith(low) && (prefix.startsWith(".") || !d.startsWith(".")),
  );
}

/** The path with a chosen folder in place of the name's start; it ends so that typing goes on inside. */
export function complete(typed: string, name: string): string {
  const { parent } = splitPath(typed);
  return `${parent}${name}${parent.includes("\\") ? "\\" : "/"}`;
}

/** The path without the slash that completing leaves at its end. */
export function trimPath(path: string): string {
  return path.length > 1 && !/^[A-Za-z]:[\\/]$/.test(path) ? path.replace(/[\\/]+$/, "") || "/" : path;
}

/** The last part of a path: what a workspace of that folder is called. */
export function folderName(path: string): string {
  const clean = trimPath(path);
  return clean.slice(Math.max(clean.lastIndexOf("/"), clean.lastIndexOf("\\")) + 1) || clean;
}
