/**
 * Cuts a parsed document into units: the pieces of text that are scored, stored and read on their own.
 *
 * A section is one unit, or several of about 220 words if it has more than 290 (index-format v1, section 6). Cuts fall between
 * blocks; a block that is too long is cut between lines, a line that is too long between words. The raw texts of all units, in
 * order, are the file.
 *
 * A document is bounded first, so that no value outgrows what readers take (index-format v1, section 11): links beyond the bound
 * are not resolved. Pages that people write never come near.
 */

import { countWords } from "../../src/core/text/analyze.ts";
import { cutPlace } from "../../src/core/text/short-text.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import {
  lastSlug,
  type ParsedBlock,
  type ParsedDocument,
  type ParsedLink,
  type ParsedSection,
} from "../parse/parsed-document.ts";
import { type WordTable, wordsOf } from "../parse/words.ts";

/** Bytes that a page's rows of the `sections` table may take: half of what a reader inflates. */
const MAX_SECTIONS_BYTES = 8 * 1024 * 1024;
/** Numbers, brackets and commas of a row. */
const ROW_BYTES = 100;
/** Links of a page that are resolved and kept. */
const MAX_LINKS = 10_000;
/** A longer destination is no address. */
const MAX_HREF_CHARACTERS = 2_000;

/**
 * A page within the bounds: itself, nearly always.
 *
 * @throws {Error} for a page of more sections than readers take: it is read as plain text.
 */
export function boundDocument(parsed: ParsedDocument, path: string): ParsedDocument {
  const rows = parsed.sections.map((section) => {
    const { title, anchor, summary, codeLanguages } = section;
    return JSON.stringify([title, lastSlug(section), anchor, summary, codeLanguages]);
  });
  if (rows.reduce((bytes, row) => bytes + ROW_BYTES + Buffer.byteLength(row), 0) > MAX_SECTIONS_BYTES) {
    throw new Error(`the page has ${rows.length} sections, more than an index can hold`);
  }
  return boundLinks(parsed, path);
}

function boundLinks(parsed: ParsedDocument, path: string): ParsedDocument {
  const isAddress = ({ href }: ParsedLink): boolean => href.length <= MAX_HREF_CHARACTERS;
  const count = parsed.sections.reduce((sum, { links }) => sum + links.length, 0);
  if (count <= MAX_LINKS && parsed.sections.every(({ links }) => links.every(isAddress))) return parsed;
  let left = MAX_LINKS;
  const sections = parsed.sections.map((section) => {
    const links = section.links.filter(isAddress).slice(0, left);
    left -= links.length;
    return { ...section, links };
  });
  const message = `the page has ${count} links; ${MAX_LINKS - left} of them are kept`;
  const warning: Diagnostic = { severity: "warning", code: "too-many-links", message, path, line: 0 };
  return { ...parsed, sections, diagnostics: [...parsed.diagnostics, warning] };
}

/** A section of more words than this is cut. */
const MAX_UNIT_WORDS = 290;
/** Pieces are filled up to about this. */
export const TARGET_UNIT_WORDS = 220;
/** A section of so few words by the parser's simpler count is one unit without being counted again. */
const SURELY_ONE_UNIT = 120;
/** A unit's raw text is kept below this too: text without word breaks must not make one giant unit. */
const MAX_UNIT_CHARACTERS = 8_000;
/** Raw text that shows nothing (a comment, frontmatter) belongs to the unit before it, up to this. */
const MAX_RAW_CHARACTERS = 1_000_000;

/** A run of visible text of a unit. */
interface UnitText {
  readonly kind: "prose" | "code";
  readonly text: string;
  /** As `ParsedBlock` has it. */
  readonly weight?: number;
}

export interface Unit {
  /** Ordinal of its section. */
  readonly section: number;
  readonly continuation: boolean;
  /** Source text, byte for byte once encoded. */
  readonly raw: string;
  readonly texts: readonly UnitText[];
  /** Weight of all of it where that is below 1. */
  readonly weight?: number;
}

interface Atom {
  /** Offset in the document's text where the atom's raw text begins. */
  readonly start: number;
  readonly words: number;
  readonly texts: UnitText[];
}

/** Units of a document in order. `text` is the decoded file. */
export function cutUnits(document: ParsedDocument, text: string, words: WordTable = wordsOf("english")): Unit[] {
  const lineStarts = findLineStarts(text);
  const offsetOf = (line: number): number => lineStarts[line - 1] ?? text.length;
  const units: Unit[] = [];
  for (const [ordinal, section] of document.sections.entries()) {
    const start = offsetOf(section.startLine);
    const end =
      ordinal + 1 < document.sections.length
        ? offsetOf((document.sections[ordinal + 1] as ParsedSection).startLine)
        : text.length;
    const isLight = section.blocks.some(isLightText);
    if (section.wordCount <= SURELY_ONE_UNIT && end - start <= MAX_UNIT_CHARACTERS && !isLight) {
      const texts = section.blocks.map(toUnitText);
      units.push({ section: ordinal, continuation: false, raw: text.slice(start, end), texts });
      continue;
    }
    const groups = groupAtoms(makeAtoms(section, text, start, end, offsetOf, words));
    for (const [index, group] of groups.entries()) {
      const from = index === 0 ? start : (group[0] as Atom).start;
      const to = index + 1 < groups.length ? ((groups[index + 1] as Atom[])[0] as Atom).start : end;
      const texts = group.flatMap((atom) => atom.texts);
      for (const [piece, raw] of splitRaw(text.slice(from, to)).entries()) {
        const weight = lightWeightOf(texts);
        units.push({
          section: ordinal,
          continuation: index + piece > 0,
          raw,
          texts: piece === 0 ? texts : [],
          ...(weight < 1 && { weight }),
        });
      }
    }
  }
  return units;
}

