/**
 * Known items: pieces cut out of a real documentation tree, asked for again; is the section they came from found?
 *
 *   node bench/quality/known-items.ts DIR INDEX [COUNT] [SEED]
 *
 * Four kinds, COUNT (100) of each: a heading that occurs once, a sentence, a page's introduction, an identifier inside
 * a code fence that occurs once in the tree. They are cut from the raw files by line patterns of this script, not by
 * Treeline's parser; lower-cased, and one word in four is inflected or changes places with the next.
 * A hit counts when one of the first five sections, in the order of the answer, covers the line it was cut from.
 *
 * Then page titles that occur once, as they are written and with two neighbouring letters of one word swapped: the mean
 * reciprocal rank of the page among the first ten.
 */
import { openDiskIndex } from "../../indexer/disk-source.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/request.ts";
import { search } from "../../src/core/search/search.ts";
import { loadOutline } from "../../src/core/tree/documents.ts";
import { makeRandom, shuffle } from "../random.ts";
import { listTitles, readPages, swapLetters } from "./titles.ts";

interface Item {
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly query: string;
}

const [dir, indexDir, countText = "100", seedText = "1"] = process.argv.slice(2);
if (dir === undefined || indexDir === undefined) {
  console.error("usage: known-items.ts DIR INDEX [COUNT] [SEED]");
  process.exit(2);
}
const verbose = process.env.VERBOSE !== undefined;
const random = makeRandom(Number(seedText));
const { index } = await openDiskIndex(indexDir);
const texts = readPages(dir);
const items = cutItems();
for (const kind of ["heading", "sentence", "introduction", "identifier"]) {
  const chosen = shuffle(
    items.filter((item) => item.kind === kind),
    random,
  ).slice(0, Number(countText));
  let found = 0;
  let page = 0;
  for (const item of chosen) {
    const rank = await rankOf(item);
    if (rank.section) found++;
    if (rank.page) page++;
    if (!rank.section && verbose)
      console.log(
        `  miss ${rank.page ? "section" : "page"} ${item.kind} ${item.path}:${item.line} "${item.query}" got ${rank.got.join(" | ")}`,
      );
  }
  console.log(
    `${kind.padEnd(13)} section in the top 5: ${(found / chosen.length).toFixed(3)}, page: ${(page / chosen.length).toFixed(3)} of ${chosen.length}`,
  );
}

for (const isSwapped of [false, true]) {
  const chosen = shuffle(listTitles(texts), random).slice(0, Number(countText));
  let sum = 0;
  for (const { path, title } of chosen) {
    const asked = isSwapped ? swapLetters(title, random) : title;
    const answer = await search(new IndexReader(index, "all"), makeSearchRequest(asked, { excerpts: 0 }));
    const rank = answer.hits.findIndex((hit) => hit.path === path);
    if (rank >= 0) sum += 1 / (rank + 1);
    if (rank !== 0 && verbose) console.log(`  title ${rank + 1} ${path} "${asked}" got ${answer.hits[0]?.path}`);
  }
  const name = isSwapped ? "title, swapped" : "title";
  console.log(`${name.padEnd(13)} MRR@10: ${(sum / chosen.length).toFixed(3)} of ${chosen.length}`);
}

async function rankOf(item: Item): Promise<{ section: boolean; page: boolean; got: string[] }> {
  const reader = new IndexReader(index, "all");
  const answer = await search(reader, makeSearchRequest(item.query));
  const first = answer.hits.flatMap((hit) => hit.sections.map((section) => ({ hit, section }))).slice(0, 5);
  let section = false;
  for (const { hit, section: at } of first) {
    if (hit.path !== item.path) continue;
    const outline = await loadOutline(reader, hit.id);
    const own = outline?.sections[at.ordinal];
    if (own !== undefined && own.startLine <= item.line && item.line <= own.endLine) section = true;
  }
  return {
    section,
    page: first.some(({ hit }) => hit.path === item.path),
    got: first.map(({ section: at }) => at.nodeId),
  };
}

function cutItems(): Item[] {
  const headings = new Map<string, Item[]>();
  const identifiers = new Map<string, Item[]>();
  const rest: Item[] = [];
  for (const [path, lines] of texts) {
    let fenced = false;
    let seenIntroduction = false;
    let body = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
    for (; body < lines.length; body++) {
      const line = lines[body] as string;
      const at = { path, line: body + 1 };
      if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
      else if (fenced) {
        for (const [word] of line.matchAll(/[A-Za-z_$][\w$]*(?:[._-][A-Za-z_$][\w$]*)*/g)) {
          if (/[a-z][A-Z]|_|\./.test(word) && word.length >= 6)
            push(identifiers, word, { kind: "identifier", ...at, query: word.toLowerCase() });
        }
      } else if (/^#{1,6} /.test(line)) {
        const title = plain(line.replace(/^#+ /, ""));
        if (title.split(" ").length >= 2)
          push(headings, title.toLowerCase(), { kind: "heading", ...at, query: vary(title) });
      } else if (/^[A-Z][^|<>{}]{60,}/.test(line)) {
        const sentence = plain(line).split(/(?<=[.!?]) /)[0] as string;
        const words = sentence.split(" ");
        if (words.length < 8 || words.length > 30) continue;
        rest.push({
          kind: seenIntroduction ? "sentence" : "introduction",
          ...at,
          query: vary(seenIntroduction ? words.slice(0, 14).join(" ") : words.slice(0, 12).join(" ")),
        });
        seenIntroduction = true;
      }
    }
  }
  const once = (map: Map<string, Item[]>): Item[] => [...map.values()].filter((list) => list.length === 1).flat();
  return [...rest, ...once(headings), ...once(identifiers)];
}

function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`_]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Lower case; one word in four inflected or swapped with the next. */
function vary(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[.!?,;:()"]+/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  for (let i = 0; i < words.length; i++) {
    if (random() >= 0.25) continue;
    const word = words[i] as string;
    if (random() < 0.5 && i + 1 < words.length) [words[i], words[i + 1]] = [words[i + 1] as string, word];
    else if (/^[a-z]{4,}$/.test(word))
      words[i] = word.endsWith("s") ? word.slice(0, -1) : word.endsWith("e") ? `${word}d` : `${word}s`;
  }
  return words.join(" ");
}

function push(map: Map<string, Item[]>, key: string, item: Item): void {
  map.set(key, [...(map.get(key) ?? []), item]);
}
