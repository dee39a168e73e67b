/**
 * Cards of symbols: signature, value, doc comment, and lists of the places that lead to it, by file and function. A card
 * shows the beginning of long lists; where one list is asked for, it is whole.
 */

import {
  countIncoming,
  type IncomingEdge,
  incomingEdges,
  mentionsOf,
  outgoingEdges,
  sortedEdges,
} from "../core/code/edges.ts";
import { loadPlacesWithEdges, symbolAt } from "../core/code/load-files.ts";
import type { LoadedFile, LoadedSymbol } from "../core/code/model.ts";
import { readPassedOn } from "../core/code/packages.ts";
import { DERIVING, findHeirs, type Heir, isMember } from "../core/code/rename-family.ts";
import { useTargetsOf } from "../core/code/resolve-symbol.ts";
import { readSourceLines } from "../core/docs/documents.ts";
import { pathOf, splitNodeId } from "../core/docs/node-id.ts";
import { type Role, roleOf } from "../core/docs/roles.ts";
import {
  type CodePosition,
  type EdgeKind,
  IMPORT_KINDS,
  isExported,
  type SymbolKind,
  withoutOrdinal,
} from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { LARGE_BOUNDS } from "../core/search/grep.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { shortenText } from "../core/text/short-text.ts";
import { type CardItem, item, type ListedPlace, PlaceLists } from "../surface/render/place-lists.ts";
import { summarizePassedOn } from "../surface/render/symbols.ts";
import { foldLine, formatCount, formatLines } from "../surface/render/text.ts";
import {
  describeOpenPlaces,
  grepName,
  loadOthers,
  meantElsewhere,
  type OpenPlaces,
  wordsOfLines,
} from "./word-places.ts";

/** Lists that can be asked for by themselves. */
export type SymbolRole = "calls" | "callees" | "implements" | "types" | "imports" | "reads" | "uses" | "docs" | "files";

export interface Inspected {
  /** Lists that are wanted whole. */
  readonly roles: ReadonlySet<SymbolRole>;
  /** Whether the whole card is wanted. */
  readonly isWhole: boolean;
  /** Whether tests and the like are listed, too. */
  readonly tests: boolean;
}

const CALLS: readonly EdgeKind[] = ["calls", "instantiates", "decorates"];
/** Edges of a symbol that are read. */
const MAX_PLACES = 20_000;
/** Characters of lines of a card. */
const MAX_SIGNATURE = 240;
const MAX_SIGNATURE_OF_TYPE = 140;
const MAX_SIGNATURES = 3;
const MAX_DOC = 160;
const MAX_VALUE = 300;
const MAX_MEMBERS = 300;
const MAX_VALUE_LINES = 16;
const MAX_CALLS = 480;
const MAX_FILES = 800;
const MAX_FEW = 260;
const MAX_HEADING = 32;
/** Kinds that have a value, kinds whose members are listed with theirs. */
const VALUES: ReadonlySet<SymbolKind> = new Set(["constant", "variable", "property", "field", "macro"]);
const WITH_VALUES: ReadonlySet<SymbolKind> = new Set([...VALUES, "enum"]);
/** Kinds whose heirs implement them. */
const ABSTRACT: ReadonlySet<SymbolKind> = new Set(["interface", "trait"]);
/** Words of a signature that say nothing beside its name and kind. */
const PLAIN_WORDS = new Set(
  "export default pub public declare type interface class struct enum trait def function const".split(" "),
);

