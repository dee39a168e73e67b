/**
 * Occurrences of concepts in documents: everywhere that search reads a document's text, not only where the document is about one.
 *
 * A concept occurs where the words of its name stand next to each other in a title, a description, a heading, a paragraph or a
 * block of code, compared by their terms. An identifier is a word as a whole, and it is its parts.
 */
import { type Analyzer, analyzeText } from "../../src/core/text/analyze.ts";
import { UNSPACED } from "../../src/core/text/tokenize.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";
import { KIND_BITS, NONE, TOKEN_KINDS, type WordTable } from "../parse/words.ts";

/** The words of a document in order. */
export interface DocumentWords {
  readonly terms: readonly string[];
  /** Of each word its term, as a place among them. */
  readonly words: Uint16Array | Uint32Array;
  /** Identifiers, three numbers each: the first of their words, their term, how many words they are. */
  readonly wholes: Uint32Array;
  /** Texts, two numbers each: twice the section's ordinal, and one more for a title or heading; where its words end. */
  readonly texts: Uint32Array;
}

const KINDS = (1 << KIND_BITS) - 1;
const WHOLE = TOKEN_KINDS.indexOf("whole");
const PART = TOKEN_KINDS.indexOf("part");
const WHOLE_NUMBERS = 3;
/** Words of these letters alone are read as they stand; runs of others in pairs of letters. */
const PLAIN = /^[\p{L}\p{M}\p{N} ]+$/u;
const IN_PAIRS = new RegExp(`[${UNSPACED}\\p{Script=Hangul}]`, "u");

/** Collects the words of a document; `table` is that of its language. Text that weighs nothing is not searched, and left out. */
export function collectWords({ title, description, sections }: ParsedDocument, table: WordTable): DocumentWords {
  const places = new Map<number, number>();
  const [words, wholes, texts]: [number[], number[], number[]] = [[], [], []];
  const placeOf = (term: number): number => {
    const place = places.get(term) ?? places.size;
    places.set(term, place);
    return place;
  };
  const add = (text: string, section: number, isName: boolean): void => {
    const { tokens } = table.read(text);
    for (const [at, token] of tokens.entries()) {
      const term = table.terms[token >> KIND_BITS] as number;
      if (term === NONE) continue;
      if ((token & KINDS) === WHOLE) wholes.push(words.length, placeOf(term), countParts(tokens, at));
      else words.push(placeOf(term));
    }
    texts.push(2 * section + (isName ? 1 : 0), words.length);
  };
  add(title, 0, true);
  add(description, 0, false);
  for (const [ordinal, section] of sections.entries()) {
    if (ordinal > 0) add(section.title, ordinal, true);
    for (const { text, weight } of section.blocks) if (weight !== 0) add(text, ordinal, false);
  }
  const terms = Array.from(places.keys(), (term) => table.names[term] as string);
  return {
    terms,
    words: places.size <= 0xffff ? Uint16Array.from(words) : Uint32Array.from(words),
    wholes: Uint32Array.from(wholes),
    texts: Uint32Array.from(texts),
  };
}

/** How many parts follow the forms of an identifier, of which the first is at a place. */
function countParts(tokens: readonly number[], start: number): number {
  let at = start;
  while (((tokens[at] as number) & KINDS) === WHOLE) at++;
  const first = at;
  while (at < tokens.length && ((tokens[at] as number) & KINDS) === PART) at++;
  return at - first;
}

/** Terms that stand next to each other where a concept occurs. @param key As `conceptKey` makes it. */
export function phraseOf(key: string, analyzer: Analyzer): readonly string[] {
  if (PLAIN.test(key) && !IN_PAIRS.test(key)) return key.split(" ");
  let end = 0;
  return analyzeText(key, analyzer).flatMap(({ term, kind, start, end: behind }) => {
    // What is part of an identifier is in it already; of two forms of one the first is as it was written.
    if ((kind === "part" || kind === "whole") && start < end) return [];
    if (kind !== "word" && kind !== "whole" && kind !== "part") return [];
    if (kind === "whole") end = behind;
    return [term];
  });
}

