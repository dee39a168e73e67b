/**
 * Methods that may implement one another without saying so, in languages where a type implements an interface by having its
 * methods.
 *
 * Whether it does is said by where values go, which the index does not know; so methods of one name and number of
 * parameters, one of an interface and one of a type, count as likely. Pure apart from the reader's I/O.
 */
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { findSymbols } from "./find-symbols.ts";
import type { LoadedSymbol } from "./model.ts";

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
      family.some((symbol) => isOfInterface(symbol) !== isOfInterface(other) && hasSameParameters(symbol, other)),
  );
}

function isOfInterface({ record, inFile }: LoadedSymbol): boolean {
  return inFile.symbols[record.parent]?.kind === "interface";
}

function hasSameParameters(a: LoadedSymbol, b: LoadedSymbol): boolean {
  return countParameters(a) === countParameters(b);
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
