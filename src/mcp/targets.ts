/**
 * Targets as agents write them, in any mixture: `path`, `path:10`, `path:10-40,80-90`, `path#heading`, `path#Symbol`,
 * `Class.member`, an id, an address. Each becomes places in files; what names none becomes a problem in words.
 *
 * Paths need not be whole: an ending does, and also one with folders in front that the index does not know. Of several
 * files the first of the product is meant, and the others are named.
 */

import { loadFiles } from "../core/code/load-files.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { resolveSymbol } from "../core/code/resolve-symbol.ts";
import { type CatalogueName, findNearestDocuments, isBelow, listDocumentNames } from "../core/docs/catalogue.ts";
import { loadOutlines, resolveNode, resolveOutlines } from "../core/docs/documents.ts";
import type { DocumentOutline, OutlineSection } from "../core/docs/model.ts";
import { PAGE_ENDING, pathOf, splitDocumentId } from "../core/docs/node-id.ts";
import { roleOf } from "../core/docs/roles.ts";
import { InputError } from "../core/errors.ts";
import {
  type FileRecord,
  isExported,
  makeSymbolId,
  type SymbolRecord,
  withoutOrdinal,
} from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { unescapeText } from "../core/parse-text.ts";
import { codeLanguageOf, factsOf } from "../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import type { Parameters } from "../surface/parameters.ts";
import { compilePathGlob } from "../surface/path-glob.ts";
import { MEMBER_KINDS, VALUE_KINDS } from "../surface/render/symbols.ts";
import { cutList, foldLine, formatCount, formatLines } from "../surface/render/text.ts";
import { makeShownPath, unknownDocument } from "./find-named.ts";

/** Lines of a file that a target means. */
export interface Place {
  readonly outline: DocumentOutline;
  /** The symbols of a source file. */
  readonly file?: FileRecord | undefined;
  /** 1-based, inclusive. */
  readonly start: number;
  readonly end: number;
  /** What stands there: `Store.open`; `""` where the text says it. */
  readonly name: string;
  /** `exact`: the lines were asked for by number. `outline`: the names of what stands in it, in place of its text. */
  readonly shows: "text" | "exact" | "outline";
  /** Set where it is a short file, which is shown whole. */
  readonly isWhole?: true;
  /** Index of the symbol that is outlined. */
  readonly symbol?: number;
  /** The line that was asked for. */
  readonly line?: number;
  /** First line of the section, where only some of it is shown: a table may begin before them. */
  readonly from?: number;
}

interface Target {
  readonly places: readonly Place[];
  /** Others that may be meant, or why there are no places; `""` for nothing to say. */
  readonly note: string;
}