export interface ConceptUse {
  readonly section: number;
  readonly count: number;
  /** Whether the section's heading, or the title, is one of these. */
  readonly isNamed: boolean;
}

interface FoundConcepts {
  /** By concept, two numbers for each section: twice its ordinal, and one more where title or heading hold it; how often it does. */
  readonly uses: ReadonlyMap<number, readonly number[]>;
  /** By section: words of its text that a concept holds ÷ all of them, in hundredths. Titles and headings are neither. */
  readonly densities: Uint8Array;
}

interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  readonly concepts: number[];
}

/** Finds phrases of terms in documents, all of them at once. */
export class ConceptFinder {
  readonly #root: PhraseNode = { next: new Map(), concepts: [] };

  /** Makes a phrase one that a concept is called by. */
  add(phrase: readonly string[], concept: number): void {
    let node = this.#root;
    for (const term of phrase) {
      const next = node.next.get(term) ?? { next: new Map(), concepts: [] };
      node.next.set(term, next);
      node = next;
    }
    if (phrase.length > 0 && !node.concepts.includes(concept)) node.concepts.push(concept);
  }

  /** Finds the concepts of a document. Occurrences of one concept do not overlap. @param sections How many it has. */
  find({ terms, words, wholes, texts }: DocumentWords, sections: number): FoundConcepts {
    const uses = new Map<number, number[]>();
    const behind = new Map<number, number>();
    const firsts = terms.map((term) => this.#root.next.get(term));
    const wholesAt = new Map<number, number[]>();
    for (let at = 0; at < wholes.length; at += WHOLE_NUMBERS) {
      const word = wholes[at] as number;
      wholesAt.set(word, [...(wholesAt.get(word) ?? []), at]);
    }
    const covered = new Uint8Array(words.length);
    const [held, all] = [new Uint32Array(sections), new Uint32Array(sections)];
    let start = 0;
    for (let text = 0; text < texts.length; text += 2) {
      const place = texts[text] as number;
      const end = texts[text + 1] as number;
      const [section, isNamed] = [place >> 1, place % 2 === 1];
      const take = (concept: number, from: number, to: number): void => {
        covered.fill(1, from, to);
        if (from < (behind.get(concept) ?? 0)) return;
        behind.set(concept, to);
        const own = uses.get(concept) ?? [];
        uses.set(concept, own);
        const last = own.length - 2;
        if ((own[last] ?? -1) >> 1 !== section) own.push(place, 1);
        else own.splice(last, 2, (own[last] as number) | place, (own[last + 1] as number) + 1);
      };
      const walk = (node: PhraseNode, from: number, at: number): void => {
        for (const concept of node.concepts) take(concept, from, at);
        if (at >= end || node.next.size === 0) return;
        const next = node.next.get(terms[words[at] as number] as string);
        if (next !== undefined) walk(next, from, at + 1);
        for (const whole of wholesAt.get(at) ?? []) {
          const other = node.next.get(terms[wholes[whole + 1] as number] as string);
          const to = at + (wholes[whole + 2] as number);
          if (other !== undefined && to <= end) walk(other, from, to);
        }
      };
      for (let at = start; at < end; at++) {
        if (firsts[words[at] as number] !== undefined || wholesAt.has(at)) walk(this.#root, at, at);
      }
      if (!isNamed) {
        all[section] = (all[section] as number) + end - start;
        for (let at = start; at < end; at++) held[section] = (held[section] as number) + (covered[at] as number);
      }
      start = end;
    }
    const share = (count: number, at: number): number =>
      count === 0 ? 0 : Math.round((100 * count) / (all[at] as number));
    return { uses, densities: Uint8Array.from(held, share) };
  }
}
