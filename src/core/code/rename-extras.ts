/**
 * Places of a name that no edge leads to and that change with it all the same, or may. Pure.
 */
import type { CodePosition } from "../format/code-records.ts";
import { factsOf } from "../text/code-languages.ts";
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

const MAX_LOOK = 200;
/** In front of a list of the names that `import *` brings. */
const ALL_LIST = /\b__all__\s*(?::[^=\n]*)?(?:\+?=|\.extend\(|\.append\()?\s*$/;

/** In front of a name in the type that a doc comment declares: `@param {Map<string, Store>}`. */
const COMMENT_TYPE = /@[a-z]+\s*\{[^}@*]*(?<![.\w$])$/;

/** An edit with its offset. */
export interface ImpliedEdit {
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
      kind === "constructor" && parent === record.parent && isBefore(start, record.at) && isBefore(record.at, end),
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

function isBefore(a: CodePosition, b: CodePosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column);
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
