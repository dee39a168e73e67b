/**
 * Plans a rename: reads the declarations that belong together, the places that lead to them, the texts of the files that
 * they lie in, and every other line with the old name. Each of these reads is bounded, and the plan says where a bound
 * was met.
 */

import { type IncomingEdge, incomingEdges, mentionsOf } from "../core/code/edges.ts";
import { findImplicitMembers } from "../core/code/hierarchy.ts";
import type { FileWithEdges } from "../core/code/load-files.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { findFamily, isMember } from "../core/code/rename-family.ts";
import {
  findConflicts,
  findImplied,
  findWordPlaces,
  isCommentImport,
  lineOf,
  makeEdits,
  mayNameMember,
  type PlannedFile,
  type RenameEdit,
  type RenameNames,
  type RenamePlace,
  type RenamePlan,
  type SourceText,
  type TextPlace,
  toSourceText,
  type WordPlace,
} from "../core/code/rename-plan.ts";
import { loadOutlines, readPassages } from "../core/docs/documents.ts";
import { EDGE_KINDS } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { FileMatches } from "../core/search/grep.ts";
import { codeLanguageOf, factsOf } from "../core/text/code-languages.ts";
import { withoutMark } from "../core/text/lines.ts";
import { formatCount } from "../surface/render/text.ts";
import { grepName, loadOthers, mayBeMember, meantElsewhere, wordsOfLines } from "./word-places.ts";

