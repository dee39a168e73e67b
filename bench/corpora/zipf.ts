/**
 * A generated corpus: pages of invented words with headings, links, lists and code, in sections of natural lengths.
 *
 * Every page is drawn from a seed of its own, so that a larger corpus holds the smaller one, and only one page is in
 * memory at a time. A page has a few topic words that come back again and again, as words do in text.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRandom } from "../random.ts";
import { makeVocabulary, type Vocabulary } from "./vocabulary.ts";

const PAGES_OF_FOLDER = 500;
/** Words of a section: e to a normal draw with these, half of them below 55. */
const MEDIAN_WORDS = 55;
const SPREAD = 0.8;
const MOST_WORDS = 800;
/** Sections of a page, likewise. */
const MEDIAN_SECTIONS = 7;
const SECTION_SPREAD = 0.6;
const MOST_SECTIONS = 60;
const TOPICS = 10;
/** Share of a page's words that are one of its topics. */
const TOPIC_SHARE = 0.12;

/** Write so many sections below `out`; counts of what was written. */
export function writeZipfCorpus(out: string, sections: number, seed: number): { pages: number; sections: number } {
  const vocabulary = makeVocabulary();
  let left = sections;
  let page = 0;
  for (; left > 0; page++) {
    const made = makePage(vocabulary, seed, page, left);
    const path = join(out, zipfPath(page));
    if (page % PAGES_OF_FOLDER === 0) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, made.text);
    left -= made.sections;
  }
  return { pages: page, sections };
}

function zipfPath(page: number): string {
  return `part-${String(Math.floor(page / PAGES_OF_FOLDER)).padStart(4, "0")}/page-${String(page).padStart(6, "0")}.md`;
}

/** One page with at most `mostSections` sections, its introduction among them. */
function makePage(
  vocabulary: Vocabulary,
  seed: number,
  page: number,
  mostSections: number,
): { text: string; sections: number } {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(page + 1, 0x85ebca6b));
  const topics = Array.from({ length: TOPICS }, () => drawContent(vocabulary, random));
  const word = (): string =>
    random() < TOPIC_SHARE ? pick(topics, random) : vocabulary.word(vocabulary.draw(random()));
  const sections = Math.min(
    mostSections,
    MOST_SECTIONS,
    1 + Math.floor(drawLognormal(MEDIAN_SECTIONS, SECTION_SPREAD, random)),
  );
  const lines = [`# ${makeHeading(vocabulary, topics, random)}`, ""];
  for (let section = 0; section < sections; section++) {
    if (section > 0) lines.push(`${random() < 0.7 ? "##" : "###"} ${makeHeading(vocabulary, topics, random)}`, "");
    const words = Math.min(MOST_WORDS, Math.ceil(drawLognormal(MEDIAN_WORDS, SPREAD, random)));
    lines.push(...makeProse(words, word, page, random));
    if (random() < 0.2) lines.push(...makeCode(topics, random), "");
  }
  return { text: `${lines.join("\n").trimEnd()}\n`, sections };
}

function makeHeading(vocabulary: Vocabulary, topics: readonly string[], random: () => number): string {
  const words = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    random() < 0.5 ? pick(topics, random) : drawContent(vocabulary, random),
  );
  return capitalize(words.join(" "));
}

/** Paragraphs of sentences, some as a list, some with a link to another page. */
function makeProse(words: number, word: () => string, page: number, random: () => number): string[] {
  const lines: string[] = [];
  for (let left = words; left > 0; ) {
    const isList = random() < 0.15;
    const sentences: string[] = [];
    for (let sentence = 0; sentence < 4 && left > 0; sentence++) {
      const length = Math.min(left, 5 + Math.floor(random() * 18));
      sentences.push(`${capitalize(Array.from({ length }, word).join(" "))}.`);
      left -= length;
    }
    if (page > 0 && random() < 0.25) {
      const target = Math.floor(random() * page);
      const up = Math.floor(target / PAGES_OF_FOLDER) === Math.floor(page / PAGES_OF_FOLDER) ? "" : "../";
      const path = zipfPath(target);
      sentences.push(`See [${word()} ${word()}](${up === "" ? path.slice(path.indexOf("/") + 1) : up + path}).`);
    }
    lines.push(...(isList ? sentences.map((sentence) => `- ${sentence}`) : [sentences.join(" ")]), "");
  }
  return lines;
}

function makeCode(topics: readonly string[], random: () => number): string[] {
  const name = (): string => `${pick(topics, random)}${capitalize(pick(topics, random))}`;
  const lines = Array.from(
    { length: 2 + Math.floor(random() * 6) },
    () => `const ${name()} = ${name()}("${pick(topics, random)}");`,
  );
  return ["```js", ...lines, "```"];
}

/** A word that is no function word. */
function drawContent(vocabulary: Vocabulary, random: () => number): string {
  let rank = 0;
  while (rank < vocabulary.functionWords) rank = vocabulary.draw(random());
  return vocabulary.word(rank);
}

/** e to a normal draw around ln(median), by Box and Muller. */
function drawLognormal(median: number, spread: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(spread * normal);
}

function pick(words: readonly string[], random: () => number): string {
  return words[Math.floor(random() * words.length)] as string;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
