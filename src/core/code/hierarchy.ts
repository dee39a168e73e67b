/**
 * Type hierarchy: bases of types with their members, and methods that may implement one another implicitly.
 *
 * In Go a type implements an interface by having its methods. The index does not know where values go, so methods of one
 * name and number of parameters, one of an interface and one of a type, count as likely.
 */

import type { EdgeKind, EdgeRecord } from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { findTargets, loadTargets } from "./edges.ts";
import { findSymbols } from "./find-symbols.ts";
import { declarationsOf, loadPlacesWithEdges, symbolAt } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";

/** Kinds of edges from a type to what it is derived from. */
export const BASES: readonly EdgeKind[] = ["extends", "implements"];
/** Bases of bases that are gone through, and types in all. */
const MAX_LEVELS = 8;
const MAX_TYPES = 48;

/** Edges from each of some types to what it extends and implements, in the order of the source; guesses left out. Two waves. */
export async function basesOf(reader: IndexReader, symbols: readonly LoadedSymbol[]) {
  const files = await loadPlacesWithEdges(reader, symbols);
  const found: Awaited<ReturnType<typeof findTargets>>[] = [];
  for (const [at, symbol] of symbols.entries()) {
    const declarations = new Set(declarationsOf(symbol).map((one) => one.symbol));
    const isBase = ({ from, kind, tier }: EdgeRecord): boolean =>
      declarations.has(from) && BASES.includes(kind) && tier !== "name";
    found.push(await findTargets(reader, symbol.shard, files[at]?.edges.filter(isBase) ?? []));
  }
  const loaded = await loadTargets(reader, found.flat());
  let end = 0;
  return found.map(({ length }) => {
    end += length;
    return loaded.slice(end - length, end);
  });
}

/** Members that a type has of its bases, those of the nearest first: a list for each level above it. Two waves a level. */
export async function* inheritedMembers(reader: IndexReader, type: LoadedSymbol): AsyncGenerator<LoadedSymbol[]> {
  const seen = new Set([type.id]);
  let level = [type];
  for (let above = 0; above < MAX_LEVELS && level.length > 0; above++) {
    const edges = (await basesOf(reader, level)).flat();
    const bases = edges.flatMap(({ to }) => (to.kind === "symbol" ? [to.symbol] : []));
    level = [];
    for (const base of bases) {
      if (seen.has(base.id) || seen.size >= MAX_TYPES) continue;
      seen.add(base.id);
      level.push(base);
    }
    if (level.length > 0) yield level.flatMap(membersOf);
  }
}

/** Members of all declarations of a type that those below it have, too. */
function membersOf(type: LoadedSymbol): LoadedSymbol[] {
  const { shard, file, inFile } = type;
  const containers = new Set(declarationsOf(type).map(({ symbol }) => symbol));
  return inFile.symbols.flatMap(({ parent, kind, flags, name }, at) =>
    containers.has(parent) && kind !== "constructor" && !flags.includes("private") && !name.startsWith("#")
      ? [symbolAt({ shard, file, record: inFile }, at)]
      : [],
  );
}

/** Methods of one name that are looked at. */
const MAX_METHODS = 300;

/** Methods that may be the implementation of one of these, or what one of these implements; not those themselves. */
export async function findImplicitMembers(
  reader: IndexReader,
  family: readonly LoadedSymbol[],
): Promise<readonly LoadedSymbol[]> {
  const [first] = family;
  if (first === undefined || first.record.kind !== "method") return [];
  const { language } = first.inFile;
  if (factsOf(language).implicitMembers === undefined) return [];
  const request = { query: first.record.name, exactOnly: true, languages: [language], offset: 0, limit: MAX_METHODS };
  const { symbols } = await findSymbols(reader, { ...request, kinds: ["method"] });
  const own = new Set(family.map(({ id }) => id));
  return symbols.filter(
    (other) =>
      !own.has(other.id) &&
      other.record.name === first.record.name &&
      family.some(
        (symbol) =>
          isOfInterface(symbol) !== isOfInterface(other) && countParameters(symbol) === countParameters(other),
      ),
  );
}

function isOfInterface({ record, inFile }: LoadedSymbol): boolean {
  return inFile.symbols[record.parent]?.kind === "interface";
}

/** Parameters that a signature declares: what commas part between the parentheses behind the name. */
function countParameters({ record: { name, signature } }: LoadedSymbol): number {
  const start = signature.indexOf(`${name}(`) + name.length + 1;
  let depth = 0;
  let commas = 0;
  let at = start;
  for (; at < signature.length && depth >= 0; at++) {
    const character = signature[at] as string;
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    else if (character === "," && depth === 0) commas++;
  }
  const inside = signature.slice(start, at - 1).replace(/,\s*$/, ",");
  return inside.trim() === "" ? 0 : commas + (inside.endsWith(",") ? 0 : 1);
}
