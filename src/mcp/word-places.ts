/**
 * Places where the name of a symbol stands in the text, and what the index knows of them. Of a member it does not know those
 * of values whose type it does not know.
 */
import { type FileWithEdges, findFiles, idOf, loadPlacesWithEdges } from "../core/code/load-files.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { holdsTypedObject, isMember } from "../core/code/rename-family.ts";
import {
  findWordPlaces,
  mayNameMember,
  type SourceText,
  toSourceText,
  type WordPlace,
} from "../core/code/rename-plan.ts";
import { NO_FILTER } from "../core/docs/model.ts";
import { roleOf } from "../core/docs/roles.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { type GrepBounds, grep, type LineMatch } from "../core/search/grep.ts";
import { compileText } from "../core/search/grep-pattern.ts";
import { codeLanguageOf, factsOf } from "../core/text/code-languages.ts";

/** Lines with the name, at most. */
const MAX_LINES = 6_000;
/** Files whose edges are looked into for what else a word may mean. */
const MAX_OTHER_FILES = 120;

/** Lines with a name, in source files unless others are accepted. */
export async function grepName(
  reader: IndexReader,
  name: string,
  acceptsPath = (path: string): boolean => codeLanguageOf(path) !== undefined,
  bounds?: GrepBounds,
) {
  const answer = await grep(reader, {
    pattern: compileText(name, true),
    collection: "",
    acceptsPath,
    ...(bounds !== undefined && { bounds }),
    filter: NO_FILTER,
    context: 0,
    offset: 0,
    limit: MAX_LINES,
  });
  const matches = answer.files.reduce((sum, file) => sum + file.matches.length, 0);
  return { ...answer, isWhole: answer.scanned >= answer.candidates && matches >= answer.total };
}

/** Files with their edges, as many as one call looks into. */
export async function loadOthers(reader: IndexReader, ids: readonly string[]) {
  const places = await findFiles(reader, ids.slice(0, MAX_OTHER_FILES));
  const known = places.filter((place) => place !== undefined);
  return { files: await loadPlacesWithEdges(reader, known), isCut: ids.length > MAX_OTHER_FILES };
}

/** Positions of a file that declare or surely lead to something that is not of the family. */
export function meantElsewhere(
  file: FileWithEdges | undefined,
  family: ReadonlySet<string>,
  isOfMember: boolean,
): ReadonlySet<string> {
  if (file === undefined) return new Set();
  const { record, edges } = file;
  const own = edges.filter(({ tier, form, to }) => {
    // The value of a short form is known: its key may be the member.
    if (tier === "name" || (form === "value" && isOfMember)) return false;
    // Symbols of the same group are told apart by the caller, which has settled those of the family before.
    return !("id" in to && family.has(to.id));
  });
  const declared = record.symbols.filter(({ parent }, at) => {
    const container = record.symbols[parent];
    // What an object of a declared type holds is what that type says, whether or not that is known.
    const isOfType = container !== undefined && holdsTypedObject(container);
    return !isOfType && !family.has(idOf(record, at));
  });
  // Where another name is given to something, that stays; what changes with its symbol is settled.
  const named = edges.flatMap(({ otherName }) => otherName ?? []);
  return new Set([...own, ...declared, ...named].map(({ at }) => `${at.line}:${at.column}`));
}

/** Places of a word in lines of a file, each of which was read by itself. */
export function* wordsOfLines(file: string, lines: readonly LineMatch[], name: string) {
  for (const { line, text } of lines) {
    const source = toSourceText(text, codeLanguageOf(file) ?? "");
    for (const place of findWordPlaces(source, name)) {
      const at = { line, column: place.offset + 1 };
      yield { at, word: { ...place, at }, source, text };
    }
  }
}

