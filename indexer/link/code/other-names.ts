/**
 * Whether what stands at a place is the target's own name, or another that an import or export gave it.
 *
 * Mostly the texts tell. They do not where a default is imported under the name that it has at home, where an import
 * says its name twice (`Thing as Thing`), and where a name comes back on the way (`a as b`, then `b as a`). Pure.
 */
import type { CodeImport } from "../../parse/code/code-file.ts";
import type { Bindings } from "./bindings.ts";
import { type CodeWorld, type Entity, NOTHING } from "./code-world.ts";

/** See the header. */
export interface OtherNames {
  /** Whether the name that an import binds, or passes on, is another than that of what it leads to. */
  readonly isBoundAnew: (file: number, index: number, to: Entity) => boolean;
  /** Whether the name that stands at the place of an import is. */
  readonly isAliasAt: (file: number, index: number, to: Entity) => boolean;
  /** Whether a module gives a symbol under another name than its own. */
  readonly isGivenAnew: (module: Entity, name: string, to: Entity) => boolean;
}

/** Imports of imports that are followed: each takes some of the stack. */
const MAX_CHAIN = 200;

/** See the header. */
export function createOtherNames(world: CodeWorld, bindings: Bindings): OtherNames {
  const known = new Map<string, boolean>();
  let depth = 0;
  const importsOf = (file: number): readonly CodeImport[] => world.files[file]?.code.imports ?? [];

  const isGivenAnew = (module: Entity, name: string, to: Entity): boolean => {
    if (to < 0 || to >= world.symbolCount) return false;
    const isOther = world.symbol(to).name !== name;
    const file = world.asFile(module);
    if (isOther || file < 0 || file === world.fileOf(to) || depth >= MAX_CHAIN) return isOther;
    const key = `${file} ${to}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // A way that leads back to itself says nothing.
    known.set(key, false);
    depth++;
    const found = follow(file, name, to);
    depth--;
    known.set(key, found);
    return found;
  };

  const follow = (file: number, name: string, to: Entity): boolean => {
    const isScript = world.families[file] === "script";
    const leadsTo = (index: number): boolean =>
      bindings.bind(file, index, false) === to || bindings.bind(file, index, true) === to;
    const imports = importsOf(file);
    for (const [index, { local, kind }] of imports.entries()) {
      if (local === name && (kind === "reexports" || !isScript) && leadsTo(index)) return isBoundAnew(file, index, to);
    }
    for (const [index, { local, kind, imported }] of imports.entries()) {
      const isStar = kind === "reexports" ? local === "*" : !isScript && imported === "*";
      if (!isStar) continue;
      const module = bindings.moduleOf(file, index);
      if (world.asFile(module) < 0) continue;
      const gives = [false, true].some((wantType) => bindings.exported(module, name, wantType) === to);
      if (gives) return isGivenAnew(module, name, to);
    }
    return false;
  };

  const isBoundAnew = (file: number, index: number, to: Entity): boolean => {
    const { imported, local, localAt } = importsOf(file)[index] as CodeImport;
    // `*` binds the module; where that is a symbol, the name is one that this file gives it.
    return localAt !== undefined || (local !== imported && local !== "") || isAliasAt(file, index, to);
  };

  const isAliasAt = (file: number, index: number, to: Entity): boolean => {
    const { imported, renamed } = importsOf(file)[index] as CodeImport;
    if (renamed === true || imported === "default") return true;
    const module = bindings.moduleOf(file, index);
    return module !== NOTHING && imported !== "*" && isGivenAnew(module, imported, to);
  };

  return { isBoundAnew, isAliasAt, isGivenAnew };
}
