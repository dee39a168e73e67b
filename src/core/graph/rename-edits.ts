/**
 * Edits of one file for a new name: each verified against the text that stands at its place.
 *
 * A place tells which symbol it leads to; the text tells what is written there: the old name, another name for it (which
 * stays), or a short form that says two names at once (`{ open }` is `{ open: open }`). Pure.
 */
import type { CodePosition } from "../format/code-records.ts";
import type { EdgeKind } from "../format/edge-kinds.ts";
import { findWord, isScript } from "../text/identifiers.ts";
import { locateSpots, type SourceSpot } from "../text/source-spots.ts";

/** A place that leads to a symbol of the family, or declares one. */
export interface RenamePlace {
  readonly at: CodePosition;
  readonly kind: EdgeKind | "declaration";
  /** Whether the name is that of a member, reached through what it is a member of. */
  readonly isMember: boolean;
  /** Of a declaration: whether what declares it is an object that is written out. */
  readonly inObject?: boolean;
}

/** An edit. */
export interface RenameEdit {
  readonly at: CodePosition;
  readonly oldText: string;
  readonly newText: string;
  /** Why it needs a look, where it does. */
  readonly note?: string;
}

/** Names of a rename. */
export interface RenameNames {
  readonly oldName: string;
  readonly newName: string;
  /** Other names under which files import or pass the symbol on: where these stand, nothing changes. */
  readonly aliases: ReadonlySet<string>;
  /** Whether imports of a default export are left as they are called. */
  readonly keepsDefaults: boolean;
}

/** What a text says at the places of a file. */
export interface FileEdits {
  readonly certain: readonly RenameEdit[];
  /** Places where text and edge disagree. */
  readonly doubtful: readonly RenameEdit[];
  /** Offsets that are dealt with: edits, and other names that stay. */
  readonly settled: ReadonlySet<number>;
}

/** A text with what is needed to find places in it. */
export interface SourceText {
  readonly text: string;
  readonly language: string;
  readonly lineStarts: readonly number[];
}

/** A word of a text. */
export interface WordPlace extends SourceSpot {
  readonly offset: number;
  readonly at: CodePosition;
}

const WORD = /[\p{L}\p{M}\p{N}_$]+/uy;
const QUOTES = new Set(['"', "'", "`"]);
/** Characters of source that a look at what is before or behind a place takes in at most. */
const MAX_LOOK = 400;

/** The text with the offsets of its lines. */
export function toSourceText(text: string, language: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return { text, language, lineStarts };
}

/** Every place at which a word stands by itself. */
export function findWordPlaces(source: SourceText, word: string): WordPlace[] {
  const offsets = findWord(source.text, word);
  return locateSpots(source.text, source.language, offsets).map((spot, index) => {
    const offset = offsets[index] as number;
    return { ...spot, offset, at: positionOf(source, offset) };
  });
}

/** Other names that imports and exports give the symbol, and whether one passes a default on under the old name. */
export function readAliases(
  source: SourceText,
  places: readonly RenamePlace[],
  oldName: string,
): { readonly aliases: readonly string[]; readonly passesDefault: boolean } {
  const aliases: string[] = [];
  let isDefault = false;
  let isPassedOn = false;
  for (const place of places) {
    const offset = offsetOf(source, place.at);
    const word = wordAt(source.text, offset);
    const before = source.text.slice(Math.max(0, offset - MAX_LOOK), offset);
    if (place.kind === "imports" || place.kind === "reexports") {
      if (word !== oldName && word !== "") aliases.push(word);
      if (isScript(source.language) && word === oldName) {
        if (/\bdefault\s+as\s+(?:type\s+)?$/.test(before) && place.kind === "reexports") isPassedOn = isDefault = true;
        if (place.kind === "imports" && isDefaultImport(before)) isDefault = true;
        if (place.kind === "reexports" && !/\bfrom\b/.test(lineBehind(source.text, offset))) isPassedOn = true;
      }
    }
    // `export { open as start }`: others know it by that name.
    const alias = /^\s+as\s+(?:type\s+)?([\p{L}_$][\p{L}\p{M}\p{N}_$]*)/u.exec(
      source.text.slice(offset + word.length, offset + word.length + MAX_LOOK),
    )?.[1];
    if (alias !== undefined && alias !== oldName) aliases.push(alias);
  }
  return { aliases, passesDefault: isDefault && isPassedOn };
}

