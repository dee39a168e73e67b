/** Imports between the files of a folder as dependency-cruiser finds them. */
import { relative, resolve } from "node:path";
import { cruise } from "dependency-cruiser";

/** Files by the file that imports them, both relative to `folder`; type-only imports count. */
export async function cruiseFolder(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const known = new Set(files);
  const { output } = await cruise(["."], { baseDir: folder, tsPreCompilationDeps: true, doNotFollow: "node_modules" });
  const found = new Map<string, ReadonlySet<string>>();
  if (typeof output === "string") throw new Error("dependency-cruiser gave a report and no modules");
  for (const { source, dependencies } of output.modules) {
    const from = relative(folder, resolve(folder, source));
    if (!known.has(from)) continue;
    const targets = dependencies.map(({ resolved }) => relative(folder, resolve(folder, resolved)));
    found.set(from, new Set(targets.filter((target) => known.has(target) && target !== from)));
  }
  return found;
}
