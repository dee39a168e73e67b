/** C and C++: a file sees what it includes (`c:stdio.h` outside), and namespaces of C++. */
import { createPathResolver } from "../base/imports.ts";
import type { Family, FamilyModules, Language, Linking, NameLinking, ResolveFree } from "../base/language.ts";
import { declaredSpace, dotted } from "../base/spaces.ts";
import { isType, NOTHING, pickSymbol } from "../base/world.ts";
import { createIncludedFiles, type IncludedFiles, joinPrototypes } from "./prototypes.ts";
import { C_RULES, CPP_RULES } from "./rules.ts";

const CPP_WORDS = /^[ \t]*(?:class\s+\w|namespace\s+[\w{]|template\s*<|using\s+\w|(?:public|private|protected)\s*:)/m;

const FAMILY: Family = {
  name: "c",
  spaceOf: declaredSpace,
  // `using` and code inside of a namespace see into it: its names are found wherever they stand.
  hasOpenSpaces: true,
  createModules,
  createNames: (linking) => {
    const includedBy = createIncludedFiles(linking);
    return {
      resolveFree: amongIncluded(linking, includedBy),
      joinDeclarations: (join) => joinPrototypes(linking, FAMILY, includedBy, join),
    };
  },
};

function createModules(linking: Linking): FamilyModules {
  const { world, spaces } = linking;
  const outside = (specifier: string): string => `c:${specifier}`;
  const includes = createPathResolver(linking, { family: FAMILY, ending: "", searchesRelative: true, outside });
  return {
    resolve: (file, specifier) => {
      // `using namespace a::b` names no file.
      const space = /[./]/.test(specifier) ? NOTHING : spaces.find(FAMILY, dotted(specifier));
      if (space !== NOTHING) return space;
      return /^std$|::/.test(specifier) ? world.external(outside(specifier)) : includes(file, specifier);
    },
  };
}

/** What is included, then the one definition in the corpus, as a linker would. */
function amongIncluded({ world, spaces, mainOf }: NameLinking, includedBy: IncludedFiles): ResolveFree {
  return (file, name, wantType) => {
    const all = spaces.declarations(spaces.find(FAMILY, ""), name);
    if (all.length === 0) return NOTHING;
    const visible = includedBy(file);
    const seen = all.filter((symbol) => visible.has(world.fileOf(symbol)));
    if (seen.length > 0) return pickSymbol(world, seen, wantType);
    const isFileLocal = (flag: string): boolean => flag === "static" || flag === "private";
    const shared = all.filter((symbol) => !world.symbol(symbol).flags.some(isFileLocal)).map(mainOf);
    const isOne = shared.length > 0 && shared.every((symbol) => symbol === shared[0]);
    return isOne && !isType(world.symbol(shared[0] as number)) ? (shared[0] as number) : NOTHING;
  };
}

export const C: Language = {
  trees: {
    c: {
      grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
      rules: C_RULES,
      // Headers of C++ are called `.h`, too.
      twin: { language: "cpp", isMeant: (path, text) => path.endsWith(".h") && CPP_WORDS.test(text) },
    },
    cpp: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-cpp.wasm", rules: CPP_RULES },
  },
  family: FAMILY,
};
