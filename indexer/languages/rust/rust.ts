/**
 * Rust: paths begin with `crate`, `self`, `super`, the name of a workspace crate, or a module in scope; outside are
 * `rust:std` and its kin, or `cargo:` and the name of the crate.
 *
 * The tree of modules follows the files: `a/b.rs` or `a/b/mod.rs` is the module `b` in `a`. A `mod` with a body is a
 * symbol in its file.
 */
import type { CodeWorld, Entity, Family, FamilyModules, Language, Linking } from "../base/language.ts";
import { readTomlManifest } from "../base/manifests.ts";
import { baseName, folderOfPlace, foldersAround, joinPlace, NOTHING } from "../base/world.ts";
import { RUST_RULES } from "./rules.ts";

const FAMILY: Family = {
  name: "rust",
  hasOnlyTypesAsBases: true,
  createModules,
  createNames: ({ bindings }) => ({
    resolveFree: (file, name, wantType) => bindings.walkPath(file, -1, [name], wantType),
  }),
};

export const RUST: Language = {
  trees: { rust: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-rust.wasm", rules: RUST_RULES } },
  family: FAMILY,
  manifests: [
    {
      kind: "cargo",
      files: ["Cargo.toml"],
      read: (source) => ({ name: readTomlManifest(source).get("package.name")?.[0] ?? "" }),
    },
  ],
};

const STANDARD: ReadonlySet<string> = new Set(["std", "core", "alloc", "proc_macro", "test"]);
const KEYWORDS: ReadonlySet<string> = new Set(["crate", "self", "super"]);
const ROOTS: ReadonlySet<string> = new Set(["lib.rs", "main.rs", "mod.rs"]);

function createModules({ world, manifests: { list } }: Linking): FamilyModules {
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
  const paths: FamilyModules["paths"] = {
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
    external: (name) => {
      if (KEYWORDS.has(name)) return NOTHING;
      return world.external(STANDARD.has(name) ? `rust:${name}` : `cargo:${name}`);
    },
  };
  return {
    resolve: () => NOTHING,
    submodule: (module, name) => {
      const file = world.asFile(module);
      if (file < 0 || world.families[file] !== FAMILY) return NOTHING;
      const inside = insideOf(places[file] as string);
      return fileOf(joinPlace(inside, `${name}.rs`), joinPlace(inside, name, "mod.rs"));
    },
    paths,
  };
}

/** The innermost module that a symbol of a file is or stands in. */
function moduleAround(world: CodeWorld, file: number, symbol: number): Entity {
  const { symbols } = world.codeOf(file);
  for (let at = symbol; at >= 0; at = symbols[at]?.parent ?? -1) {
    if (symbols[at]?.kind === "module") return (world.first[file] as number) + at;
  }
  return world.fileEntity(file);
}
