/** Files by which tools are recognised. Pure. */
import { below, type ProjectFolder } from "../project-folder.ts";

/** The first of some names that is in a folder, as a path; undefined where none is. */
export function findFile(project: ProjectFolder, folder: string, names: readonly string[]): string | undefined {
  const there = new Set(project.names(folder));
  const name = names.find((one) => there.has(one) && !project.isFolder(below(folder, one)));
  return name === undefined ? undefined : below(folder, name);
}

/** The first of some folders that is there. */
export function findFolder(project: ProjectFolder, folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => below(folder, name)).find((path) => project.isFolder(path));
}
