/**
 * Edits of one file for a new name: each verified against the text that stands at its place.
 *
 * A place tells which symbol it leads to and in which form: by its name, by another name for it (which stays), or as one
 * side of a short form that says two names at once (`{ open }` is `{ open: open }`). Pure.
 */
import { countFirst } from "../bytes/numbers.ts";
import type { CodePosition, EdgeForm, EdgeKind } from "../format/code-model.ts";
import { factsOf, findWord } from "../text/code-languages.ts";
import { locateSpots, type SourceSpot } from "../text/source-spots.ts";

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
    const both = forms.has("key") ? `${newName}: ${oldName}` : `${oldName}: ${newName}`;
    return [offset, { at: positionOf(source, offset), oldText: oldName, newText: isOne ? newName : both }];
  });
  const inOrder = (edits: Iterable<readonly [number, RenameEdit]>): RenameEdit[] =>
    [...edits].sort(([a], [b]) => a - b).map(([, edit]) => edit);
  return { certain: inOrder(certain), doubtful: inOrder(doubtful), settled };
}

/** Offset of a position; of one behind the text its length. */
export function offsetOf({ text, lineStarts }: SourceText, { line, column }: CodePosition): number {
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
export function isBrace(text: string, bracket: number): boolean {
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
