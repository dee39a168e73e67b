import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TermNumbers } from "../../../indexer/index/compact-lists.ts";
import { PairCollector } from "../../../indexer/index/term-table.ts";
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { decodePair, keyOfPair } from "../../../src/core/format/pairs.ts";
import {
  decodeFrequency,
  encodeFrequency,
  neighbourCode,
  PAIRED_WORD_DOCUMENTS,
} from "../../../src/core/format/postings.ts";
import { analyzeText, ENGLISH } from "../../../src/core/text/analyze.ts";
import type { Pages, PreparedPage } from "../../support/build-index.ts";
import { preparePages } from "../../support/prepare-pages.ts";
import { runs } from "../../support/runs.ts";

type Counts = Record<string, Record<number, number>>;

interface Collected {
  readonly pairs: PairCollector;
  readonly terms: TermNumbers;
  /** Documents by the number of a term. */
  readonly holding: ReadonlyMap<number, number>;
}

/** Terms are numbered in the order in which they are met, as in a build. */
function collect(documents: readonly PreparedPage[], turn = false): Collected {
  const terms = new TermNumbers();
  const pairs = new PairCollector(terms, ENGLISH.isStopTerm);
  const holding = new Map<number, number>();
  for (const { number, inverted } of documents) {
    const numbers = turn ? terms.count([...inverted.terms].reverse()).reverse() : terms.count(inverted.terms);
    for (const term of numbers) holding.set(term, (holding.get(term) ?? 0) + 1);
    pairs.add(number, numbers, inverted);
  }
  return { pairs, terms, holding };
}

/** What is kept of all pairs, as the table of terms lists it. */
function listKept({ pairs, terms, holding }: Collected) {
  const numbers = Array.from({ length: terms.size }, (_, number) => number);
  const order = numbers.sort((a, b) => (keyOf(terms.name(a)) < keyOf(terms.name(b)) ? -1 : 1));
  const kept = pairs.list(order, (number) => (holding.get(number) ?? 0) < PAIRED_WORD_DOCUMENTS);
  return { order, ...kept };
}

/** Entries of all pairs that are keys. */
function listEntries(collected: Collected): TableEntry[] {
  const { order, pairsOf } = listKept(collected);
  return order.flatMap(pairsOf);
}

function countsOf(entries: readonly TableEntry[]): Counts {
  return Object.fromEntries(
    entries.map(({ key, value }) => {
      const { documents: numbers, frequencies } = decodePair(value);
      return [key, Object.fromEntries(Array.from(numbers, (number, at) => [number, frequencies[at] as number]))];
    }),
  );
}

function entriesOf(documents: readonly PreparedPage[]): Counts {
  return countsOf(listEntries(collect(documents)));
}

/** A page of sections: a heading each, the first one the title, and the lines of its text. */
type Page = readonly (readonly string[])[];

function write(page: Page): string {
  return page
    .map(([heading, ...lines], at) => `${at === 0 ? "#" : "##"} ${heading}\n\n${lines.join("\n\n")}`)
    .join("\n\n");
}

/** By brute force: every section of every page word by word. */
function countPlainly(pages: readonly Page[], first: number): Counts {
  const counts: Counts = {};
  const holding = new Map<ByteKey, Set<number>>();
  for (const [at, page] of pages.entries()) {
    for (const section of page) {
      const words = section.flatMap((line) => analyzeText(line)).filter(({ kind }) => kind !== "whole");
      for (const { term } of section.flatMap((line) => analyzeText(line)))
        holding.set(keyOf(term), (holding.get(keyOf(term)) ?? new Set()).add(at));
      for (const [index, word] of words.entries()) {
        const next = words[index + 1];
        if (next === undefined) continue;
        const key = keyOfPair(word.term, next.term);
        const of = counts[key] ?? {};
        of[first + at] = (of[first + at] ?? 0) + 1;
        counts[key] = of;
      }
    }
  }
  const isFrequent = (key: string): boolean =>
    key.split(KEY_SEPARATOR).every((term) => STOP_TERMS.has(term) || (holding.get(term as ByteKey)?.size ?? 0) >= 16);
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([key, of]) => Object.keys(of).length >= 2 && isFrequent(key))
      .map(([key, of]) => [
        key,
        Object.fromEntries(
          Object.entries(of).map(([number, count]) => [number, decodeFrequency(encodeFrequency(Math.min(255, count)))]),
        ),
      ]),
  );
}

