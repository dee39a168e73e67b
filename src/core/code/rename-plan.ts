/**
 * Plan of a rename: its edits, how sure each is, and conflicts. It covers places without edges that have to change too, or
 * may. Nothing is changed.
 */

import { countFirst } from "../bytes/numbers.ts";
import {
  type CodePosition,
  type EdgeForm,
  type EdgeKind,
  type FileRecord,
  isBefore,
  makeSymbolId,
} from "../format/code-model.ts";
import { factsOf, findNameProblem, findWord } from "../text/code-languages.ts";
import { locateSpots, type SourceSpot } from "../text/source-spots.ts";
import type { LoadedSymbol } from "./model.ts";
import { type ForeignBase, isMember } from "./rename-family.ts";

/** Characters of source that a look at what is before or behind a place takes in at most. */
const MAX_LOOK = 400;
/** In front of a list of the names that `import *` brings. */
const ALL_LIST = /\b__all__\s*(?::[^=\n]*)?(?:\+?=|\.extend\(|\.append\()?\s*$/;

/** In front of a name in the type that a doc comment declares: `@param {Map<string, Store>}`. */
const COMMENT_TYPE = /@[a-z]+\s*\{[^}@*]*(?<![.\w$])$/;

interface ImpliedEdit {
  readonly offset: number;
  readonly edit: RenameEdit;
}

/**
 * Edits that follow from what the language says: the name in `__all__`, the parameter of a constructor that declares a
 * property, types in doc comments.
 *
 * @param isBound Whether the file declares the symbol or imports it, by its own name.
 */
export function findImplied(
  source: SourceText,
  words: readonly WordPlace[],
  file: string,
  family: readonly LoadedSymbol[],
  isBound: boolean,
  { oldName, newName }: RenameNames,
): ImpliedEdit[] {
  const { text, language } = source;
  const { variableSign, hasTypesInComments, hasNamesInLists } = factsOf(language);
  if (variableSign !== undefined) {
    return family.flatMap((symbol) => findPromoted(source, file, symbol, variableSign, { oldName, newName }));
  }
  if (!isBound || !family.some(({ record }) => record.parent < 0)) return [];
  const edit = ({ offset }: WordPlace): ImpliedEdit => ({
    offset,
    edit: { at: positionOf(source, offset), oldText: oldName, newText: newName },
  });
  if (hasTypesInComments === true) {
    const isType = ({ within, offset }: WordPlace): boolean =>
      within === "comment" && COMMENT_TYPE.test(text.slice(Math.max(0, offset - MAX_LOOK), offset));
    return words.filter(isType).map(edit);
  }
  if (hasNamesInLists !== true) return [];
  return words
    .filter(({ within, bracket, offset }) => {
      if (within !== "string" || bracket < 0) return false;
      const isAlone = /["']/.test(text.charAt(offset - 1)) && /["']/.test(text.charAt(offset + oldName.length));
      const before = text.slice(Math.max(0, bracket - MAX_LOOK), bracket);
      return isAlone && (ALL_LIST.test(before) || ALL_LIST.test(`${before}${text[bracket]}`));
    })
    .map(edit);
}

/** The uses of a parameter that declares a property, in its constructor. */
function findPromoted(
  source: SourceText,
  file: string,
  { inFile, record }: LoadedSymbol,
  sign: string,
  { oldName, newName }: RenameNames,
): ImpliedEdit[] {
  const around = inFile.symbols.find(
    ({ kind, parent, start, end }) =>
      kind === "constructor" && parent === record.parent && !isBefore(record.at, start) && !isBefore(end, record.at),
  );
  if (inFile.id !== file || around === undefined) return [];
  const end = offsetOf(source, around.end);
  return findWordPlaces(source, sign + oldName)
    .filter(({ offset, within }) => within === "code" && offset >= offsetOf(source, around.start) && offset < end)
    .filter(({ offset }) => !source.text.slice(0, offset).endsWith("::"))
    .map(({ offset }) => ({
      offset: offset + 1,
      edit: { at: positionOf(source, offset + 1), oldText: oldName, newText: newName },
    }));
}

/** Whether a word is what a type of a comment imports: `@typedef {import("./store").Store} Store`. */
export function isCommentImport({ text, language }: SourceText, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset);
  return (
    factsOf(language).isScript === true && /@[a-z]+\s*\{[^}]*\bimport\(\s*["'][^"']*["']\s*\)\s*\.\s*$/.test(before)
  );
}

/** Whether a word in code may be a member of something: behind a dot, or the name of a property that is written out. */
export function mayNameMember(source: SourceText, word: WordPlace, oldName: string): boolean {
  const { offset, within, bracket } = word;
  if (within === "comment") return false;
  const { text } = source;
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset);
  if (within === "string") {
    // `store["open"]`, `Pick<Store, "open">`, `"open" in store`.
    const isQuoted = /["'`]$/.test(before) && isFollowedBy(source, offset, oldName, /^["'`]/);
    return isQuoted && (/[[<,|]\s*["'`]$/.test(before) || isFollowedBy(source, offset, oldName, /^["'`]\s+in\b/));
  }
  if (/(?:[^.]\.|->|::|^\.)\s*$/.test(before)) return true;
  const { variableSign, hasNamesInLists } = factsOf(source.language);
  if (variableSign !== undefined && before.endsWith(variableSign) && /::\s*.$/.test(before)) return true;
  if (hasNamesInLists === true) return isFollowedBy(source, offset, oldName, /^\s*=(?!=)/) && text[bracket] === "(";
  if (/(?:^|[{,])\s*$/.test(before) && isFollowedBy(source, offset, oldName, /^\??\s*[:(]/)) return true;
  return isBrace(text, bracket) && isListed(source, word, oldName);
}

/** Whether a word stands alone between commas or braces. */
function isListed(source: SourceText, { offset }: WordPlace, oldName: string): boolean {
  const before = source.text.slice(Math.max(0, offset - MAX_LOOK), offset);
  return /[{,]\s*$/.test(before) && isFollowedBy(source, offset, oldName, /^\s*(?:[,}]|=(?![=>]))/);
}

function isFollowedBy({ text }: SourceText, offset: number, oldName: string, pattern: RegExp): boolean {
  const end = offset + oldName.length;
  return pattern.test(text.slice(end, end + MAX_LOOK));
}

/** Edits of one file. They apply to the text whose hash the record has. */
export interface PlannedFile {
  readonly record: FileRecord;
  readonly certain: readonly RenameEdit[];
  /** Places that probably mean the symbol, each with why that is not sure. */
  readonly likely: readonly RenameEdit[];
}

/** A place where the old name stands and nothing says that it means the symbol. */
export interface TextPlace {
  /** Document id. */
  readonly file: string;
  readonly at: CodePosition;
  /** Undefined where only the line was read. */
  readonly within: WordPlace["within"] | undefined;
  /** The line. */
  readonly text: string;
  /** Whether it may be a use of the symbol: a member of that name, of something of which nothing is known. */
  readonly isOpen: boolean;
}

interface RenameConflict {
  readonly message: string;
  readonly file?: string;
  readonly at?: CodePosition;
}

export interface RenamePlan {
  readonly symbol: LoadedSymbol;
  readonly newName: string;
  /** All declarations that change, the symbol first. */
  readonly declarations: readonly LoadedSymbol[];
  /** In the order of their ids. */
  readonly files: readonly PlannedFile[];
  readonly textOnly: { readonly total: number; readonly places: readonly TextPlace[] };
  readonly mentions: {
    readonly total: number;
    readonly sections: readonly { readonly nodeId: string; readonly line: number; readonly text: string }[];
  };
  readonly conflicts: readonly RenameConflict[];
  /** Why the plan may lack places; empty where it is whole, as far as the index knows. */
  readonly gaps: readonly string[];
}

/** A file whose edits are known. */
interface EditedFile {
  readonly record: FileRecord;
  readonly source: SourceText;
  /** Where the old name stands as it is edited: the new one is then seen from there. */
  readonly certain: readonly RenameEdit[];
}

/** Conflicts of one kind that are listed. */
const MAX_LISTED = 5;

/** What stands against a new name: it is none, it is taken, or others have a say in it. */
export function findConflicts(
  declarations: readonly LoadedSymbol[],
  newName: string,
  files: readonly EditedFile[],
  foreignBases: readonly ForeignBase[],
): RenameConflict[] {
  const [symbol] = declarations as readonly [LoadedSymbol, ...LoadedSymbol[]];
  const member = isMember(symbol);
  const conflicts: RenameConflict[] = [];
  // That it is none in the language of the symbol was said before.
  for (const language of new Set(files.map(({ record }) => record.language))) {
    const problem = language === symbol.inFile.language ? undefined : findNameProblem(newName, language, member);
    if (problem !== undefined) conflicts.push({ message: `"${newName}" ${problem}` });
  }
  const { caseOfExports } = factsOf(symbol.inFile.language);
  const changesCase = /^\p{Lu}/u.test(symbol.record.name) !== /^\p{Lu}/u.test(newName);
  if (caseOfExports !== undefined && changesCase) conflicts.push({ message: caseOfExports });
  for (const declaration of declarations) {
    const outside = findAugmented(declaration);
    if (outside === undefined) continue;
    const message = `it adds to ${outside}, which is declared elsewhere, too: renaming breaks what is meant there`;
    conflicts.push({ message, file: declaration.inFile.id, at: declaration.record.at });
    break;
  }
  conflicts.push(...findTaken(declarations, newName));
  if (!member) {
    for (const file of files) conflicts.push(...findInFile(declarations, newName, file));
  }
  const seen = new Set<string>();
  for (const { type, base } of foreignBases) {
    if (seen.has(base) || seen.size >= MAX_LISTED) continue;
    seen.add(base);
    const message = `${type.record.name} extends or implements ${base}, which the index does not have: if that declares "${symbol.record.name}", renaming breaks its contract`;
    conflicts.push({ message, file: type.inFile.id, at: type.record.at });
  }
  return conflicts;
}

/** What a declaration adds to: the global scope, or a module of another name (`declare global`, `declare module "react"`). */
function findAugmented({ record, inFile }: LoadedSymbol): string | undefined {
  if (factsOf(inFile.language).isScript !== true) return undefined;
  for (let at = inFile.symbols[record.parent]; at !== undefined; at = inFile.symbols[at.parent]) {
    if (at.kind === "namespace" && at.name === "global") return "the global scope";
    if (at.kind === "module") return at.name;
  }
  return undefined;
}

/** Symbols of that name in the containers of the declarations. */
function findTaken(declarations: readonly LoadedSymbol[], newName: string): RenameConflict[] {
  const conflicts = new Map<string, RenameConflict>();
  for (const { inFile, record } of declarations) {
    for (const other of inFile.symbols) {
      if (other.name !== newName || other.parent !== record.parent) continue;
      const where = inFile.symbols[record.parent]?.name ?? inFile.id;
      const message = `${where} already declares ${newName}`;
      conflicts.set(makeSymbolId(inFile, other), { message, file: inFile.id, at: other.at });
    }
  }
  return [...conflicts.values()].slice(0, MAX_LISTED);
}

/** Where a file that is edited already uses the new name for something of its own: an import, a symbol, a local. */
function findInFile(
  declarations: readonly LoadedSymbol[],
  newName: string,
  { record, source, certain }: EditedFile,
): RenameConflict[] {
  if (certain.length === 0) return [];
  const isOwn = declarations.some(({ inFile, record: { parent } }) => inFile.id === record.id && parent < 0);
  const plain = findWordPlaces(source, newName).filter(
    ({ within, offset }) =>
      within === "code" &&
      !/(?:\.|->|::)\s*$/.test(source.text.slice(Math.max(0, offset - MAX_LOOK), offset)) &&
      !(factsOf(record.language).isScript && isKey(source.text, offset + newName.length)),
  );
  const declared = record.symbols.find(({ name, parent }) => name === newName && parent < 0);
  // Members are no names of the file.
  const members = new Set(
    record.symbols.flatMap(({ name, kind, parent, at }) =>
      name === newName && parent >= 0 && kind !== "function" ? [`${at.line}:${at.column}`] : [],
    ),
  );
  const places = plain.filter(({ at }) => !members.has(`${at.line}:${at.column}`));
  const [first] = places;
  if (first === undefined) return [];
  if (declared !== undefined && isOwn) return [];
  const message =
    declared === undefined
      ? `${record.id} already uses the name ${newName}, as an import or inside of a function`
      : `${record.id}, which uses it, declares ${newName}`;
  return [{ message, file: record.id, at: declared?.at ?? first.at }];
}

/** Whether what stands before an offset is the key of an object. */
function isKey(text: string, end: number): boolean {
  return /^\??\s*:(?!:)/.test(text.slice(end, end + MAX_LOOK));
}

/*
 * Edits of one file for a new name: each verified against the text that stands at its place.
 *
 * A place tells which symbol it leads to and in which form: by its name, by another name for it (which stays), or as one
 * side of a short form that says two names at once (`{ open }` is `{ open: open }`).
 */

/** A place that leads to a symbol of the family, or declares one. */
export interface RenamePlace {
  readonly at: CodePosition;
  readonly kind: EdgeKind | "declaration";
  /** What is known of the name that stands there; undefined where it is the plain one. */
  readonly form: EdgeForm | undefined;
}

export interface RenameEdit {
  readonly at: CodePosition;
  readonly oldText: string;
  readonly newText: string;
  /** Why it needs a look, where it does. */
  readonly note?: string;
}

export interface RenameNames {
  readonly oldName: string;
  readonly newName: string;
}

/** A text with what is needed to find places in it. */
export interface SourceText {
  readonly text: string;
  readonly language: string;
  readonly lineStarts: readonly number[];
}

export interface WordPlace extends SourceSpot {
  readonly offset: number;
  readonly at: CodePosition;
}

const WORD = /[\p{L}\p{M}\p{N}_$]+/uy;
const QUOTES = new Set(['"', "'", "`"]);

/** The text with the offsets of its lines. */
export function toSourceText(text: string, language: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return { text, language, lineStarts };
}

/** Every place at which a word stands by itself. */
export function findWordPlaces(source: SourceText, word: string): WordPlace[] {
  // A static property may be written with a sign that is no part of its name.
  const { variableSign } = factsOf(source.language);
  const statics =
    variableSign === undefined ? [] : findWord(source.text, variableSign + word).filter((at) => isStatic(source, at));
  const offsets = [...findWord(source.text, word), ...statics.map((at) => at + 1)].sort((a, b) => a - b);
  return locateSpots(source.text, source.language, offsets).map((spot, index) => {
    const offset = offsets[index] as number;
    return { ...spot, offset, at: positionOf(source, offset) };
  });
}

/**
 * See the header. Places may repeat. `doubtful`: places where text and edge disagree. `settled`: offsets that are dealt with: edits, and
 * other names that stay.
 */
export function makeEdits(
  source: SourceText,
  words: readonly WordPlace[],
  places: readonly RenamePlace[],
  { oldName, newName }: RenameNames,
) {
  const { text } = source;
  const wordOffsets = new Set(words.map(({ offset }) => offset));
  /** Which sides of a short form change at an offset; neither where one name stands there. */
  const sides = new Map<number, Set<RenamePlace["form"]>>();
  const doubtful = new Map<number, RenameEdit>();
  const settled = new Set<number>();
  for (const { at, kind, form } of places) {
    const stated = offsetOf(source, at);
    // A name in quotes: `"open": 1`, `x["open"]`.
    const offset = QUOTES.has(text[stated] ?? "") && text.startsWith(oldName, stated + 1) ? stated + 1 : stated;
    const written = wordAt(text, stated);
    const isBinding = kind === "imports" || kind === "reexports";
    const found =
      variableAt(source, stated, oldName) ??
      (wordOffsets.has(offset) ? offset : isBinding ? aliasedAt(source, stated, wordOffsets) : undefined);
    if (form === "alias") {
      settled.add(offset);
    } else if (found !== undefined) {
      settled.add(found);
      sides.set(found, (sides.get(found) ?? new Set()).add(form));
    } else if (!isBinding && !isImplicit(written)) {
      const note = written === "" ? "no name stands there" : `"${written}" stands there`;
      doubtful.set(stated, { at, oldText: written, newText: newName, note });
    }
  }
  const certain = [...sides].map(([offset, forms]): readonly [number, RenameEdit] => {
    const isOne = forms.has(undefined) || forms.size > 1;
    const [key, value] = forms.has("key") ? [newName, oldName] : [oldName, newName];
    const both = writeShort(source, offset, offset + oldName.length, key, value);
    return [offset, { at: positionOf(source, offset), oldText: oldName, newText: isOne ? newName : both }];
  });
  const inOrder = (edits: Iterable<readonly [number, RenameEdit]>): RenameEdit[] =>
    [...edits].sort(([a], [b]) => a - b).map(([, edit]) => edit);
  return { certain: inOrder(certain), doubtful: inOrder(doubtful), settled };
}

/** Both sides of a short form written out: of an object, or of an attribute in languages with markup. */
function writeShort({ text, language }: SourceText, start: number, end: number, key: string, value: string): string {
  const before = text.slice(Math.max(0, start - MAX_LOOK), start);
  if (factsOf(language).hasMarkup === true) {
    if (/\s:$|\bv-bind:$/.test(before)) return `${key}="${value}"`;
    if (
      text[end] === "}" &&
      /[\w"'`}-]\s+\{$/.test(before) &&
      !/\b(?:return|const|let|var|import|export)\s+\{$/.test(before)
    )
      return `...{ ${key}: ${value} }`;
  }
  return `${key}: ${value}`;
}

/** Offset of a position; of one behind the text its length. */
function offsetOf({ text, lineStarts }: SourceText, { line, column }: CodePosition): number {
  return Math.min(text.length, (lineStarts[line - 1] ?? text.length) + column - 1);
}

export function positionOf({ lineStarts }: SourceText, offset: number): CodePosition {
  const line = countFirst(lineStarts.length, (at) => (lineStarts[at] as number) <= offset);
  return { line, column: offset - (lineStarts[line - 1] as number) + 1 };
}

/** The line that an offset lies in, without its end. */
export function lineOf({ text, lineStarts }: SourceText, offset: number): string {
  const { line } = positionOf({ text, lineStarts, language: "" }, offset);
  return text.slice(lineStarts[line - 1], lineStarts[line] ?? text.length).replace(/\r?\n$/, "");
}

/** Whether the bracket at an offset is a brace, and not one of a template's `${}`. */
function isBrace(text: string, bracket: number): boolean {
  return bracket >= 0 && text[bracket] === "{" && text[bracket - 1] !== "$";
}

/** Where the old name stands in front of the other name that it is bound to: `open as start`, `{ open: start }`. */
function aliasedAt({ text }: SourceText, offset: number, words: ReadonlySet<number>): number | undefined {
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset);
  const link = /(?:["']\s*|\s+)(?:as|=>)\s+(?:type\s+)?$|\s*(?:=>|:)\s*$/.exec(before);
  if (link === null) return undefined;
  const end = offset - before.length + link.index;
  for (let length = 1; length <= MAX_LOOK && length <= end; length++) {
    if (!/[\p{L}\p{M}\p{N}_$]/u.test(text[end - length] as string)) {
      return words.has(end - length + 1) ? end - length + 1 : undefined;
    }
  }
  return words.has(0) ? 0 : undefined;
}

function isStatic({ text }: SourceText, offset: number): boolean {
  return /::\s*$/.test(text.slice(Math.max(0, offset - MAX_LOOK), offset));
}

/** Where the name of a variable begins, after a sign that is no part of it. */
function variableAt({ text, language }: SourceText, offset: number, name: string): number | undefined {
  const { variableSign } = factsOf(language);
  if (variableSign === undefined) return undefined;
  const start = text[offset] === variableSign ? offset : offset - 1;
  return wordAt(text, start) === variableSign + name ? start + 1 : undefined;
}

/** Words that stand for a symbol without being its name. */
function isImplicit(word: string): boolean {
  return /^(?:super|this|self|Self|base|cls|constructor|new|default|import|require|parent|static)$/.test(word);
}

function wordAt(text: string, offset: number): string {
  WORD.lastIndex = offset;
  return WORD.exec(text)?.[0] ?? "";
}
