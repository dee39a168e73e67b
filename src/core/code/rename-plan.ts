/**
 * Plan of a rename: its edits, how sure each is, and conflicts. It covers places without edges that have to change too, or
 * may. Nothing is changed.
 */
import { type CodePosition, type FileRecord, isBefore, makeSymbolId } from "../format/code-model.ts";
import { factsOf, findNameProblem } from "../text/code-languages.ts";
import type { LoadedSymbol } from "./model.ts";
import {
  findWordPlaces,
  isBrace,
  offsetOf,
  positionOf,
  type RenameEdit,
  type RenameNames,
  type SourceText,
  type WordPlace,
} from "./rename-edits.ts";
import { type ForeignBase, isMember } from "./rename-family.ts";

const MAX_LOOK = 200;
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

/** What stands against the new name. */
interface RenameConflict {
  readonly message: string;
  readonly file?: string;
  readonly at?: CodePosition;
}

/** See the header. */
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
