/** Go: a package is a folder, and an import the path of a module with the folder in it (`go:` outside). */
import { inOwnSpace } from "../base/imports.ts";
import type { Entity, Family, Language, Linking, NameLinking, ResolveImport } from "../base/language.ts";
import { folderOfPlace, joinPlace, NOTHING } from "../base/world.ts";
import { GO_RULES } from "./rules.ts";

const FAMILY: Family = {
  name: "go",
  hasOnlyTypesAsBases: true,
  hasFolderSpaces: true,
  folderPackages: "go",
  // Tests of a package from outside have a package of their own in its folder.
  spaceOf: (world) => (file) => {
    const isTest = world.codeOf(file).namespace.endsWith("_test");
    return `${folderOfPlace(world.places[file] as string)}${isTest ? ":test" : ""}`;
  },
  createModules: (linking) => ({ resolve: createResolver(linking) }),
  createNames: (linking) => {
    const resolveOwn = inOwnSpace(linking);
    return {
      resolveFree: (file, name, wantType) => {
        const own = resolveOwn(file, name, wantType);
        return own === NOTHING ? importedPackage(linking, file, name) : own;
      },
    };
  },
};

/** Imports lead to the namespace of a folder; those of modules nearer to the file come first. */
function createResolver({ world, manifests: { list }, spaces }: Linking): ResolveImport {
  const modules = list.filter(({ kind, name }) => kind === "go" && name !== "");
  // A module in a module has the longer path.
  modules.sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1));
  return (file, specifier) => {
    if (specifier.startsWith(".")) {
      return spaces.find(FAMILY, joinPlace(folderOfPlace(world.places[file] as string), specifier));
    }
    for (const { name, folder } of modules) {
      if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
      const space = spaces.find(FAMILY, joinPlace(folder, specifier.slice(name.length + 1)));
      return space === NOTHING ? world.external(`go:${specifier}`) : space;
    }
    return world.external(`go:${specifier}`);
  };
}

/** A package is named as it declares itself, which need not be the last part of its path. */
function importedPackage({ world, bindings, spaces }: NameLinking, file: number, name: string): Entity {
  for (const index of world.codeOf(file).imports.keys()) {
    const module = bindings.moduleOf(file, index);
    if (world.outside(module)?.kind !== "space") continue;
    const [first] = spaces.filesOf(module);
    if (first !== undefined && world.codeOf(first).namespace === name) return module;
  }
  return NOTHING;
}

export const GO: Language = {
  trees: { go: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-go.wasm", rules: GO_RULES } },
  family: FAMILY,
  manifests: [
    {
      kind: "go",
      files: ["go.mod"],
      read: ({ text }) => ({ name: /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "" }),
    },
  ],
};