const WORDS = ["alpha", "beta", "gamma", "delta", "the", "well", "wells", "getUserName", "日本語", "zeta"];
/** Stop words, the part of an identifier among them, and what shares its stem with one. */
const STOP_TERMS = new Set(["the", "well", "get"]);
const anyLine = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const anyShardPages: fc.Arbitrary<Page[]> = fc.array(
  fc.array(fc.array(anyLine, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  { minLength: 14, maxLength: 30 },
);

function toPages(pages: readonly Page[]): Pages {
  return Object.fromEntries(pages.map((page, at) => [`p${String(at).padStart(3, "0")}.md`, write(page)]));
}

const page = (text: string): Page => [["Page", text]];

describe("PairCollector", () => {
  it("gives the pairs that a plain count gives", () => {
    fc.assert(
      fc.property(anyShardPages, fc.nat({ max: 5000 }), (pages, first) => {
        expect(entriesOf(preparePages(toPages(pages), first))).toEqual(countPlainly(pages, first));
      }),
      { numRuns: runs(30) },
    );
  });

  it("keeps a pair from the sixteenth document of its words and the second of its own", () => {
    const pairs = (withBoth: number, sideBySide: number): string[] => {
      const pages = Array.from({ length: withBoth }, (_, n) => page(n < sideBySide ? "alpha beta" : "alpha. The beta"));
      return Object.keys(entriesOf(preparePages(toPages(pages)))).filter((key) => key === keyOfPair("alpha", "beta"));
    };
    expect(pairs(16, 2)).toHaveLength(1);
    expect(pairs(15, 15)).toHaveLength(0);
    expect(pairs(16, 1)).toHaveLength(0);
    expect(pairs(300, 300)).toHaveLength(1);
  });

  it("keeps a pair of stop words from the second document on, and one of a rare word never", () => {
    const pages = (text: string): Page[] => Array.from({ length: 3 }, (_, n) => [["Page", n < 2 ? text : "other"]]);
    const keys = Object.keys(entriesOf(preparePages(toPages(pages("all of the alpha of beta")))));
    for (const [first, second, is] of [
      ["all", "of", true],
      ["of", "the", true],
      ["the", "alpha", false],
      ["alpha", "of", false],
    ] as const) {
      expect(keys.includes(keyOfPair(first, second)), `${first} ${second}`).toBe(is);
    }
  });

  it("gives the same entries whatever the numbers of the terms, each once and in the order of their keys", () => {
    fc.assert(
      fc.property(anyShardPages, (pages) => {
        const documents = preparePages(toPages(pages));
        const entries = listEntries(collect(documents));
        const keys = entries.map(({ key }) => key);
        expect(keys).toEqual([...new Set(keys)].sort());
        expect(listEntries(collect(documents, true))).toEqual(entries);
      }),
      { numRuns: runs(15) },
    );
  });

  it("says of a rare word what stands beside it in each document, once, and of two rare words by the first", () => {
    const pages = [page("alpha beta alpha beta the alpha"), page("gamma alpha"), page("beta")];
    const collected = collect(preparePages(toPages(pages)));
    const { neighboursOf } = listKept(collected);
    const codesOf = (term: string, document: number): number[] => {
      const number = Array.from({ length: collected.terms.size }, (_, at) => at).find(
        (at) => collected.terms.name(at) === term,
      );
      return Array.from(neighboursOf(number as number)?.(document) ?? []);
    };
    const codes = (...of: readonly (readonly [string, boolean])[]): number[] =>
      of.map(([term, isBehind]) => neighbourCode(term, isBehind)).sort((a, b) => a - b);
    expect(codesOf("alpha", 0)).toEqual(codes(["beta", true], ["the", false]));
    expect(codesOf("gamma", 1)).toEqual(codes(["alpha", true]));
    expect(codesOf("alpha", 1)).toEqual([]);
  });

  it("counts a pair 255 times at most", () => {
    const pages = Array.from({ length: 16 }, (): Page => [["Page", "alpha beta. The ".repeat(400)]]);
    const counts = Object.values(entriesOf(preparePages(toPages(pages)))[keyOfPair("alpha", "beta")] ?? {});
    expect(counts).toEqual(Array(16).fill(20));
  });

  it("reads on from a heading to its text and from piece to piece, and stops at the next section", () => {
    const filler = Array.from({ length: 250 }, (_, n) => `w${n}`).join(" ");
    const page: Page = [
      ["Alpha", `beta ${filler} gamma`, `delta ${filler} zeta`],
      ["Epsilon", "end"],
    ];
    const pairs = Object.keys(entriesOf(preparePages(toPages(Array(16).fill(page)))));
    for (const [first, second, is] of [
      ["alpha", "beta", true],
      ["gamma", "delta", true],
      ["zeta", "epsilon", false],
      ["epsilon", "end", true],
    ] as const) {
      expect(pairs.includes(keyOfPair(first, second)), `${first} ${second}`).toBe(is);
    }
  });
});
