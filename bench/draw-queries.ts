/**
 * Queries drawn from the pages of a corpus, by class: the one place where benchmarks get theirs.
 *
 * Cut from the Markdown files by line patterns of this file, so that no engine that is measured has a part in it. The
 * same folder and seed give the same queries.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { comparePaths } from "../indexer/base/globs.ts";
import { isStopWord } from "../src/core/text/analyze.ts";
import { makeRandom, shuffle } from "./random.ts";

/** Classes of queries, in the order of tables. */
export const QUERY_CLASSES = [
  "single word",
  "rare word",
  "two words",
  "five words",
  "question",
  "common word",
  "five common words",
  "prefix",
  "typo",
  "phrase",
  "heading",
] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];
export type DrawnQueries = ReadonlyMap<QueryClass, readonly string[]>;

/** Pages that are read: enough to tell frequent from rare. */
const SAMPLED_PAGES = 2000;
const COMMON_WORDS = 100;
/** A word to mistype stands on several pages, so that it is known to be one. */
const KNOWN_ON_PAGES = 3;
/** Of stop words alone, so that no word of a question is one that the corpus may not have. */
const QUESTIONS = ["how do I use", "what is", "how does one make", "why is there no", "where are"];
const TITLE_WORDS = { fewest: 3, most: 8 };
/** Draws before a class is given up to be as small as it is. */
const TRIES = 30;

/** What the sampled pages hold. */
export interface SampledText {
  /** Every word of four letters or more that is no stop word, as often as it stands. */
  readonly words: readonly string[];
  /** Lines of prose, without their markup. */
  readonly sentences: readonly string[];
  readonly headings: readonly string[];
  /** Number of sampled pages that a word stands on. */
  readonly pagesOf: ReadonlyMap<string, number>;
}

/** So many queries of each class; fewer where the corpus has no more that differ. */
export function drawQueries(dir: string, count: number, seed: number): DrawnQueries {
  const random = makeRandom(seed);
  const text = sampleText(dir, random);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const common = [...text.pagesOf]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, COMMON_WORDS)
    .map(([word]) => word);
  const rare = [...text.pagesOf].filter(([, pages]) => pages === 1).map(([word]) => word);
  const known = [...text.pagesOf]
    .filter(([word, pages]) => pages >= KNOWN_ON_PAGES && word.length >= 6)
    .map(([word]) => word);
  const contentOf = (line: string): string[] => [...new Set(listWords(line))];
  const fromSentence = (words: number): string => {
    const content = contentOf(pick(text.sentences));
    return content.length < words ? "" : shuffle(content, random).slice(0, words).join(" ");
  };
  const make: Record<QueryClass, () => string> = {
    "single word": () => pick(text.words),
    "rare word": () => pick(rare),
    "two words": () => fromSentence(2),
    "five words": () => fromSentence(5),
    question: () => {
      const heading = pick(text.headings);
      return contentOf(heading).length < 2 ? "" : `${pick(QUESTIONS)} ${heading.toLowerCase()}`;
    },
    "common word": () => pick(common),
    "five common words": () => shuffle(common, random).slice(0, 5).join(" "),
    prefix: () => pick(text.words).slice(0, 3 + Math.floor(random() * 2)),
    typo: () => swapLetters(pick(known), random),
    phrase: () => cutPhrase(pick(text.sentences), random),
    heading: () => pick(text.headings),
  };
  return new Map(QUERY_CLASSES.map((name) => [name, drawDifferent(count, make[name])]));
}

/** Searches to time: half headings, half one to five words drawn by how often they stand in the pages of a folder. */
export function drawSearches(dir: string, count: number): string[] {
  const random = makeRandom(1);
  const { headings, words } = sampleText(dir, random);
  const pick = (): string => words[Math.floor(random() * words.length)] ?? "";
  const drawn = Array.from({ length: Math.ceil(count / 2) }, (_, at) =>
    Array.from({ length: 1 + (at % 5) }, pick).join(" "),
  );
  return [...drawn, ...shuffle(headings, random).slice(0, Math.floor(count / 2))];
}