function toUnitText({ kind, text, weight }: ParsedBlock): UnitText {
  return { kind, text, ...(weight !== undefined && { weight }) };
}

/** Whether words of a text weigh less than others, and something. */
function isLightText({ weight = 1 }: { readonly weight?: number }): boolean {
  return weight > 0 && weight < 1;
}

/** The weight of texts that all weigh the same and less than others; else 1. What weighs nothing is not counted. */
function lightWeightOf(texts: readonly UnitText[]): number {
  const weighed = texts.filter(({ weight }) => weight !== 0);
  const weight = weighed[0]?.weight ?? 1;
  return weight < 1 && weighed.every((text) => (text.weight ?? 1) === weight) ? weight : 1;
}

/** Raw text in pieces that a block can hold: nearly always one. */
function splitRaw(raw: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (raw.length - from > MAX_RAW_CHARACTERS) {
    const to = cutPlace(raw, from + MAX_RAW_CHARACTERS);
    pieces.push(raw.slice(from, to));
    from = to;
  }
  pieces.push(raw.slice(from));
  return pieces;
}

/** Offsets of the first character of each line. */
function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function makeAtoms(
  section: ParsedSection,
  text: string,
  start: number,
  end: number,
  offsetOf: (line: number) => number,
  table: WordTable,
): Atom[] {
  const atoms: Atom[] = [];
  for (const blocks of groupByLine(section.blocks)) {
    const at = Math.min(end, Math.max(start, offsetOf((blocks[0] as ParsedBlock).line)));
    const texts = blocks.map(toUnitText);
    const words = texts.reduce((sum, part) => sum + table.read(part.text).words, 0);
    atoms.push({ start: at, words, texts });
  }
  return atoms.flatMap((atom, index) => {
    const atomEnd = atoms[index + 1]?.start ?? end;
    if (atom.words <= MAX_UNIT_WORDS && atomEnd - atom.start <= MAX_UNIT_CHARACTERS) return [atom];
    return splitAtom(atom, text.slice(atom.start, atomEnd));
  });
}

/** Blocks that begin on one line, or out of order, cannot be told apart in the source and stay together. */
function groupByLine(blocks: readonly ParsedBlock[]): ParsedBlock[][] {
  const groups: ParsedBlock[][] = [];
  let line = -1;
  for (const block of blocks) {
    if (block.line > line || groups.length === 0) {
      groups.push([block]);
      line = block.line;
    } else {
      (groups.at(-1) as ParsedBlock[]).push(block);
    }
  }
  return groups;
}

/** Cut a block that is too long. Its pieces are indexed as they stand in the source, so that text and index agree. */
function splitAtom(atom: Atom, raw: string): Atom[] {
  const kind = atom.texts.every((part) => part.kind === "code") ? "code" : "prose";
  const [{ weight } = { weight: undefined }] = atom.texts;
  const isEven = weight !== undefined && atom.texts.every((part) => part.weight === weight);
  const pieces: Atom[] = [];
  let from = 0;
  let words = 0;
  let at = 0;
  const flush = (): void => {
    if (at > from)
      pieces.push({
        start: atom.start + from,
        words,
        texts: [{ kind, text: raw.slice(from, at), ...(isEven && { weight }) }],
      });
    from = at;
    words = 0;
  };
  for (const step of steps(raw)) {
    const stepWords = countWords(step);
    if (words > 0 && (words + stepWords > TARGET_UNIT_WORDS || at + step.length - from > MAX_UNIT_CHARACTERS)) flush();
    at += step.length;
    words += stepWords;
  }
  flush();
  return pieces;
}

/** Lines with their ends; lines that are too long in pieces that end behind a space where there is one. */
function* steps(raw: string): Generator<string> {
  const maxStep = MAX_UNIT_CHARACTERS / 8;
  for (const line of raw.split(/(?<=\n)/)) {
    let rest = line;
    while (rest.length > maxStep) {
      const space = rest.lastIndexOf(" ", maxStep);
      let cut = space > 0 ? space + 1 : maxStep;
      if (cutPlace(rest, cut) < cut) cut++;
      yield rest.slice(0, cut);
      rest = rest.slice(cut);
    }
    if (rest.length > 0) yield rest;
  }
}

/** Fill units with atoms up to the target; always at least one group, so that an empty section is a unit too. */
function groupAtoms(atoms: readonly Atom[]): Atom[][] {
  const total = atoms.reduce((sum, atom) => sum + atom.words, 0);
  const last = atoms.at(-1);
  const first = atoms[0];
  const characters = first === undefined || last === undefined ? 0 : last.start - first.start;
  const isMixed = atoms.some(({ texts }) => lightWeightOf(texts) !== lightWeightOf(first?.texts ?? []));
  if (total <= MAX_UNIT_WORDS && characters <= MAX_UNIT_CHARACTERS && !isMixed) return [[...atoms]];
  const groups: Atom[][] = [];
  let group: Atom[] = [];
  let words = 0;
  for (const atom of atoms) {
    const start = group[0]?.start ?? atom.start;
    const isOther = lightWeightOf(group.at(-1)?.texts ?? []) !== lightWeightOf(atom.texts);
    const isFull = words + atom.words > TARGET_UNIT_WORDS || atom.start - start > MAX_UNIT_CHARACTERS;
    // What weighs less than the rest is a unit of its own, whatever its length.
    if (group.length > 0 && (isFull || isOther)) {
      groups.push(group);
      group = [];
      words = 0;
    }
    group.push(atom);
    words += atom.words;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