/** A comment that imports a type. */
const COMMENT_IMPORT = /@[a-z]+\s*\{.*\bimport\(/;
const MAX_LOOK = 40;
/** Places that lead to the declarations, at most. */
const MAX_PLACES = 6_000;
/** Places of the text, sections, that are listed. */
const MAX_TEXT_PLACES = 40;
const MAX_MENTIONS = 20;
const KINDS = EDGE_KINDS.filter((kind) => kind !== "overrides");
/** Files and lines of one call at most: their texts are held together and gone through once. */
const MAX_SOURCES = 120;
const MAX_SOURCE_LINES = 80_000;

interface FilePlaces {
  readonly id: string;
  readonly certain: RenamePlace[];
  readonly likely: RenamePlace[];
}

/** The plan for a new name of a symbol. */
export async function planRename(reader: IndexReader, symbol: LoadedSymbol, newName: string): Promise<RenamePlan> {
  const oldName = symbol.record.name;
  const gaps: string[] = [];
  const family = await findFamily(reader, symbol);
  if (!family.isWhole) gaps.push("the hierarchy of types is larger than what one call goes through");
  const targets = family.symbols.map(({ id }) => ({ id }));
  const [found, lines, naming] = await Promise.all([
    incomingEdges(reader, targets, { kinds: KINDS }, { offset: 0, limit: MAX_PLACES }),
    grepName(reader, oldName),
    Promise.all(family.symbols.slice(0, MAX_MENTIONS).map(({ id }) => mentionsOf(reader, id))),
  ]);
  if (found.total > found.edges.length) {
    gaps.push(`${found.total - found.edges.length} of ${found.total} places that lead to it were not read`);
  }
  if (!lines.isWhole) {
    gaps.push("only a part of the files with that word was read for places by text alone");
  }
  const implicit = await findImplicitMembers(reader, family.symbols);
  const places = placesByFile(family.symbols, found.edges, implicit);
  const texts = await readSources(reader, [...places.keys()]);
  if (texts.size < places.size) {
    gaps.push(
      `the text of ${places.size - texts.size} of ${places.size} files was not read; their places count as likely`,
    );
  }
  const others = await loadOthers(reader, [...new Set([...places.keys(), ...lines.files.map(({ id }) => id)])]);
  if (others.isCut) gaps.push("not all files with that word were looked into for what it means there");
  const files = new Map(others.files.map((file) => [file.record.id, file]));
  const isFamily = new Set(family.symbols.map(({ id }) => id));
  addExportedNames(places, files, family.symbols);
  const sources = new Map(
    [...texts].map(([id, text]): [string, SourceText] => [
      id,
      toSourceText(text, files.get(id)?.record.language ?? codeLanguageOf(id) ?? ""),
    ]),
  );
  const edits = editFiles([...places.values()], sources, files, family.symbols, { oldName, newName });
  const elsewhere = (id: string): ReadonlySet<string> => meantElsewhere(files.get(id), isFamily, isMember(symbol));
  const declaring = new Set(family.symbols.map(({ shard, file }) => `${shard}/${file}`));
  const mayUse = (id: string): boolean => isMember(symbol) || importsWhole(files.get(id), declaring);
  const left = findLeft(edits, lines.files, elsewhere, oldName, mayUse);
  gaps.push(...describeOpen(left, oldName));
  const likelyCount = edits.reduce((sum, { likely }) => sum + likely.length, 0);
  if (likelyCount > 0)
    gaps.push(
      `${formatCount(likelyCount, "place is", "places are")} likely to mean it and not among the certain edits`,
    );
  const planned = edits.flatMap(({ id, certain, likely }): PlannedFile[] => {
    const record = files.get(id)?.record ?? family.symbols.find(({ inFile }) => inFile.id === id)?.inFile;
    return record === undefined || certain.length + likely.length === 0 ? [] : [{ record, certain, likely }];
  });
  const conflicts = findConflicts(
    family.symbols,
    newName,
    planned.flatMap(({ record, certain }) => {
      const source = sources.get(record.id);
      return source === undefined ? [] : [{ record, source, certain }];
    }),
    family.foreignBases,
  );
  return {
    symbol,
    newName,
    declarations: family.symbols,
    files: planned.sort((a, b) => (a.record.id < b.record.id ? -1 : 1)),
    textOnly: { total: left.length, places: left.slice(0, MAX_TEXT_PLACES) },
    mentions: {
      total: naming.reduce((sum, { total }) => sum + total, 0),
      sections: naming.flatMap(({ sections }) => sections).slice(0, MAX_MENTIONS),
    },
    conflicts,
    gaps,
  };
}

/** Places by the file that they lie in: declarations first, those of guesses apart. */
function placesByFile(
  family: readonly LoadedSymbol[],
  edges: readonly IncomingEdge[],
  implicit: readonly LoadedSymbol[],
): ReadonlyMap<string, FilePlaces> {
  const files = new Map<string, FilePlaces>();
  const filePlaces = (id: string): FilePlaces => {
    const known = files.get(id) ?? { id, certain: [], likely: [] };
    files.set(id, known);
    return known;
  };
  for (const symbol of family) {
    const { at, flags } = symbol.record;
    const side = isMember(symbol) ? "key" : "value";
    const form = flags.includes("shorthand") ? side : undefined;
    filePlaces(symbol.inFile.id).certain.push({ at, kind: "declaration", form });
  }
  for (const { at, kind, tier, form, file } of edges) {
    const own = filePlaces(file.record.id);
    (tier === "name" ? own.likely : own.certain).push({ at, kind, form });
  }
  for (const { inFile, record } of implicit) {
    filePlaces(inFile.id).likely.push({ at: record.at, kind: "declaration", form: undefined });
  }
  return files;
}

/** The left side of `exports.open = open`: who asks for it by its own name is among the places that lead there. */
function addExportedNames(
  places: ReadonlyMap<string, FilePlaces>,
  files: ReadonlyMap<string, FileWithEdges>,
  family: readonly LoadedSymbol[],
): void {
  for (const { shard, file, symbol, record, inFile } of family) {
    const own = files.get(inFile.id);
    if (own?.shard !== shard || own.file !== file) continue;
    for (const { to, otherName } of own.edges) {
      if (otherName?.name !== record.name || !("file" in to) || to.file !== file || to.symbol !== symbol) continue;
      places.get(inFile.id)?.certain.push({ at: otherName.at, kind: "reads", form: undefined });
    }
  }
}

/** Positions of imports that give what they take another name. */
function renamedAt(file: FileWithEdges | undefined): ReadonlySet<string> {
  const renaming = file?.edges.filter(({ kind, otherName }) => kind === "imports" && otherName !== undefined) ?? [];
  return new Set(renaming.map(({ at }) => keyOf(at)));
}

/** Whether a script imports a module as a whole, so that what it exports may be a member of a value there. */
function importsWhole(file: FileWithEdges | undefined, declaring: ReadonlySet<string>): boolean {
  if (file === undefined || factsOf(file.record.language).isScript !== true) return false;
  return file.edges.some(
    ({ kind, to }) => kind === "imports" && "file" in to && to.symbol < 0 && declaring.has(`${file.shard}/${to.file}`),
  );
}

interface FileResult extends ReadFile {
  readonly certain: readonly RenameEdit[];
  readonly likely: readonly RenameEdit[];
}

function editFiles(
  places: readonly FilePlaces[],
  sources: ReadonlyMap<string, SourceText>,
  files: ReadonlyMap<string, FileWithEdges>,
  family: readonly LoadedSymbol[],
  names: RenameNames,
): FileResult[] {
  const { oldName, newName } = names;
  return places.map(({ id, certain, likely }): FileResult => {
    const source = sources.get(id);
    const guess = (at: RenamePlace["at"], note: string): RenameEdit => ({
      at,
      oldText: oldName,
      newText: newName,
      note,
    });
    if (source === undefined) {
      const unread = [...certain, ...likely].map(({ at }) => guess(at, "the text was not read"));
      return { id, certain: [], likely: unread, source, words: [], settled: new Set() };
    }
    const words = findWordPlaces(source, oldName);
    const sure = makeEdits(source, words, certain, names);
    const renamed = renamedAt(files.get(id));
    // What a comment imports it gives a name of its own: `@typedef {import("./store").Store} Store`.
    const inComments = new Set(words.flatMap(({ within, at }) => (within === "comment" ? [keyOf(at)] : [])));
    const isBound = certain.some(
      ({ form, at }) => form !== "alias" && !renamed.has(keyOf(at)) && !inComments.has(keyOf(at)),
    );
    const implied = findImplied(source, words, id, family, isBound, names).filter(
      ({ offset }) => !sure.settled.has(offset),
    );
    const settled = new Set([...sure.settled, ...implied.map(({ offset }) => offset)]);
    const guessed = makeEdits(source, words, likely, names);
    const byName = guessed.certain
      .filter(({ at }) => !sure.certain.some((edit) => edit.at.line === at.line && edit.at.column === at.column))
      .map((edit): RenameEdit => {
        const isDeclared = likely.some(
          ({ kind, at }) => kind === "declaration" && at.line === edit.at.line && at.column === edit.at.column,
        );
        const implicit = isDeclared ? factsOf(source.language).implicitMembers : undefined;
        const note = implicit ?? "the only symbol of that name, of a value whose type is not known";
        return { ...edit, note };
      });
    for (const offset of guessed.settled) settled.add(offset);
    const all = [...sure.certain, ...implied.map(({ edit }) => edit)].sort(byPosition);
    return { id, certain: all, likely: [...sure.doubtful, ...byName].sort(byPosition), source, words, settled };
  });
}

function keyOf({ line, column }: RenamePlace["at"]): string {
  return `${line}:${column}`;
}

function byPosition(a: RenameEdit, b: RenameEdit): number {
  return a.at.line - b.at.line || a.at.column - b.at.column;
}

/** A file with the places of the name in it. */
interface ReadFile {
  /** Document id. */
  readonly id: string;
  /** Undefined where it was not read. */
  readonly source: SourceText | undefined;
  readonly words: readonly WordPlace[];
  /** Offsets that are dealt with. */
  readonly settled: ReadonlySet<number>;
}

/** Where the name stands and nothing is known of it, or that it is a text or a comment; first what may be meant. */
function findLeft(
  files: readonly ReadFile[],
  matches: readonly FileMatches[],
  elsewhere: (id: string) => ReadonlySet<string>,
  oldName: string,
  mayUse: (id: string) => boolean,
): TextPlace[] {
  const left: TextPlace[] = [];
  for (const { id, source, words, settled } of files) {
    if (source === undefined) continue;
    const known = elsewhere(id);
    for (const word of words) {
      const { offset, at, within } = word;
      if (settled.has(offset) || known.has(`${at.line}:${at.column}`)) continue;
      const text = lineOf(source, offset);
      const isImport = isImportLine({ file: id, text }) || isCommentImport(source, offset) || isExport(source, offset);
      const isOpen = isImport || (mayUse(id) && mayNameMember(source, word, oldName));
      left.push({ file: id, at, within, text, isOpen });
    }
  }
  const read = new Set(files.flatMap(({ id, source }) => (source === undefined ? [] : [id])));
  for (const { id, matches: lines } of matches) {
    if (read.has(id)) continue;
    const known = elsewhere(id);
    for (const { at, word, source, text } of wordsOfLines(id, lines, oldName)) {
      if (known.has(`${at.line}:${at.column}`)) continue;
      const isOpen =
        isImportLine({ file: id, text }) ||
        isCommentImport(source, word.offset) ||
        (mayUse(id) && mayBeMember(source, word, oldName));
      left.push({ file: id, at, within: undefined, text, isOpen });
    }
  }
  return [...left.filter(({ isOpen }) => isOpen), ...left.filter(({ isOpen }) => !isOpen)];
}

/** What places that may be meant say of a plan. */
function describeOpen(left: readonly TextPlace[], oldName: string): string[] {
  const open = left.filter(({ isOpen }) => isOpen);
  const imported = open.filter((place) => isImportLine(place) || COMMENT_IMPORT.test(place.text)).length;
  const others = open.length - imported;
  return [
    ...(imported > 0
      ? [`${formatCount(imported, "import")} with "${oldName}" in a path or a comment not followed`]
      : []),
    ...(others > 0
      ? [
          `${formatCount(others, "more place names", "more places name")} a member "${oldName}" of something whose type is not known`,
        ]
      : []),
  ];
}

/** Whether a line imports by a path of names, any of which may be that of a type. */
function isImportLine({ file, text }: Pick<TextPlace, "file" | "text">): boolean {
  return factsOf(codeLanguageOf(file) ?? "").hasPathImports === true && /^\s*(?:import|using)\s/.test(text);
}

/** Whether a file takes a name from what it exports itself: `exports.open()` in CommonJS. */
function isExport({ text, language }: SourceText, offset: number): boolean {
  return (
    factsOf(language).isScript === true && /\bexports\s*\.\s*$/.test(text.slice(Math.max(0, offset - MAX_LOOK), offset))
  );
}

/** Texts by document id, of the first of these documents that fit into the bounds. Two waves. */
async function readSources(reader: IndexReader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const outlines = await loadOutlines(reader, ids.slice(0, MAX_SOURCES));
  let lines = 0;
  const wanted = outlines.flatMap((outline) => {
    if (outline === undefined) return [];
    lines += outline.document.lines;
    return lines > MAX_SOURCE_LINES && lines > outline.document.lines ? [] : [outline];
  });
  const passages = await readPassages(
    reader,
    wanted.map((outline) => ({
      outline,
      startLine: 1,
      endLine: Math.max(1, outline.document.lines),
      withFrontmatter: true,
    })),
  );
  return new Map(wanted.map((outline, at) => [outline.document.id, withoutMark(passages[at]?.text ?? "")]));
}
