/**
 * Imports of Go: the path of a module and the folder in it; for all else `go:` and the path as it is written. Pure.
 */

import type { Manifests } from "../base/manifests.ts";
import type { Spaces } from "../base/spaces.ts";
import { type CodeWorld, folderOfPlace, joinPlace, NOTHING } from "../base/world.ts";
import type { ResolveImport } from "../typescript/resolve.ts";

/** Resolve imports of Go to the namespace of a folder; those of modules nearer to the file come first. */
export function createGoResolver(world: CodeWorld, { list }: Pick<Manifests, "list">, spaces: Spaces): ResolveImport {
  const modules = list.filter(({ kind, name }) => kind === "go" && name !== "");
  // A module in a module has the longer path.
  modules.sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1));
  return (file, specifier) => {
    if (specifier.startsWith(".")) {
      return spaces.find("go", joinPlace(folderOfPlace(world.places[file] as string), specifier));
    }
    for (const { name, folder } of modules) {
      if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
      const space = spaces.find("go", joinPlace(folder, specifier.slice(name.length + 1)));
      return space === NOTHING ? world.external(`go:${specifier}`) : space;
    }
    return world.external(`go:${specifier}`);
  };
}
