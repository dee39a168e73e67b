/**
 * Names that nothing in their file declares or imports, as the family of the file resolves them; declarations that are one
 * symbol though they are apart; and names that only one symbol of a family has, which the tier `name` guesses by.
 */
import type {
  Bindings,
  CodeWorld,
  Entity,
  Family,
  FamilyNames,
  ResolveFree,
  Spaces,
} from "../../languages/base/language.ts";
import { NOTHING } from "../../languages/base/world.ts";

/** Names that objects of the languages themselves have; never guessed: `x.push` is almost always an array's. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "add all any append apply assign at bind call catch charAt charCodeAt clear clone close concat constructor contains " +
    "copy count create decode default delete each emit encode end endsWith entries equals error every exec extend fill " +
    "filter finally find findIndex first flat flatMap flush forEach format freeze from get getItem has hasOwnProperty id " +
    "includes indexOf info insert isArray items iter join key keys last lastIndexOf length log lower map match max " +
    "message min name next now on once open parse pop prototype push put raw read reduce reject remove repeat replace " +
    "reset resolve reverse round run send set setdefault setItem shift size slice some sort splice split start " +
    "startsWith stop strip substring sum test text then title toArray toJSON toLowerCase toString toUpperCase trim type " +
    "unshift unwrap update upper value valueOf values version wait warn write"
  ).split(" "),
);

const SEVERAL = -2;
/** Longest way from a declaration to the main one: prototypes of several headers may meet in one definition. */
const MAX_STEPS = 8;

/**
 * Declarations that are one symbol though they stand apart: prototypes with the definition, parts of a type. Uses lead to one of
 * them, the *main* one, and each other one is a place that refers to it.
 */
export interface JoinedDeclarations {
  /** The main declaration of a symbol: itself where it is one, or stands alone. Other entities as they are. */
  readonly mainOf: (entity: number) => number;
  /** The first declaration that refers to a main one; `NOTHING` where none does. */
  readonly prototypeOf: (symbol: number) => number;
}

/** What names of all families lead to. */
interface DeclaredNames {
  readonly resolveFree: ResolveFree;
  readonly joined: JoinedDeclarations;
}

export function createDeclaredNames(world: CodeWorld, spaces: Spaces, bindings: Bindings): DeclaredNames {
  const mains = new Map<number, number>();
  const prototypes = new Map<number, number>();
  const join = (symbol: number, main: number): void => {
    if (symbol === main || mains.has(symbol) || mainOf(main) === symbol) return;
    mains.set(symbol, main);
    if (!prototypes.has(main)) prototypes.set(main, symbol);
  };
  const mainOf = (entity: number): number => {
    let at = entity;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const main = mains.get(at);
      if (main === undefined) break;
      at = main;
    }
    return at;
  };
  const families = new Map<Family, FamilyNames>();
  for (const family of new Set(world.families)) {
    const names = family.createNames({ world, spaces, bindings, mainOf });
    names.joinDeclarations?.(join);
    families.set(family, names);
  }
  return {
    resolveFree: (file, name, wantType) =>
      families.get(world.families[file] as Family)?.resolveFree(file, name, wantType) ?? NOTHING,
    joined: { mainOf, prototypeOf: (symbol) => prototypes.get(symbol) ?? NOTHING },
  };
}

/** The one symbol of a name that a file can mean; `NOTHING` for several. The table is made when first asked. */
export function createUniqueNames(
  world: CodeWorld,
  joined: JoinedDeclarations,
): (file: number, name: string) => Entity {
  let tables: Map<Family, Map<string, number>> | undefined;
  return (file, name) => {
    if (COMMON.has(name)) return NOTHING;
    tables ??= readNames(world, joined);
    const found = tables.get(world.families[file] as Family)?.get(name) ?? NOTHING;
    return found === SEVERAL ? NOTHING : found;
  };
}

function readNames(world: CodeWorld, { mainOf }: JoinedDeclarations): Map<Family, Map<string, number>> {
  const tables = new Map<Family, Map<string, number>>();
  for (const [file, { code }] of world.files.entries()) {
    const family = world.families[file] as Family;
    const table = tables.get(family) ?? new Map<string, number>();
    tables.set(family, table);
    const first = world.first[file] as number;
    for (const [index, { name, parent, flags, kind }] of code.symbols.entries()) {
      if (flags.includes("inner") || kind === "typeParameter") continue;
      const known = table.get(name);
      if (known === undefined) table.set(name, first + index);
      // Overloads are one symbol as far as a name tells.
      else if (mainOf(known) === mainOf(first + index)) continue;
      else if (known < first || code.symbols[known - first]?.parent !== parent) table.set(name, SEVERAL);
    }
  }
  return tables;
}