/** See the header. Places may repeat. */
export function makeEdits(
  source: SourceText,
  words: readonly WordPlace[],
  places: readonly RenamePlace[],
  { oldName, newName, aliases, keepsDefaults }: RenameNames,
): FileEdits {
  const { text, language } = source;
  const wordAtOffset = new Map(words.map((word) => [word.offset, word]));
  const keepsHere =
    keepsDefaults &&
    isScript(language) &&
    places.some((place) => place.kind === "imports" && isDefaultAt(source, place));
  const certain = new Map<number, RenameEdit>();
  const doubtful = new Map<number, RenameEdit>();
  const settled = new Set<number>();
  const add = (offset: number, newText: string): void => {
    settled.add(offset);
    certain.set(offset, { at: positionOf(source, offset), oldText: oldName, newText });
  };
  for (const place of places) {
    const stated = offsetOf(source, place.at);
    // A name in quotes: `"open": 1`, `x["open"]`.
    const offset = QUOTES.has(text[stated] ?? "") && text.startsWith(oldName, stated + 1) ? stated + 1 : stated;
    const word = wordAtOffset.get(offset);
    if (word !== undefined) {
      const isKept = keepsHere && !/[.?]\s*$/.test(text.slice(Math.max(0, offset - 8), offset));
      if (isKept && place.kind !== "declaration") settled.add(offset);
      else add(offset, expandShorthand(source, word, place, oldName, newName));
      continue;
    }
    const written = wordAt(text, stated);
    const isBinding = place.kind === "imports" || place.kind === "reexports";
    const original = isBinding ? aliasedAt(source, stated, wordAtOffset) : undefined;
    if (original !== undefined) add(original, newName);
    else if (!isBinding && !aliases.has(written) && !isImplicit(written)) {
      const note = written === "" ? "no name stands there" : `"${written}" stands there`;
      doubtful.set(stated, { at: place.at, oldText: written, newText: newName, note });
    }
  }
  const inOrder = (edits: Map<number, RenameEdit>): RenameEdit[] =>
    [...edits].sort(([a], [b]) => a - b).map(([, edit]) => edit);
  return { certain: inOrder(certain), doubtful: inOrder(doubtful), settled };
}

/** Offset of a position; of one behind the text its length. */
export function offsetOf({ text, lineStarts }: SourceText, { line, column }: CodePosition): number {
  return Math.min(text.length, (lineStarts[line - 1] ?? text.length) + column - 1);
}

/** Position of an offset. */
export function positionOf({ lineStarts }: SourceText, offset: number): CodePosition {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lineStarts[low] as number) + 1 };
}

/** The line that an offset lies in, without its end. */
export function lineOf({ text, lineStarts }: SourceText, offset: number): string {
  const { line } = positionOf({ text, lineStarts, language: "" }, offset);
  return text.slice(lineStarts[line - 1], lineStarts[line] ?? text.length).replace(/\r?\n$/, "");
}

/**
 * The new name, with the old one beside it where the text stands for both: in `{ open }` the member keeps its name when the
 * variable changes, and the variable when the member does.
 */
function expandShorthand(
  { text, language }: SourceText,
  { offset, bracket, within }: WordPlace,
  { kind, isMember, inObject }: RenamePlace,
  oldName: string,
  newName: string,
): string {
  if (!isScript(language) || within !== "code" || !isBrace(text, bracket)) return newName;
  if (kind === "imports" || kind === "reexports") return newName;
  if (kind === "declaration" && isMember && inObject !== true) return newName;
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset).replace(/\/\*[^*]*\*\/|\/\/[^\n]*\n/g, "");
  const after = text.slice(offset + oldName.length, offset + oldName.length + MAX_LOOK);
  if (!/[{,]\s*$/.test(before) || !/^(?:\s|\/\*[^*]*\*\/|\/\/[^\n]*\n)*(?:[,}]|=(?![=>]))/.test(after)) return newName;
  const opening = text.slice(Math.max(0, bracket - MAX_LOOK), bracket);
  if (/\b(?:import|export)(?:\s+type)?(?:\s+[\p{L}\p{N}_$]+\s*,)?\s*$/u.test(opening)) return newName;
  // A list of exports: those who ask for them change their word, too.
  if (!isMember && /\bmodule\.exports\s*=\s*$/.test(opening)) return newName;
  return isMember ? `${newName}: ${oldName}` : `${oldName}: ${newName}`;
}

/** Whether the bracket at an offset is a brace, and not one of a template's `${}`. */
export function isBrace(text: string, bracket: number): boolean {
  return bracket >= 0 && text[bracket] === "{" && text[bracket - 1] !== "$";
}

/** Where the old name stands in front of the other name that it is bound to: `open as start`, `{ open: start }`. */
function aliasedAt({ text }: SourceText, offset: number, words: ReadonlyMap<number, WordPlace>): number | undefined {
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

function isDefaultAt(source: SourceText, { at }: RenamePlace): boolean {
  const offset = offsetOf(source, at);
  return isDefaultImport(source.text.slice(Math.max(0, offset - MAX_LOOK), offset));
}

function isDefaultImport(before: string): boolean {
  return /\bimport\s+(?:type\s+)?$|\bdefault\s+as\s+$/.test(before);
}

/** Words that stand for a symbol without being its name. */
function isImplicit(word: string): boolean {
  return /^(?:super|this|self|Self|base|cls|constructor|new|default|import|require|parent|static)$/.test(word);
}

function wordAt(text: string, offset: number): string {
  WORD.lastIndex = offset;
  return WORD.exec(text)?.[0] ?? "";
}

function lineBehind(text: string, offset: number): string {
  const close = text.indexOf("}", offset);
  return close < 0 || close - offset > MAX_LOOK ? "" : text.slice(close, close + 16);
}
