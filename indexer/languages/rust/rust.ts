/**
 * Paths of Rust: `crate`, `self`, `super`, the names of workspace crates, and modules in scope; for all else
 * `rust:std` and its kin, or `cargo:` and the name of the crate.
 *
 * The tree of modules follows the files: `a/b.rs` or `a/b/mod.rs` is the module `b` in `a`. A `mod` with a body is a
 * symbol in its file. Pure.
 */

import type { Manifests } from "../base/manifests.ts";
import {
  baseName,
  type CodeWorld,
  type Entity,
  folderOfPlace,
  foldersAround,
  joinPlace,
  NOTHING,
} from "../base/world.ts";

/** Where a path begins, and how many of its parts that took. */
export interface RustStart {
  readonly entity: Entity;
  readonly used: number;
}

/** See the header. */
export interface RustModules {
  /**
   * Where `crate`, `self`, `super` or the name of a crate leads; undefined for names that scope has to know. `from` is the
   * symbol of the file that the path stands in, -1 at its top.
   */
  readonly start: (file: number, from: number, parts: readonly string[]) => RustStart | undefined;
  /** Module of that name in the file of a module; `NOTHING` where no file is it. */
  readonly submodule: (module: Entity, name: string) => Entity;
  readonly external: (name: string) => Entity;
}

const STANDARD: ReadonlySet<string> = new Set(["std", "core", "alloc", "proc_macro", "test"]);
const ROOTS: ReadonlySet<string> = new Set(["lib.rs", "main.rs", "mod.rs"]);

/** See the header. */
export function createRustModules(world: CodeWorld, { list }: Pick<Manifests, "list">): RustModules {
  const { fileAt, places } = world;
  const crates = list.filter(({ kind, name }) => kind === "cargo" && name !== "");
  const byName = new Map<string, string>();
  for (const { name, folder } of crates) {
    const imported = name.replaceAll("-", "_");
    if (!byName.has(imported)) byName.set(imported, folder);
  }
  const crateFolders = new Set(crates.map(({ folder }) => folder));
  const asEntity = (file: number | undefined): Entity => (file === undefined ? NOTHING : world.fileEntity(file));
  const fileOf = (...candidates: readonly string[]): Entity =>
    asEntity(candidates.map((place) => fileAt.get(place)).find((file) => file !== undefined));
  const rootOf = (file: number): Entity => {
    const place = places[file] as string;
    for (const folder of foldersAround(folderOfPlace(place))) {
      // Programs in `src/bin`, tests and examples are crates of their own, each with its file as the root.
      if (/(?:^|\/)(?:tests|examples|benches|src\/bin)$/.test(folder)) {
        return fileOf(
          `${folder}/${place
            .slice(folder.length + 1)
            .split("/")[0]
            ?.replace(/(?:\.rs)?$/, ".rs")}`,
        );
      }
      const isRoot = crateFolders.has(folder) || baseName(folder) === "src";
      if (!isRoot) continue;
      const inner = baseName(folder) === "src" ? folder : joinPlace(folder, "src");
      const found = fileOf(joinPlace(inner, "lib.rs"), joinPlace(inner, "main.rs"));
      if (found !== NOTHING) return place === joinPlace(inner, "main.rs") ? world.fileEntity(file) : found;
    }
    return world.fileEntity(file);
  };
  /** Folder that holds the modules inside of a file's module. */
  const insideOf = (place: string): string =>
    ROOTS.has(baseName(place)) ? folderOfPlace(place) : place.replace(/\.rs$/, "");
  const parentOf = (file: number): Entity => {
    const place = places[file] as string;
    if (rootOf(file) === world.fileEntity(file)) return NOTHING;
    const folder = baseName(place) === "mod.rs" ? folderOfPlace(folderOfPlace(place)) : folderOfPlace(place);
    return fileOf(
      joinPlace(folder, "mod.rs"),
      `${folder}.rs`,
      joinPlace(folder, "lib.rs"),
      joinPlace(folder, "main.rs"),
    );
  };
  /** Module around a module, which is a file or a `mod` with a body. */
  const outerOf = (module: Entity): Entity => {
    if (module === NOTHING) return NOTHING;
    const file = world.asFile(module);
    if (file >= 0) return parentOf(file);
    return moduleAround(world, world.fileOf(module), world.symbol(module).parent);
  };
  return {
    start: (file, from, parts) => {
      switch (parts[0]) {
        case "crate":
        case "$crate":
          return { entity: rootOf(file), used: 1 };
        case "self":
        case "super": {
          let entity = moduleAround(world, file, from);
          let used = parts[0] === "self" ? 1 : 0;
          while (parts[used] === "super") {
            entity = outerOf(entity);
            used++;
          }
          return { entity, used };
        }
        default: {
          const folder = byName.get(parts[0] ?? "");
          if (folder === undefined) return undefined;
          const entity = fileOf(
            joinPlace(folder, "src/lib.rs"),
            joinPlace(folder, "src/main.rs"),
            joinPlace(folder, "lib.rs"),
          );
          return entity === NOTHING ? undefined : { entity, used: 1 };
        }
      }
    },
    submodule: (module, name) => {
      const file = world.asFile(module);
      if (file < 0 || world.families[file] !== "rust") return NOTHING;
      const inside = insideOf(places[file] as string);
      return fileOf(joinPlace(inside, `${name}.rs`), joinPlace(inside, name, "mod.rs"));
    },
    external: (name) => world.external(STANDARD.has(name) ? `rust:${name}` : `cargo:${name}`),
  };
}

/** The innermost module that a symbol of a file is or stands in. */
function moduleAround(world: CodeWorld, file: number, symbol: number): Entity {
  const { symbols } = (world.files[file] as CodeWorld["files"][number]).code;
  for (let at = symbol; at >= 0; at = symbols[at]?.parent ?? -1) {
    if (symbols[at]?.kind === "module") return (world.first[file] as number) + at;
  }
  return world.fileEntity(file);
}
