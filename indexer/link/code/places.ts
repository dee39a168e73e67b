/**
 * Places: paths from the configuration's folder, with `/` between and none at the ends. `""` is that folder itself.
 * Pure.
 */
import { posix } from "node:path";

/** Place of a file of a collection whose folder is `root`. */
export function placeOf(root: string | undefined, path: string): string {
  return root === undefined || root === "." ? path : joinPlace(root, path);
}

/** Folder of a place; `""` for the top. */
export function folderOfPlace(place: string): string {
  const slash = place.lastIndexOf("/");
  return slash < 0 ? "" : place.slice(0, slash);
}

/** Parts joined to a place, `.` and `..` worked off. */
export function joinPlace(...parts: readonly string[]): string {
  const normal = posix.join(...parts).replace(/\/$/, "");
  return normal === "." ? "" : normal;
}

/** Last part of a place. */
export function baseName(place: string): string {
  return place.slice(place.lastIndexOf("/") + 1);
}

/** The folder and those around it, the innermost first; `""` is the last. */
export function* foldersAround(folder: string): Generator<string> {
  for (let at = folder; ; at = folderOfPlace(at)) {
    yield at;
    if (at === "") return;
  }
}

/** Whether a path lies in a folder of tests, examples or installed packages. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|fixtures?|__fixtures__|testdata|examples?|node_modules|vendor)\//.test(path);
}
