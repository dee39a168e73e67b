/**
 * Names that only one symbol of a family of languages has: what the tier `name` guesses by. Pure.
 *
 * Names that objects of the languages themselves have are never guessed: `x.push` is almost always an array's.
 */
import { type CodeWorld, type Entity, NOTHING } from "./code-world.ts";
import type { JoinedDeclarations } from "./join-declarations.ts";

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

/** The one symbol of a name that a file can mean; `NOTHING` for several. The table is made when first asked. */
export function createUniqueNames(
  world: CodeWorld,
  joined: JoinedDeclarations,
): (file: number, name: string) => Entity {
  let tables: Map<string, Map<string, number>> | undefined;
  return (file, name) => {
    if (COMMON.has(name)) return NOTHING;
    tables ??= readNames(world, joined);
    const found = tables.get(world.families[file] as string)?.get(name) ?? NOTHING;
    return found === SEVERAL ? NOTHING : found;
  };
}

function readNames(world: CodeWorld, { mainOf }: JoinedDeclarations): Map<string, Map<string, number>> {
  const tables = new Map<string, Map<string, number>>();
  for (const [file, { code }] of world.files.entries()) {
    const family = world.families[file] as string;
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