/** Lines behind a path: `:10`, `:10-40,80-90`, `#L10-L40`; a column is passed over. */
const LINES = /(?::|#(?=L))(L?\d{1,9}(?:(?:-|\.\.)(?:L?\d{1,9})?)?(?:,L?\d{1,9}(?:-L?\d{1,9})?)*)(?::\d+)?$/;
const ADDRESS = /^https?:\/\/[^/]+\/?/i;
/** Lines that a symbol has at least to be read by itself; what is shorter is read with what is around it. */
const LEAST_LINES = 5;
/** Lines that are read around one that lies in nothing short enough, a quarter of them before it; half where that is no long symbol. */
const AROUND = 24;
/** Lines of comments below a value. */
const MAX_BELOW = 60;
const MAX_BODIES = 4;
/** Functions of so many lines with so many functions inside are outlined, as long types are. */
const MANY_INSIDE = 5;
const LONG_FUNCTION = 400;
const MAX_NAMED = 3;
/** Words of a page that count as a line: half of the lines of pages are blank. */
const WORDS_A_LINE = 7;
const MAX_NEAREST = 3;
const MAX_TITLES = 12;

/** The places of each target, in the order given. @param most Lines that a target may have without being asked for by number. */
export async function findTargets(reader: IndexReader, texts: readonly string[], most: number): Promise<Target[]> {
  const written = texts.map(readTarget);
  const direct = await resolveOutlines(
    reader,
    written.map(({ path }) => path),
    true,
  );
  let names: readonly CatalogueName[] | undefined;
  if (direct.includes(undefined)) names = await listDocumentNames(reader);
  const found = await Promise.all(
    written.map(async (one, at) => {
      const outline = direct[at];
      return outline === undefined
        ? findOther(reader, names ?? [], one)
        : { outlines: [outline], symbols: [], note: "" };
    }),
  );
  const ids = [...new Set(found.flatMap(({ outlines }) => outlines.map(({ document }) => document.id)))];
  const sources = ids.filter((id) => codeLanguageOf(id) !== undefined);
  const files = await loadFiles(reader, sources);
  return Promise.all(
    written.map(async (one, at): Promise<Target> => {
      const { outlines, symbols, note } = found[at] as Found;
      const [outline] = outlines;
      if (outline === undefined) return { places: [], note };
      if (symbols.length > 0) return { places: placesOfSymbols({ symbols, outlines }, most), note };
      const file = files[sources.indexOf(outline.document.id)]?.record;
      const inFile = await placesIn(reader, outline, file, one, most);
      return { ...inFile, note: [note, inFile.note].filter((text) => text !== "").join("; ") };
    }),
  );
}

function readTarget(text: string) {
  const whole = text.trim().replace(/^\.\//, "");
  const [lines, list = ""] = LINES.exec(whole) ?? [""];
  const rest = whole.slice(0, whole.length - lines.length);
  const at = rest.indexOf("#", 1);
  const ranges = (list === "" ? [] : list.split(",")).map((range) => {
    const [, start, dash, end] = /^L?(\d+)(-|\.\.)?L?(\d+)?$/.exec(range) ?? [];
    const [first, last] = [Number(start), Number(end ?? Number.POSITIVE_INFINITY)];
    return dash === undefined ? { start: first } : { start: Math.min(first, last), end: Math.max(first, last) };
  });
  const path = at < 0 ? rest : rest.slice(0, at);
  return { text: whole, path, ...(at > 0 && { part: rest.slice(at + 1) }), ranges };
}

/**
 * A target taken apart: `path` before `#` and lines, `part` behind `#`, `ranges` from each `start` to its `end`; without one it is what stands
 * around the line.
 */
type Written = Readonly<ReturnType<typeof readTarget>>;

/** The document or the symbols that a target means. */
interface Found {
  /** The document; of symbols the document of each. */
  readonly outlines: readonly DocumentOutline[];
  readonly symbols: readonly LoadedSymbol[];
  readonly note: string;
}

/** What is no path of one document: an ending of some, or the name of a symbol. */
async function findOther(reader: IndexReader, names: readonly CatalogueName[], written: Written): Promise<Found> {
  const { path, part, ranges } = written;
  const isName = !path.includes("/") && part === undefined && ranges.length === 0;
  const files = endingIn(reader, names, path, isName);
  if (files.length > 0) return foundFile(reader, files);
  if (codeShards(reader).length > 0 && !path.includes("/")) {
    const found = await foundSymbols(reader, part === undefined ? path : `${path}.${part}`);
    if (found !== undefined) return found;
  }
  const pages = isName ? endingIn(reader, names, path, false) : [];
  if (pages.length > 0) return foundFile(reader, pages);
  return { outlines: [], symbols: [], note: await describeNone(reader, names, path) };
}

async function foundFile(reader: IndexReader, files: readonly CatalogueName[]): Promise<Found> {
  const [first, ...others] = files;
  const outlines = await loadOutlines(reader, first === undefined ? [] : [first.id]);
  const isAside = ({ id }: CatalogueName): boolean => roleOf(reader, id) !== "production";
  const alike = others.filter((other) => first === undefined || isAside(first) || !isAside(other));
  const also = cutList(
    alike.map(({ path, id }) => (path === first?.path ? id : path)),
    MAX_NAMED,
  ).join(", ");
  return { outlines: outlines.filter((one) => one !== undefined), symbols: [], note: also && `also ${also}` };
}

/** Documents whose paths end so, those of the product first. @param isExact Whether endings of pages must be written. */
function endingIn(
  reader: IndexReader,
  names: readonly CatalogueName[],
  text: string,
  isExact: boolean,
): CatalogueName[] {
  const { collection } = splitDocumentId(text);
  const isId = reader.collections.some(({ name }) => name === collection);
  const address = decodeAddress(isId ? pathOf(text) : text);
  const folders = new Map(reader.collections.map(({ name, folder = "" }) => [name, folder === "" ? "" : `/${folder}`]));
  const paths = names
    .filter((name) => !isId || name.collection === collection)
    .map((name) => ({ name, path: `${folders.get(name.collection) ?? ""}/${name.path}` }));
  const bare = (path: string): string => path.replace(PAGE_ENDING, "").replace(/\/(?:index|_index|readme)$/i, "");
  const forms = isExact
    ? [(path: string) => path]
    : [(path: string) => path, bare, (path: string) => bare(path).toLowerCase()];
  const segments = address.split("/").filter((segment) => segment !== "");
  // Folders in front that no path has are those of the machine or of the site.
  for (let first = 0; first === 0 || first < segments.length - 1; first++) {
    const wanted = `/${segments.slice(first).join("/")}`;
    for (const form of forms) {
      const ending = form(wanted);
      const found = ending.length < 2 ? [] : paths.filter(({ path }) => form(path).endsWith(ending));
      if (found.length > 0)
        return bestFirst(
          reader,
          found.map(({ name }) => name),
        );
    }
  }
  return [];
}

function bestFirst(reader: IndexReader, names: readonly CatalogueName[]): CatalogueName[] {
  const rank = ({ id, path }: CatalogueName): number =>
    (roleOf(reader, id) === "production" ? 0 : 1000) + path.split("/").length;
  return [...names].sort((a, b) => rank(a) - rank(b));
}

function decodeAddress(text: string): string {
  if (!ADDRESS.test(text)) return text.replaceAll("\\", "/");
  return unescapeText(text.replace(ADDRESS, "").replace(/[?].*$/, ""));
}

async function describeNone(reader: IndexReader, names: readonly CatalogueName[], path: string): Promise<string> {
  const folder = path.replace(/^\/|\/$/g, "");
  const inside = names.filter((name) => folder !== "" && isBelow(name.path, folder));
  if (inside.length > 0)
    return `a folder of ${formatCount(inside.length, "file")}: map {"path":${JSON.stringify(folder)}}`;
  const isPath = path.includes("/") || PAGE_ENDING.test(path) || codeLanguageOf(path) !== undefined;
  const symbols = isPath || codeShards(reader).length === 0 ? undefined : await resolveSymbol(reader, path);
  const asking = { tool: "read", example: () => ({}) };
  const nearest =
    symbols !== undefined && symbols.nearest.length > 0
      ? symbols.nearest
      : (await unknownDocument(reader, path, asking)).nearest;
  const shown = nearest.map(makeShownPath(reader));
  return `there is no file${codeShards(reader).length > 0 ? " or symbol" : ""} ${quoteName(path)}${didYouMean(shown)}`;
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : `. Did you mean ${names.slice(0, MAX_NEAREST).join(", ")}?`;
}

/** The symbols of a name, those of the product and what is exported first; undefined where there are none. */
async function foundSymbols(reader: IndexReader, name: string): Promise<Found | undefined> {
  const { symbols, total } = await resolveSymbol(reader, name);
  if (symbols.length === 0) return undefined;
  const rank = ({ inFile, record }: LoadedSymbol): number =>
    (roleOf(reader, inFile.id) === "production" ? 0 : 2) +
    (isExported(inFile.language, inFile.symbols, record) ? 0 : 1);
  const sorted = [...symbols].sort((a, b) => rank(a) - rank(b));
  const isProduct = (symbol: LoadedSymbol): boolean => rank(symbol) < 2 || rank(sorted[0] as LoadedSymbol) >= 2;
  const shown = sorted.filter(isProduct).slice(0, MAX_BODIES);
  const outlines = await loadOutlines(
    reader,
    shown.map(({ inFile }) => inFile.id),
  );
  const others = sorted.filter((symbol) => !shown.includes(symbol));
  const named = others.map(({ inFile, record }) => `${pathOf(inFile.id)}:${record.start.line}`);
  const also = cutList(named, MAX_NAMED, total - shown.length).join(", ");
  const pairs = shown.flatMap((symbol, at) => {
    const outline = outlines[at];
    return outline === undefined ? [] : [{ symbol, outline }];
  });
  return {
    outlines: pairs.map(({ outline }) => outline),
    symbols: pairs.map(({ symbol }) => symbol),
    note: also && `also ${also}`,
  };
}

/** All that they share of the lines: what is behind is named only. */
function placesOfSymbols({ symbols, outlines }: Pick<Found, "symbols" | "outlines">, most: number): Place[] {
  return symbols.map(({ record, inFile }, at) => placeOfSymbol(outlines[at] as DocumentOutline, inFile, record, most));
}

/** The symbol with its comment; of a long container the outline. */
function placeOfSymbol(outline: DocumentOutline, file: FileRecord, symbol: SymbolRecord, most: number): Place {
  const index = file.symbols.indexOf(symbol);
  const { start, end } = linesOfSymbol(outline, file, symbol);
  const own = file.symbols.filter(({ parent }) => parent === index);
  const isOfMembers = own.some(({ flags }) => !flags.includes("inner"));
  const isLong = isOfMembers ? end - start >= most : own.length >= MANY_INSIDE && end - start >= LONG_FUNCTION;
  return {
    ...{ outline, file, start, end, name: withoutOrdinal(symbol.path), shows: isLong ? "outline" : "text" },
    ...(isLong && { symbol: index }),
  };
}

/** Lines of a symbol with its comments, as its section has them: those in front, and texts below a value that document it. */
function linesOfSymbol(outline: DocumentOutline, file: FileRecord, symbol: SymbolRecord) {
  const section = outline.sections[symbol.section];
  const { start, end, kind } = symbol;
  if (section?.nodeId !== makeSymbolId(file, symbol)) return { start: start.line, end: end.line };
  const { hash, tripleQuotes } = factsOf(file.language).lexis;
  const isShort = section.endLine - end.line <= MAX_BELOW && section.children.length === 0;
  const isDocumented = hash === true && tripleQuotes === true && VALUE_KINDS.has(kind) && isShort;
  return { start: Math.min(section.startLine, start.line), end: isDocumented ? section.endLine : end.line };
}

async function placesIn(
  reader: IndexReader,
  outline: DocumentOutline,
  file: FileRecord | undefined,
  { part, ranges }: Written,
  most: number,
): Promise<Target> {
  const { lines, words, id } = outline.document;
  const last = Math.max(1, lines);
  if (ranges.length > 0) {
    const isOutside = ranges.some(({ start, end = start }) => start > last || (Number.isFinite(end) && end > last));
    const places = ranges.map(({ start, end }): Place => {
      const first = Math.min(Math.max(1, start), last);
      if (end === undefined) return placeAround(outline, file, first, most);
      const range = { start: first, end: Math.min(end, last) };
      return { outline, file, ...range, name: nameAround(outline, file, range), shows: "exact" };
    });
    return { places, note: isOutside ? `it has ${formatCount(lines, "line")}` : "" };
  }
  if (part === undefined || part === "") {
    const isShort = lines <= most || (file === undefined && words <= WORDS_A_LINE * most);
    // An outline of nothing would show nothing.
    const isOutlined = file === undefined ? outline.sections.length > 1 : file.symbols.length > 0;
    const shows = isShort || !isOutlined ? "text" : "outline";
    return {
      places: [{ outline, file, start: 1, end: last, name: "", shows, ...(isShort && { isWhole: true }) }],
      note: "",
    };
  }
  if (file !== undefined) {
    const found = await resolveSymbol(reader, `${id}#${part}`);
    const [first] = found.symbols;
    const own = found.symbols.filter(({ inFile }) => inFile.id === id);
    if (own.length > 0)
      return { places: own.map(({ record }) => placeOfSymbol(outline, file, record, most)), note: "" };
    const other = first === undefined ? undefined : await foundSymbols(reader, first.id);
    if (other !== undefined) return { places: placesOfSymbols(other, most), note: "inherited" };
    const section = resolveNode(outline, part);
    if (section !== undefined) return { places: [placeOfSection(outline, section)], note: "" };
    return { places: [], note: `it has no symbol ${quoteName(part)}${didYouMean(found.nearest)}` };
  }
  const [section, ...others] = sectionsNamed(outline, part);
  if (section !== undefined) {
    const also = cutList(
      others.map(({ title, startLine }) => `${startLine} ${title}`),
      MAX_NAMED,
    ).join(", ");
    return { places: [placeOfSection(outline, section)], note: also && `also ${also}` };
  }
  const titles = outline.sections.slice(1).map(({ title }) => title);
  const near = nearestNames(part, titles, MAX_NEAREST);
  const known = near.length > 0 ? didYouMean(near) : `; it has ${cutList(titles, MAX_TITLES).join(", ")}`;
  return { places: [], note: `it has no heading ${quoteName(part)}${titles.length === 0 ? "" : known}` };
}

function placeOfSection(outline: DocumentOutline, { startLine, subtreeEndLine, ordinal }: OutlineSection): Place {
  const end = ordinal === 0 ? outline.document.lines : subtreeEndLine;
  return { outline, start: startLine, end: Math.max(startLine, end), name: "", shows: "text" };
}

/** Sections that a slug or a heading names, else those whose heading has it among its words. */
function sectionsNamed(outline: DocumentOutline, part: string): OutlineSection[] {
  const direct = resolveNode(outline, part);
  if (direct !== undefined) return [direct];
  const wanted = foldHeading(part);
  if (wanted === "") return [];
  const { id } = outline.document;
  const below = outline.sections.slice(1);
  const slugOf = ({ nodeId }: OutlineSection): string => nodeId.slice(id.length + 1);
  const same = below.filter(
    (one) => foldHeading(one.title) === wanted || slugOf(one).split("/").at(-1) === part.toLowerCase(),
  );
  if (same.length > 0) return same;
  return below.filter((one) => foldHeading(one.title).includes(wanted) || foldHeading(slugOf(one)).endsWith(wanted));
}

function foldHeading(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The smallest symbol or section around a line that is worth reading, or lines around it. */
function placeAround(outline: DocumentOutline, file: FileRecord | undefined, line: number, most: number): Place {
  const around = file === undefined ? sectionsAround(outline, line) : symbolsAround(outline, file, line);
  const sizeOf = ({ start: first, end: last }: Place): number => {
    const words = file === undefined ? (outline.sections.find(({ startLine }) => startLine === first)?.words ?? 0) : 0;
    return Math.max(last - first + 1, words / WORDS_A_LINE);
  };
  const fitting = around.find((place) => sizeOf(place) >= LEAST_LINES && sizeOf(place) <= most);
  if (fitting !== undefined) return { ...fitting, line };
  const long = around.find((place) => sizeOf(place) > most);
  const short = around[0] === long ? undefined : around[0];
  const { start: from, end: to } = long ?? short ?? { start: 1, end: outline.document.lines };
  const isInCode = file !== undefined && short === undefined && long !== undefined;
  const size = Math.min(isInCode ? AROUND : AROUND >> 1, most);
  const start = Math.max(from, line - (size >> 2));
  const end = Math.max(line, Math.min(to, start + size - 1));
  const name = [around[0]?.name, long && formatLines(from, to)].filter(Boolean).join(" ");
  return { outline, file, start, end, name, shows: "text", line, ...(file === undefined && { from }) };
}

/** The smallest first. */
function symbolsAround(outline: DocumentOutline, file: FileRecord, line: number): Place[] {
  const places = file.symbols.flatMap((symbol): Place[] => {
    const { start, end } = placeOfSymbol(outline, file, symbol, Number.POSITIVE_INFINITY);
    const isShown = !symbol.flags.includes("inner") || (end - start >= LEAST_LINES && !MEMBER_KINDS.has(symbol.kind));
    const name = withoutOrdinal(symbol.path);
    return isShown && start <= line && line <= end ? [{ outline, file, start, end, name, shows: "text" }] : [];
  });
  return places.sort((a, b) => a.end - a.start - (b.end - b.start));
}

function sectionsAround(outline: DocumentOutline, line: number): Place[] {
  const own = outline.sections.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
  if (own === undefined) return [];
  const { startLine: start, endLine: end, subtreeEndLine, title } = own;
  const name = own.ordinal === 0 ? outline.document.title : title;
  return [end, subtreeEndLine].map((last) => ({ outline, start, end: last, name, shows: "text" }));
}

/** What lines stand in, where they do not begin with it. */
function nameAround(
  outline: DocumentOutline,
  file: FileRecord | undefined,
  range: { start: number; end: number },
): string {
  if (file === undefined) {
    const section = sectionsAround(outline, range.start)[0];
    return section === undefined || section.start === range.start ? "" : section.name;
  }
  const [around] = symbolsAround(outline, file, range.start).filter(({ end }) => end >= range.end);
  return around?.name ?? "";
}

/*
 * Paths that agents name: folders, files and globs, one or several, some to leave out. Generous: a path may be an ending, a glob
 * reaches into the folders below, and what fits nothing beside what does is said and passed over.
 */

/** The parameter that names them. */
export const PATHS = {
  kind: "texts",
  description: "folders, files, globs; !glob excludes",
  aliases: ["glob", "folder", "paths"],
} as const satisfies Parameters[string];

const NEAREST = 3;
const MAX_SHOWN = 80;
/** Between several paths in one text; the commas in braces are part of a glob. */
const BETWEEN = /[\s,]+(?![^{}]*\})/;

type Accepts = (path: string) => boolean;

/** A test for the paths that are meant, and what fits nothing. @throws {InputError} where nothing fits. */
export async function selectPaths(
  reader: IndexReader,
  written: readonly string[] | undefined,
): Promise<{ readonly accepts: Accepts; readonly notes: readonly string[] }> {
  if (written === undefined) return { accepts: () => true, notes: [] };
  const names = await listDocumentNames(reader);
  const select = (entry: string): Accepts | undefined => selectPath(reader, names, entry);
  // A folder's name may have blanks in it.
  const entries = written.flatMap((text) => (select(text) === undefined ? text.split(BETWEEN) : [text]));
  const included: Accepts[] = [];
  const excluded: Accepts[] = [];
  const unknown: string[] = [];
  for (const entry of entries.filter((text) => text !== "")) {
    const isExcluded = entry.startsWith("!");
    const accepts = select(isExcluded ? entry.slice(1) : entry);
    // What is not there need not be left out.
    if (accepts !== undefined) (isExcluded ? excluded : included).push(accepts);
    else if (!isExcluded) unknown.push(entry);
  }
  const [first] = unknown;
  const describe = (entry: string): string =>
    `no indexed file is ${JSON.stringify(foldLine(entry, MAX_SHOWN))}, lies in it or fits it`;
  if (first !== undefined && included.length === 0) {
    const near = await findNearestDocuments(reader, first, NEAREST);
    const folders = [...new Set(names.map(({ path }) => path.slice(0, path.indexOf("/") + 1)))].filter(
      (top) => top !== "",
    );
    throw new InputError(`${describe(first)}.`.replace("n", "N"), near.length > 0 ? near : folders.slice(0, NEAREST));
  }
  return {
    accepts: (path) =>
      (included.length === 0 || included.some((accepts) => accepts(path))) &&
      !excluded.some((accepts) => accepts(path)),
    notes: unknown.map((entry) => `${describe(entry)}.`),
  };
}

/** Paths by a folder, a file or a glob: from the root on, else anywhere; undefined where it fits none. */
function selectPath(
  reader: IndexReader,
  names: readonly { readonly path: string }[],
  written: string,
): Accepts | undefined {
  const collection = reader.collections.find(({ name }) => written.startsWith(`${name}:`))?.name;
  const bare = (collection === undefined ? written : written.slice(collection.length + 1))
    .replaceAll("\\", "/")
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/+$/, "");
  if (bare === "" || bare === ".") return () => true;
  if (bare.startsWith("!")) return undefined;
  const inFolder = compilePathGlob(`${bare}/**`);
  const asGlob = compilePathGlob(
    bare.replace(/(?<!\*\*)\/([^/]*\*[^/]*)$/, (last, name: string) => (name === "**" ? last : `/**/${name}`)),
  );
  const choices: Accepts[] = [
    (path) => path === bare || path.startsWith(`${bare}/`),
    (path) => asGlob(path) || inFolder(path),
    (path) => path.endsWith(`/${bare}`) || path.includes(`/${bare}/`),
  ];
  return choices.find((accepts) => names.some(({ path }) => accepts(path)));
}