/** `truncateOutput function (not exported) src/workspace.ts:10-20` */
export function headOf({ record, inFile }: LoadedSymbol, declarations: readonly LoadedSymbol[]): string {
  const kinds = [...new Set(declarations.map((one) => one.record.kind))].filter((kind) => kind !== "constructor");
  const words = (kinds.length === 0 ? [record.kind] : kinds).map((kind) =>
    kind.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`),
  );
  const hidden = isExported(inFile.language, inFile.symbols, record) ? "" : " (not exported)";
  const deprecated = record.flags.includes("deprecated") ? " (deprecated)" : "";
  const lines = formatLines(record.start.line, record.end.line);
  return `${withoutOrdinal(record.path)} ${words.join("+")}${hidden}${deprecated} ${pathOf(inFile.id)}:${lines}`;
}

/**
 * The lines of a symbol's card, or of the lists that are asked for.
 *
 * @param open Places of its name of which nothing is known, where they are to be told.
 */
export async function readCard(
  reader: IndexReader,
  group: SymbolGroup,
  asked: Inspected,
  open: OpenPlaces | undefined,
): Promise<CardItem[]> {
  const { main, declarations } = group;
  const own = main.inFile.id;
  const wants = (role: SymbolRole): boolean => asked.isWhole || asked.roles.has(role) || isUse(role, asked);
  const showsAll = asked.tests || roleOf(reader, own) !== "production";
  const isShown = (id: string): boolean => showsAll || roleOf(reader, id) === "production";
  const targets = declarations.flatMap(useTargetsOf);
  const distinct = [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
  const [found, bases, docs, about, callees, files] = await Promise.all([
    sortedEdges(reader, distinct, MAX_PLACES, isShown),
    wants("implements") || wants("calls") ? basesOf(reader, group) : [],
    wants("docs") ? docsOf(reader, group) : { places: [], left: 0 },
    asked.isWhole ? describe(reader, group) : [],
    asked.roles.has("callees") ? calleesOf(reader, group) : [],
    asked.roles.has("files") ? listFiles(reader, declarations) : undefined,
  ]);
  const isWanted = ({ kind }: Pick<IncomingEdge, "kind">): boolean => kind !== "declares" && wants(roleOfKind(kind));
  const edges = found.edges.filter(isWanted);
  const lists = new PlaceLists(own, asked.roles, asked.roles.has("uses"));
  await listHeirs(reader, main, edges, isShown, lists);
  if (asked.roles.has("implements") && lists.items.length + bases.length === 0) {
    lists.say("heirs", "implemented by: none found");
  }
  listUses(main, edges, asked, lists);
  lists.add("calls", callees, Number.POSITIVE_INFINITY, "callees");
  if (open !== undefined && (wants("calls") || wants("reads"))) {
    if (VALUES.has(main.record.kind)) lists.addText("set by name", open.set);
    if (open.count > 0) lists.say("receiverUnknown", describeOpenPlaces(open, main.record.name));
  }
  const pages = docs.places.filter(({ file }) => isShown(file));
  // A name that several symbols have leads to none of them.
  const byName = asked.roles.has("docs") && pages.length === 0 ? await listPages(reader, main.record.name) : undefined;
  lists.addFiles("docs by name alone", byName?.places ?? []);
  if (byName?.isWhole === false) lists.say("docsLeft", "not complete: not all pages were read; grep finds the rest");
  if (byName === undefined || byName.places.length === 0) lists.add("docs", pages, MAX_FEW, "docs");
  if (docs.left > 0)
    lists.say("docsLeft", `docs not complete: ${formatCount(docs.left, "more section")}; grep finds them`);
  for (const { label, places } of files?.lists ?? []) lists.addFiles(label, places);
  if (files !== undefined && files.note !== "") lists.say("filesNote", files.note);
  if (found.left > 0) lists.say("unread", `not complete: ${found.left} more places that lead here were not read`);
  const others = [...found.others.filter(isWanted).map(toLine), ...docs.places.filter(({ file }) => !isShown(file))];
  if (others.length > 0 && files === undefined) lists.say("aside", countAside(reader, others));
  return [...about, ...bases, ...lists.items];
}

/** Lists of the places that lead to a symbol, by what they do with it. */
function listUses({ record }: LoadedSymbol, edges: readonly IncomingEdge[], asked: Inspected, lists: PlaceLists): void {
  const ofKinds = (...kinds: EdgeKind[]): ListedPlace[] =>
    edges.filter(({ kind, tier }) => kinds.includes(kind) && tier !== "name").map(toPlace);
  lists.add(CREATED.has(record.kind) ? "created by" : "called by", ofKinds(...CALLS), MAX_CALLS, "calls");
  lists.add("read by", ofKinds("reads"), MAX_CALLS, "reads");
  lists.add("written by", ofKinds("writes"), MAX_FEW, "reads");
  lists.add("typed by", ofKinds("type"), MAX_FEW, "types");
  // Imports say little of files that are listed for what they do with it.
  const isAsked = asked.roles.has("imports") || asked.roles.has("uses");
  const imports = ofKinds("imports");
  const others = isAsked ? imports : imports.filter(({ file }) => !lists.files.has(file));
  lists.add(others.length === imports.length ? "imported by" : "also imported by", others, MAX_FEW, "imports");
  lists.add("re-exported by", ofKinds("reexports"), MAX_FEW, "imports");
  const guesses = edges.filter(({ tier }) => tier === "name").map(toPlace);
  lists.add("by name alone, perhaps", guesses, MAX_FEW, "uses");
}

/** Lists of what derives from a symbol, the direct ones first. */
async function listHeirs(
  reader: IndexReader,
  main: LoadedSymbol,
  edges: readonly IncomingEdge[],
  isShown: (id: string) => boolean,
  lists: PlaceLists,
): Promise<void> {
  const direct = edges.filter(({ kind, tier }) => DERIVING.includes(kind) && tier !== "name");
  const heirs = await findHeirs(reader, direct, ({ file }) => isShown(file.record.id));
  for (const [label, places] of await nameHeirs(reader, main, heirs.list)) {
    lists.add(label, places, MAX_CALLS, "implements");
  }
  if (!heirs.isWhole) lists.say("heirs", "not complete: the hierarchy is larger than one call reads");
}

const CREATED: ReadonlySet<SymbolKind> = new Set(["class", "struct", "record"]);

/** What a source file exports, and who imports it or anything of it. */
export async function readFileCard(reader: IndexReader, file: LoadedFile, asked: Inspected): Promise<CardItem[]> {
  const { record } = file;
  const top = record.symbols.flatMap((symbol, at) => (symbol.parent < 0 ? [symbolAt(file, at)] : []));
  const targets = [record, ...top].map(({ id }) => ({ id, kinds: IMPORT_KINDS }));
  const isShown = (id: string): boolean => asked.tests || roleOf(reader, id) === "production";
  const { edges, others, left } = await sortedEdges(reader, targets, MAX_PLACES, isShown);
  const lists = new PlaceLists(record.id, asked.roles, asked.roles.has("uses"));
  const outside = edges.filter(({ file: from }) => from.record.id !== record.id);
  lists.add("imported by", outside.map(toPlace), MAX_FILES, "imports");
  if (left > 0) lists.say("unread", `not complete: ${left} more imports were not read`);
  if (others.length > 0) lists.say("aside", countAside(reader, others.map(toLine)));
  const exported = top.filter(({ record: symbol }) => isExported(record.language, record.symbols, symbol));
  const given = await readPassedOn(reader, record.id);
  const said = summarizePassedOn(given);
  const names = given.all.length > 0 ? given.all : exported.map(({ record: symbol }) => symbol);
  const members = listNames([...new Set(names.map(({ name }) => name))]);
  return [
    ...(names.length === 0 ? [] : [item("exports", `exports: ${members}`)]),
    ...(said === "" ? [] : [item("reexports", said)]),
    ...lists.items,
  ];
}

function isUse(role: SymbolRole, { roles }: Inspected): boolean {
  return roles.has("uses") && role !== "callees" && role !== "files" && role !== "docs";
}

function roleOfKind(kind: EdgeKind): SymbolRole {
  if (DERIVING.includes(kind)) return "implements";
  if (CALLS.includes(kind)) return "calls";
  if (IMPORT_KINDS.includes(kind)) return "imports";
  return kind === "type" ? "types" : "reads";
}

function toPlace({ file, from, at }: IncomingEdge): ListedPlace {
  return { file: file.record.id, line: at.line, name: from === undefined ? "" : withoutOrdinal(from.record.path) };
}

/** A place of which only the line is told. */
function toLine({ file, at }: { readonly file: string; readonly at: CodePosition }): ListedPlace {
  return { file, line: at.line, name: "" };
}

/** Heirs by what they do, the direct ones first, then those through each of these. */
async function nameHeirs(
  reader: IndexReader,
  { record, inFile }: LoadedSymbol,
  heirs: readonly Heir[],
): Promise<Map<string, ListedPlace[]>> {
  const container = inFile.symbols[record.parent];
  const isAbstract = record.flags.includes("abstract") || (container !== undefined && ABSTRACT.has(container.kind));
  const labelOf = ({ edge, through }: Heir): string => {
    if (through !== undefined) {
      const { record: member, inFile: file } = through;
      return `through ${edge.kind === "overrides" ? (file.symbols[member.parent]?.name ?? member.name) : member.name}`;
    }
    if (edge.kind === "overrides") return isAbstract ? "implemented by" : "overridden by";
    return edge.kind === "implements" ? "implemented by" : "extended by";
  };
  // What is implemented for a type of elsewhere lies in no symbol: the line says for what.
  const loose = heirs.flatMap(({ edge }) => (edge.from === undefined ? [edge] : []));
  const lines = await readSourceLines(
    reader,
    loose.map(({ file, at }) => ({ file: file.record.id, start: at.line, end: at.line })),
  );
  const lists = new Map<string, ListedPlace[]>();
  for (const heir of heirs) {
    const text = lines[loose.indexOf(heir.edge)] ?? "";
    const place = toPlace(heir.edge);
    const named = { ...place, name: place.name === "" ? foldLine(text, 80).replace(/\s*\{$/, "") : place.name };
    const label = labelOf(heir);
    lists.set(label, [...(lists.get(label) ?? []), named]);
  }
  return lists;
}

/** `tests: 12 in 4 files; examples: 1`: places in files that are not shown. */
function countAside(reader: IndexReader, places: readonly ListedPlace[]): string {
  const lines = new Map(places.map((place) => [`${place.file}:${place.line}`, place.file]));
  const counts = Map.groupBy(lines.values(), (id) => roleOf(reader, id));
  const names: Partial<Record<Role, string>> = {
    test: "tests",
    example: "examples",
    history: "changelogs",
    translation: "translations",
  };
  return [...counts]
    .map(([role, own]) => {
      const files = new Set(own).size;
      return `${names[role] ?? role}: ${own.length}${files > 1 ? ` in ${files} files` : ""}`;
    })
    .join("; ");
}

/** Signature, value, doc comment and members. One wave where a value is read. */
async function describe(reader: IndexReader, { main, declarations }: SymbolGroup): Promise<CardItem[]> {
  const { record, inFile } = main;
  const indexes = new Set(declarations.map(({ symbol }) => symbol));
  const members = inFile.symbols.filter(
    ({ parent, kind, flags }) => indexes.has(parent) && kind !== "constructor" && !flags.includes("inner"),
  );
  const shown = declarations.filter(({ record: { kind } }) => kind !== "constructor" || record.kind === "constructor");
  const value = await readValue(reader, main, members.length);
  const most = members.length > 0 ? MAX_SIGNATURE_OF_TYPE : MAX_SIGNATURE;
  const signatures = [...new Set(shown.map((one) => foldCode(one.record.signature, most)))];
  const words = new Set(headOf(main, declarations).split(/[\s:]+/));
  const isPlain = (signature: string): boolean =>
    signature.split(" ").every((word) => words.has(word) || PLAIN_WORDS.has(word) || word === record.name);
  const own = (value === undefined ? signatures : [value]).filter(
    (signature) => signature !== "" && !isPlain(signature),
  );
  const more = own.length - MAX_SIGNATURES;
  const doc = firstSentence(declarations.find((one) => one.record.doc !== "")?.record.doc ?? "");
  const list = membersLine(record.kind, members);
  return [
    ...own.slice(0, MAX_SIGNATURES).map((signature) => item("signature", signature)),
    ...(more > 0 ? [item("overloads", `and ${formatCount(more, "overload")}`)] : []),
    ...(doc === "" ? [] : [item("doc", doc)]),
    ...(list === "" ? [] : [item("members", list)]),
  ];
}

/** The declaration with its value where the signature lacks that: it has several lines, or is written behind a body. */
async function readValue(
  reader: IndexReader,
  { record, inFile }: LoadedSymbol,
  memberCount: number,
): Promise<string | undefined> {
  const { kind, signature, start, end } = record;
  const lines = end.line - start.line;
  const hasValue = /[^=!<>]=[^=>]/.test(signature) || (kind === "property" && signature.includes(": "));
  if (!VALUES.has(kind) || memberCount > 0 || hasValue || lines > MAX_VALUE_LINES) return undefined;
  const [text = ""] = await readSourceLines(reader, [{ file: inFile.id, start: start.line, end: end.line }]);
  return text.trim() === "" ? undefined : foldCode(text, MAX_VALUE);
}

function membersLine(kind: SymbolKind, members: readonly LoadedSymbol["record"][]): string {
  const visible = members
    .filter(({ flags, name }) => !flags.includes("private") && !name.startsWith("#"))
    .sort((a, b) => Number(a.name.startsWith("_")) - Number(b.name.startsWith("_")));
  const withTypes = visible.map(({ signature, name }) => foldCode(signature === "" ? name : signature, 90));
  const names = [...new Set(visible.map((one) => (one.kind === "method" ? `${one.name}()` : one.name)))];
  if (names.length === 0) return "";
  const whole = withTypes.join("; ");
  const texts = whole.length <= MAX_MEMBERS || WITH_VALUES.has(kind) ? withTypes : names;
  return `members: ${listNames(texts, texts === names ? ", " : "; ")}`;
}

/** As many texts as a line takes, and how many there are beyond. */
function listNames(texts: readonly string[], separator = ", "): string {
  let length = 0;
  const fitting = texts.filter((text) => {
    length += text.length + separator.length;
    return length <= MAX_MEMBERS;
  });
  const left = texts.length - fitting.length;
  return `${fitting.join(separator)}${left > 0 ? `; not complete: ${left} more` : ""}`;
}

/** Code on one line, without the blanks that its line breaks leave inside of brackets. */
function foldCode(code: string, most: number): string {
  const folded = code.replace(/\s+/g, " ");
  return foldLine(folded.replace(/([([]) /g, "$1").replace(/,? ([)\]])/g, "$1"), most);
}

function firstSentence(doc: string): string {
  // A box of a documentation site says where to read on; the targets of links are long.
  const text = doc.startsWith("!!!") ? "" : doc.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const [sentence = text] = /^.{15,}?[.!?](?=\s|$)/.exec(text) ?? [];
  return foldLine(sentence, MAX_DOC);
}

/** What a symbol derives from, as far as its signature does not say it, and of a member how often that is called. */
async function basesOf(reader: IndexReader, { main, declarations }: SymbolGroup): Promise<CardItem[]> {
  const [file] = await loadPlacesWithEdges(reader, [main]);
  if (file === undefined) return [];
  const from = new Set(declarations.map(({ symbol }) => symbol));
  const { edges } = await outgoingEdges(reader, file, { kinds: DERIVING, from }, { offset: 0, limit: 20 });
  const bases = edges.flatMap(({ to, kind, tier }) =>
    to.kind === "symbol" && tier !== "name" ? [{ symbol: to.symbol, kind }] : [],
  );
  const called = await countIncoming(
    reader,
    bases.map(({ symbol: { id } }) => ({ id, kinds: CALLS })),
  );
  const lines = bases.flatMap(({ symbol, kind }, at) => {
    const { record, inFile } = symbol;
    const calls = (called[at] ?? []).reduce((sum, { count }) => sum + count, 0);
    const isSaid = declarations.some((one) => one.record.signature.includes(record.name));
    if (isSaid && kind !== "overrides") return [];
    const note = kind === "overrides" && calls > 0 ? ` (which has ${formatCount(calls, "call")})` : "";
    return [`${kind} ${withoutOrdinal(record.path)} ${pathOf(inFile.id)}:${record.at.line}${note}`];
  });
  return [...new Set(lines)].map((line) => item("bases", line, [line]));
}

/** Sections of pages that name a symbol, and how many more there are than the index lists. */
async function docsOf(reader: IndexReader, { declarations }: SymbolGroup) {
  const named = await Promise.all(declarations.slice(0, MAX_SIGNATURES).map(({ id }) => mentionsOf(reader, id)));
  const places = named.flatMap(({ sections }) =>
    sections.map(({ nodeId, line }) => {
      const { documentId, section } = splitNodeId(nodeId);
      const heading = section.slice(section.lastIndexOf("/") + 1);
      return { file: documentId, line, name: shortenText(heading, MAX_HEADING) };
    }),
  );
  return { places, left: named.reduce((sum, { total }) => sum + total, 0) - places.length };
}

/** What a symbol calls. */
async function calleesOf(reader: IndexReader, { main, declarations }: SymbolGroup): Promise<ListedPlace[]> {
  const [file] = await loadPlacesWithEdges(reader, [main]);
  if (file === undefined) return [];
  const inside = new Set(declarations.map(({ symbol }) => symbol));
  for (const [at, { parent }] of file.record.symbols.entries()) if (inside.has(parent)) inside.add(at);
  const { edges } = await outgoingEdges(reader, file, { kinds: CALLS, from: inside }, { offset: 0, limit: MAX_PLACES });
  return edges.flatMap(({ to }): ListedPlace[] => {
    if (to.kind !== "symbol") return [];
    const { record, inFile } = to.symbol;
    return [{ file: inFile.id, line: record.at.line, name: withoutOrdinal(record.path) }];
  });
}

/* Symbols by what they are: declarations that are one symbol together, of several symbols those that are used most first. */

export interface SymbolGroup {
  /** Its longest declaration: of overloads the one with the body. */
  readonly main: LoadedSymbol;
  /** All in its file, in the order of the source. */
  readonly declarations: readonly LoadedSymbol[];
}

/* Every file in which the name of a symbol stands, by what it is there: what a rename has to look at. */

const MAX_EDGES = 6_000;

/** Places in pages where a name stands, changelogs left out. */
async function listPages(reader: IndexReader, name: string) {
  const { files, isWhole } = await grepName(reader, name, (path) => codeLanguageOf(path) === undefined, LARGE_BOUNDS);
  const places = files
    .filter(({ id }) => roleOf(reader, id) === "production")
    .flatMap(({ id, matches }) =>
      [...wordsOfLines(id, matches, name)].map(({ at }) => ({ file: id, line: at.line, name: "" })),
    );
  return { places, isWhole };
}

/** Lists of places: those that lead to the symbol, those in tests, in pages, and those of which the text alone is known. */
async function listFiles(reader: IndexReader, declarations: readonly LoadedSymbol[]) {
  const [first] = declarations;
  if (first === undefined) return { lists: [], note: "" };
  const { name } = first.record;
  const [found, lines] = await Promise.all([
    incomingEdges(
      reader,
      declarations.map(({ id }) => ({ id })),
      {},
      { offset: 0, limit: MAX_EDGES },
    ),
    grepName(reader, name, () => true, LARGE_BOUNDS),
  ]);
  const own = new Map<string, ListedPlace>();
  const add = (file: string, line: number): unknown => own.set(`${file}:${line}`, { file, line, name: "" });
  for (const { inFile, record } of declarations) add(inFile.id, record.at.line);
  for (const { file, at, tier } of found.edges) if (tier !== "name") add(file.record.id, at.line);
  // Places that use it by another name stay.
  const named = new Set(lines.files.flatMap(({ id, matches }) => matches.map(({ line }) => `${id}:${line}`)));
  for (const key of own.keys()) if (lines.isWhole && !named.has(key)) own.delete(key);
  const others = await loadOthers(
    reader,
    lines.files.flatMap(({ id }) => (codeLanguageOf(id) === undefined ? [] : [id])),
  );
  const loaded = new Map(others.files.map((file) => [file.record.id, file]));
  const ids = new Set(declarations.map(({ id }) => id));
  const pages: ListedPlace[] = [];
  const text: ListedPlace[] = [];
  let elsewhere = 0;
  for (const { id, matches } of lines.files) {
    const known = meantElsewhere(loaded.get(id), ids, isMember(first));
    for (const { at } of wordsOfLines(id, matches, name)) {
      const place = { file: id, line: at.line, name: "" };
      if (own.has(`${id}:${at.line}`)) continue;
      if (codeLanguageOf(id) === undefined) pages.push(place);
      else if (known.has(`${at.line}:${at.column}`)) elsewhere++;
      else text.push(place);
    }
  }
  const places = [...own.values()];
  const isProduct = ({ file }: ListedPlace): boolean => roleOf(reader, file) === "production";
  const isHistory = ({ file }: ListedPlace): boolean => roleOf(reader, file) === "history";
  const isCut = others.isCut || !lines.isWhole || found.total > found.edges.length;
  const notes = [
    ...(elsewhere > 0 ? [`${formatCount(elsewhere, "place")} of other symbols of that name left out`] : []),
    ...(isCut ? ["not complete: not all files with that word were read; grep finds the rest"] : []),
  ];
  const sorted = [
    { label: "files", places: places.filter(isProduct) },
    { label: "tests and examples", places: places.filter((place) => !isProduct(place)) },
    { label: "by text alone (strings, comments, unknown receivers)", places: text },
    { label: "docs and other files", places: pages.filter((place) => !isHistory(place)) },
    { label: "changelogs", places: pages.filter(isHistory) },
  ];
  return { lists: sorted, note: notes.join("; ") };
}