/** Whether a word in a line may be a member. Of the line alone it is not known whether a comment or a list begins before it. */
export function mayBeMember(source: SourceText, word: WordPlace, name: string): boolean {
  const { text, language } = source;
  if (/^\s*\*/.test(text)) return false;
  const isArgument =
    factsOf(language).hasNamesInLists === true &&
    text.slice(0, word.offset).trim() === "" &&
    /^=(?!=)/.test(text.slice(word.offset + name.length));
  return isArgument || mayNameMember(source, word, name);
}

/** A symbol of a file, wherever that is. */
type NamedSymbol = Pick<LoadedSymbol, "record" | "inFile">;

/** Places `x.name` that may mean a member and lead nowhere, as the type of `x` is not known. */
export interface OpenPlaces {
  readonly count: number;
  /** Those of them that give it a value: `open=3` among arguments, `open: 3` in an object. Tests and the like left out. */
  readonly set: readonly { readonly file: string; readonly line: number; readonly text: string }[];
  /** False where there may be more. */
  readonly isWhole: boolean;
}

/** A number, a text, a list, a truth value or none. */
const LITERAL = /^\s*(?:["'`[\d-]|!?(?:true|false|null|none|nil)\b)/i;

/** Whether a name between two texts is given a value that stands there: `open: 3`, `open=3`, `x.open ??= isFast ? 1 : 2`. */
function setsValue(before: string, behind: string): boolean {
  const [sign, operator] = /^\s*(\?\?=|\|\|=|[:=](?!=))/.exec(behind) ?? [];
  if (sign === undefined || operator === undefined) return false;
  const isMemberOf = before.endsWith(".");
  if (!isMemberOf && !/^[\s{(]*$/.test(before)) return false;
  return (isMemberOf && operator.length > 1) || LITERAL.test(behind.slice(sign.length));
}

/** Counts the places that may mean a symbol and of whose receiver nothing is known; none for what is no member. */
export async function countOpenPlaces(reader: IndexReader, symbol: NamedSymbol): Promise<OpenPlaces> {
  if (!isMember(symbol)) return { count: 0, set: [], isWhole: true };
  const { name } = symbol.record;
  const lines = await grepName(reader, name);
  const open = lines.files.flatMap(({ id, matches }) =>
    [...wordsOfLines(id, matches, name)]
      .filter(({ source, word }) => mayBeMember(source, word, name))
      .map(({ at, text }) => ({ id, at, text })),
  );
  const others = await loadOthers(reader, [...new Set(open.map(({ id }) => id))]);
  const known = new Map(
    others.files.map((file) => {
      const guessed = file.edges.flatMap(({ tier, at }) => (tier === "name" ? [`${at.line}:${at.column}`] : []));
      return [file.record.id, new Set([...meantElsewhere(file, new Set(), true), ...guessed])];
    }),
  );
  // Of a file whose edges were not read nothing can be said.
  const unknown = open.filter(({ id, at }) => known.get(id)?.has(`${at.line}:${at.column}`) === false);
  const set = unknown.flatMap(({ id, at, text }) => {
    const isSet = setsValue(text.slice(0, at.column - 1), text.slice(at.column - 1 + name.length));
    return isSet && roleOf(reader, id) === "production" ? [{ file: id, line: at.line, text }] : [];
  });
  return {
    count: unknown.length,
    set,
    isWhole: !others.isCut && lines.isWhole,
  };
}

/** The note of an answer about who uses a symbol; none where nothing is unknown. */
export async function openPlacesNotes(reader: IndexReader, symbol: NamedSymbol): Promise<string[]> {
  const open = await countOpenPlaces(reader, symbol);
  return open.count === 0 ? [] : [`${describeOpenPlaces(open, symbol.record.name)}.`];
}

/** `and 7 places x.open whose receiver is unknown`; "" for none. */
export function describeOpenPlaces({ count, isWhole }: OpenPlaces, name: string): string {
  if (count === 0) return "";
  const places = `${isWhole ? "" : "at least "}${count} ${count === 1 ? "place" : "places"}`;
  return `and ${places} x.${name} whose receiver is unknown`;
}
