/**
 * Recounts every concept of an index in its pages, with words cut by regular expressions of its own, and says where the two differ.
 * Usage: node bench/quality/concept-recount.ts PAGES INDEX, where INDEX was built from the folder PAGES alone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import { parseMarkdown } from "../../indexer/parse/markdown/parse.ts";
import { decodeConcept } from "../../src/core/format/topics.ts";
import { entriesOf } from "../../src/core/index/index-reader.ts";
import { foldText, stemWord } from "../../src/core/text/normalize.ts";

const [pages = "", place = ""] = process.argv.slice(2);
const RUN =
  /@[\p{L}\p{N}][\p{L}\p{N}\p{M}_.-]*\/[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_])?|(?:(?<![\p{L}\p{N}_.)\]}?!-])(?:--|\.)(?=[\p{L}_]))?[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:(?:\.|[-‐‑]+|::?|['’])[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*)*(?:\+\+|#(?![\p{L}\p{N}_#]))?/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}]+/gu;
const CASES =
  /OAuth\d*|[ei][A-Z]{2,}(?![a-z])|[A-Z]{2,}(?:s|ful|v\d+)(?![a-z])|(?:\p{Lu}\p{M}*)+(?=\p{Lu}\p{M}*\p{Ll})|(?:\p{Lu}\p{M}*)?\P{Lu}+|(?:\p{Lu}\p{M}*)+/gu;
const MIXED = /[\p{Ll}0-9]\p{M}*\p{Lu}|\p{Lu}\p{M}*\p{Lu}\p{M}*\p{Ll}/u;
const JOINTS = /[_-]+(?![\d_-])|(?<![\d_-])[_-]+/g;
const singular = (word: string): string => (/^(?!HTTPs)[A-Z]{2,}s$/.test(word) ? word.slice(0, -1) : word);
const stem = (word: string): string => stemWord(foldText(word.slice(0, 64)).slice(0, 64));

/** A word of a text with the identifiers that begin with it, by how many words they are. */
type Word = { stem: string; wholes: [string, number][] };

function cut(text: string): Word[] {
  const runs =
    text
      .normalize("NFC")
      .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
      .match(RUN) ?? [];
  return runs.flatMap((written) => {
    const pieces = written.split(new RegExp(`(${UNSPACED.source})`, "u"));
    if (pieces.length > 1) return pieces.flatMap((piece, at) => (at % 2 === 0 ? cut(piece) : pairs(piece)));
    const run = written
      .replace(/['’]s$/i, "")
      .replace(/['’]/g, "")
      .replace(/[‐‑]/g, "-");
    const split = run.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
    const parts = split.flatMap((piece) => (MIXED.test(piece) ? (piece.match(CASES) ?? []) : [piece]));
    const words: Word[] = parts.map((part) => ({ stem: stem(singular(part)), wholes: [] }));
    const whole = parts.length > 1 ? run.replace(JOINTS, "") : run;
    const forms = parts.length > 1 || parts[0] !== run ? [whole] : [];
    if (parts.length > 1 && whole.startsWith(".")) forms.push(whole.slice(1));
    for (const form of forms) if (form.length <= 64) words[0]?.wholes.push([stem(form), parts.length]);
    return words;
  });
}

function pairs(run: string): Word[] {
  const letters = [...run];
  return letters.slice(letters.length > 1 ? 1 : 0).map((letter, at) => {
    return { stem: stem(letters.length > 1 ? `${letters[at]}${letter}` : letter), wholes: [] };
  });
}

/** The stems that a name is: of an identifier that is no mere words the whole. */
function phraseOf(name: string): string[] {
  const bare = (/^<\/?([^<>\s/]+)\s*\/?>$/.exec(name)?.[1] ?? name).replace(/\(\)$/, "").replace(/['’]/g, "");
  const words = bare.split(/[\s\-‐‑]+/).filter(Boolean);
  const isPlain = words.every((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word) && !word.match(UNSPACED));
  if (isPlain) return words.map(stem);
  const cutName = cut(bare);
  const phrase: string[] = [];
  for (let at = 0; at < cutName.length; ) {
    const [whole, size] = cutName[at]?.wholes[0] ?? [cutName[at]?.stem ?? "", 1];
    phrase.push(whole);
    at += size;
  }
  return phrase;
}

function holds(words: Word[], at: number, phrase: readonly string[]): boolean {
  const [first, ...rest] = phrase;
  if (first === undefined) return true;
  const ends = [[words[at]?.stem, 1] as const, ...(words[at]?.wholes ?? [])];
  return ends.some(([own, size]) => own === first && at + size <= words.length && holds(words, at + size, rest));
}

const reader = await openIndexAt(place);
const { tables } = await reader.read([{ shard: reader.shards[0]?.index ?? 0, table: "concepts", keys: "all" }], []);
const entries = [...entriesOf(tables[0] ?? [])];
const concepts = new Map(
  entries.flatMap(([key, value]) => (key.startsWith("n") ? [[decodeConcept(value).name, decodeConcept(value)]] : [])),
);
const ids = entries.flatMap(([key]) =>
  /^d.*\.mdx?$/.test(key) ? [Buffer.from(key.slice(1), "latin1").toString()] : [],
);
const texts = ids.map((id) => {
  const path = id.replace(/^[^:]*:/, "");
  const { title, description, sections } = parseMarkdown({ path, text: readFileSync(join(pages, path), "utf8") });
  const headings = sections.slice(1).map((section) => section.title);
  return [title, description, ...headings, ...sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))].map(
    cut,
  );
});
let different = 0;
for (const [name, { type, places }] of concepts) {
  const names = type === "acronym" ? [name.replace(/ \(.*\)$/, ""), name.replace(/^.*? \((.*)\)$/, "$1")] : [name];
  const phrases = names.map(phraseOf);
  const isIn = (words: Word[]): boolean => words.some((_, at) => phrases.some((phrase) => holds(words, at, phrase)));
  const counted = ids.filter((_, at) => texts[at]?.some(isIn));
  const listed = places.flatMap(({ documentId }) => (/\.mdx?$/.test(documentId) ? [documentId] : []));
  if (counted.sort().join() === listed.sort().join()) continue;
  different++;
  console.log(`${name}: ${listed.length} pages in the index, ${counted.length} recounted`);
}
console.log(
  `${concepts.size} concepts in ${ids.length} pages: ${concepts.size - different} equal, ${different} different`,
);
process.exitCode = different > 0 ? 1 : 0;
