/**
 * Measure `find_similar`: what similarity copies, edits and strangers have, and whether the section is found.
 *
 *   node bench/quality/similarity.ts INDEX [COUNT] [SEED]
 *
 * COUNT (200) sections of at least 25 words are drawn from the index. Each is compared with itself, with a copy in which
 * every tenth word is another word of the corpus, with the section in the middle of two others, and with another
 * section; then it is asked for, whole and edited, as a draft. Where the index holds the pages of
 * `paraphrases.json`, those are compared too. Drafts of many sections follow: whole pages, of which as many sections as
 * are shown should be found, and mixtures of nine sections, of which all should. Costs are of a reader with nothing in
 * memory but the root.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CACHE_BYTES, openDiskIndex } from "../../indexer/base/index-source.ts";
import { meanOf, percentileOf } from "../../indexer/cli/commands/eval.ts";
import { listDocumentNames } from "../../src/core/docs/catalogue.ts";
import { loadOutline, readSections } from "../../src/core/docs/documents.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { findSimilar, measureOverlap, prepareText } from "../../src/core/search/similar.ts";
import { makeRandom } from "../random.ts";

const LEAST_WORDS = 25;
const CHANGED = 10;
const MAX_DRAFT = 20_000;
const SHOWN = 5;
const THRESHOLD = 0.35;
const MIXED = 9;
const WORD = /[\p{L}\p{N}_]+/gu;

interface Drawn {
  readonly nodeId: string;
  readonly text: string;
}

const [indexDir, countText = "200", seedText = "1"] = process.argv.slice(2);
if (indexDir === undefined) {
  console.error("usage: similarity.ts INDEX [COUNT] [SEED]");
  process.exit(2);
}
const random = makeRandom(Number(seedText));
const reader = await openDiskIndex(indexDir);
const sections = await drawSections(Number(countText));
const vocabulary = sections.flatMap(({ text }) => text.match(/[A-Za-z]{3,}/g) ?? []);
const strangers = sections.map((_, at) => sections[(at + 1) % sections.length] as Drawn);

show("the same text", (section) => section.text);
show("every tenth word changed", (section) => edit(section.text));
show("inside a longer draft", (section, at) => {
  const other = strangers[at] as Drawn;
  return `${other.text}\n\n${section.text}\n\n${other.text}`;
});
show("another section", (_, at) => (strangers[at] as Drawn).text);
await showParaphrases();
await find("found by its own text", (text) => text);
await find("found with every tenth word changed", edit);
await findInPages();
await findInMixtures();

/** Sections of random documents, frontmatter left out. */
async function drawSections(count: number): Promise<Drawn[]> {
  const names = await listDocumentNames(reader);
  const drawn = new Map<string, Drawn>();
  for (let tries = 0; drawn.size < count && tries < count * 20; tries++) {
    const name = names[Math.floor(random() * names.length)];
    const outline = name === undefined ? undefined : await loadOutline(reader, name.id);
    const section = outline?.sections[Math.floor(random() * outline.sections.length)];
    if (outline === undefined || section === undefined || section.words < LEAST_WORDS) continue;
    const [read] = await readSections(reader, outline, [section.ordinal]);
    if (read !== undefined && read.text.length <= MAX_DRAFT) {
      drawn.set(section.nodeId, { nodeId: section.nodeId, text: read.text });
    }
  }
  return [...drawn.values()];
}

function edit(text: string): string {
  let at = 0;
  return text.replace(WORD, (word) => {
    at++;
    return at % CHANGED === 0 ? (vocabulary[Math.floor(random() * vocabulary.length)] ?? word) : word;
  });
}

function compare(draft: string, section: string): number {
  return measureOverlap(prepareText(draft, true), prepareText(section, true), true).similarity;
}

function show(name: string, draftOf: (section: Drawn, at: number) => string): void {
  print(
    name,
    sections.map((section, at) => compare(draftOf(section, at), section.text)),
  );
}

function print(name: string, values: readonly number[]): void {
  const at = (share: number): string => percentileOf(values, share).toFixed(2);
  console.log(`${name}: least ${at(0)}, 5 % ${at(0.05)}, median ${at(0.5)}, 95 % ${at(0.95)}, most ${at(1)}`);
}