/** Titles of pages that have three to eight words: what people who know a page type. */
export function drawTitles(dir: string, count: number, seed: number): string[] {
  const random = makeRandom(seed);
  const titles = shuffle(listMarkdown(dir), random).map((name) => {
    const page = readFileSync(join(dir, name), "utf8");
    const [, title = ""] = /^title: *["']?(.*?)["']? *$/m.exec(page) ?? /^# +(.+?) *$/m.exec(page) ?? [];
    return title.replaceAll(/[`*_"\\]/g, "").trim();
  });
  const isWanted = (title: string): boolean => {
    const words = title.split(/\s+/).length;
    return words >= TITLE_WORDS.fewest && words <= TITLE_WORDS.most;
  };
  return [...new Set(titles.filter(isWanted))].slice(0, count);
}

/** Words, sentences and headings of some pages of a folder. @throws {Error} when it has none to draw from. */
export function sampleText(dir: string, random: () => number): SampledText {
  const names = listMarkdown(dir);
  const words: string[] = [];
  const sentences: string[] = [];
  const headings: string[] = [];
  const pagesOf = new Map<string, number>();
  for (const name of shuffle(names, random).slice(0, SAMPLED_PAGES)) {
    const here = new Set<string>();
    for (const { kind, text } of readLines(readFileSync(join(dir, name), "utf8"))) {
      const found = listWords(text);
      for (const word of found) here.add(word);
      if (kind === "heading" && found.length > 0) headings.push(text);
      if (kind === "prose") {
        words.push(...found);
        if (found.length >= 2) sentences.push(text);
      }
    }
    for (const word of here) pagesOf.set(word, (pagesOf.get(word) ?? 0) + 1);
  }
  if (words.length === 0 || headings.length === 0 || sentences.length === 0) {
    throw new Error(`${dir} has no prose and headings to draw queries from`);
  }
  return { words, sentences, headings, pagesOf };
}

function listMarkdown(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:md|mdx)$/.test(name))
    .sort(comparePaths);
}

/** Headings and lines of prose; frontmatter, code, tables and tags are left out. */
export function* readLines(page: string): Generator<{ readonly kind: "heading" | "prose"; readonly text: string }> {
  let fence = "";
  for (const line of page.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n")) {
    const [mark = ""] = /^\s*(?:```|~~~)/.exec(line) ?? [];
    if (fence !== "" || mark !== "") {
      fence = fence === "" ? mark.trim() : mark.trim() === fence ? "" : fence;
      continue;
    }
    const [, heading] = /^#{1,6} +(.{3,80})$/.exec(line) ?? [];
    const plain = (heading ?? line)
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[*`_#>"]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    if (heading !== undefined) yield { kind: "heading", text: plain };
    else if (/^(?:[-+] |\d+\. )?[A-Za-z]/.test(plain) && plain.split(" ").length >= 6 && !/[<{|]/.test(plain)) {
      yield { kind: "prose", text: plain.replace(/^(?:[-+] |\d+\. )/, "") };
    }
  }
}

/** Words of plain letters, in small ones, that are no stop words. */
function listWords(text: string): string[] {
  return (text.toLowerCase().match(/(?<![\w.-])[a-z]{4,16}(?![\w-])/g) ?? []).filter((word) => !isStopWord(word));
}

/** Neighbouring words, quoted, two to five unless told how many; `""` where only stop words are among them. */
export function cutPhrase(
  sentence: string,
  random: () => number,
  length: number = 2 + Math.floor(random() * 4),
): string {
  const words = sentence.split(" ").filter((word) => /[A-Za-z0-9]/.test(word));
  const from = Math.floor(random() * Math.max(1, words.length - length));
  const phrase = words.slice(from, from + length).join(" ");
  return listWords(phrase).length === 0 ? "" : `"${phrase}"`;
}

/** A word with two neighbouring letters swapped, the first one left; `""` where that changes nothing. */
function swapLetters(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const swapped = word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
  return swapped === word ? "" : swapped;
}

function drawDifferent(count: number, draw: () => string | undefined): string[] {
  const drawn = new Set<string>();
  for (let tries = 0; drawn.size < count && tries < count * TRIES; tries++) {
    const query = draw() ?? "";
    if (query !== "") drawn.add(query);
  }
  return [...drawn];
}