async function showParaphrases(): Promise<void> {
  const { paraphrases } = JSON.parse(readFileSync(join(import.meta.dirname, "paraphrases.json"), "utf8")) as {
    paraphrases: { section: string; text: string }[];
  };
  const values: number[] = [];
  for (const { section, text } of paraphrases) {
    const [path = ""] = section.split("#");
    const name = (await listDocumentNames(reader)).find((one) => one.path.endsWith(path));
    const outline = name === undefined ? undefined : await loadOutline(reader, name.id);
    const found = outline?.sections.find(({ nodeId }) => nodeId.endsWith(section));
    if (outline === undefined || found === undefined) continue;
    const [read] = await readSections(reader, outline, [found.ordinal]);
    values.push(compare(text, read?.text ?? ""));
  }
  if (values.length > 0) print(`the same in other words (${values.length})`, values);
}

async function find(name: string, draftOf: (text: string) => string): Promise<void> {
  const answers: { section: Drawn; answer: Awaited<ReturnType<typeof findSimilar>>; milliseconds: number }[] = [];
  for (const section of sections) {
    const cold = new IndexReader({ ...reader.index, cache: new LruCache(CACHE_BYTES) }, "all");
    const started = performance.now();
    const content = draftOf(section.text).slice(0, MAX_DRAFT);
    const answer = await findSimilar(cold, { content, limit: SHOWN, threshold: THRESHOLD, collection: undefined });
    answers.push({ section, answer, milliseconds: performance.now() - started });
  }
  const rankOf = ({ section, answer }: (typeof answers)[number]): number =>
    answer.sections.findIndex((one) => one.section.nodeId === section.nodeId);
  const share = (is: (one: (typeof answers)[number]) => boolean): string =>
    (answers.filter(is).length / answers.length).toFixed(3);
  console.log(`${name}: first ${share((one) => rankOf(one) === 0)}, among five ${share((one) => rankOf(one) >= 0)}`);
  for (const one of answers) {
    if (process.env.VERBOSE !== undefined && rankOf(one) !== 0) console.log(`  ${rankOf(one)} ${one.section.nodeId}`);
  }
  for (const member of ["waves", "reads", "bytes"] as const) {
    const values = answers.map(({ answer }) => answer.cost[member]);
    console.log(`  ${member}: mean ${meanOf(values).toFixed(1)}, worst ${Math.max(...values)}`);
  }
  const times = answers.map(({ milliseconds }) => milliseconds);
  console.log(`  ms: median ${percentileOf(times, 0.5).toFixed(1)}, 95 % ${percentileOf(times, 0.95).toFixed(1)}`);
}

/** Pages of at least five sections: how many of the sections that an answer has room for are the page's own? */
async function findInPages(): Promise<void> {
  const ids = [...new Set(sections.map(({ nodeId }) => nodeId.replace(/#.*/, "")))];
  let pages = 0;
  let own = 0;
  let wanted = 0;
  for (const id of ids) {
    const outline = await loadOutline(reader, id);
    if (outline === undefined || outline.sections.length < SHOWN) continue;
    const ordinals = outline.sections.map(({ ordinal }) => ordinal);
    const content = (await readSections(reader, outline, ordinals)).map(({ text }) => text).join("");
    if (content.length > MAX_DRAFT) continue;
    const request = { content, limit: SHOWN, threshold: THRESHOLD, collection: undefined };
    const answer = await findSimilar(new IndexReader(reader.index, "all"), request);
    pages++;
    own += answer.sections.filter((one) => one.outline.document.id === id).length;
    wanted += Math.min(SHOWN, outline.sections.filter(({ words }) => words >= LEAST_WORDS).length);
  }
  console.log(`${pages} whole pages as drafts: ${own} of ${wanted} places have a section of the page`);
}

/** Sections that have nothing to do with one another, as one draft. */
async function findInMixtures(): Promise<void> {
  let found = 0;
  let wanted = 0;
  for (let at = 0; at + MIXED <= sections.length; at += MIXED) {
    const mixed = sections.slice(at, at + MIXED);
    const content = mixed.map(({ text }) => text).join("\n\n");
    if (content.length > MAX_DRAFT) continue;
    const request = { content, limit: 20, threshold: THRESHOLD, collection: undefined };
    const answer = await findSimilar(new IndexReader(reader.index, "all"), request);
    const ids = new Set(answer.sections.map(({ section }) => section.nodeId));
    wanted += mixed.length;
    found += mixed.filter(({ nodeId }) => ids.has(nodeId)).length;
  }
  console.log(`mixtures of ${MIXED} sections as drafts: ${found} of ${wanted} sections found`);
}
