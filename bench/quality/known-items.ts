/**
 * Known items: pieces cut out of a real documentation tree become queries. Does search find the section they came from?
 *
 *   node bench/quality/known-items.ts DIR INDEX [COUNT] [SEED]
 *
 * Asks COUNT (100) items of each kind (`cut-items.ts`), lower-cased, with one word in four inflected or swapped with the
 * next. A hit counts if one of the first five sections covers the line that the item was cut from.
 *
 * Then page titles that occur once, as they are written and with two neighbouring letters of one word swapped: the mean
 * reciprocal rank of the page among the first ten.
 */
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { makeRandom, shuffle } from "../random.ts";
import { askItem } from "./ask-item.ts";
import { cutItems, ITEM_KINDS } from "./cut-items.ts";
import { listTitles, readPages, swapLetters } from "./titles.ts";

const [dir, indexDir, countText = "100", seedText = "1"] = process.argv.slice(2);
if (dir === undefined || indexDir === undefined) {
  console.error("usage: known-items.ts DIR INDEX [COUNT] [SEED]");
  process.exit(2);
}
const verbose = process.env.VERBOSE !== undefined;
const random = makeRandom(Number(seedText));
const { index } = await openDiskIndex(indexDir);
const texts = readPages(dir);
const items = cutItems(texts);
for (const kind of ITEM_KINDS) {
  const chosen = shuffle(
    items.filter((item) => item.kind === kind),
    random,
  ).slice(0, Number(countText));
  let found = 0;
  let page = 0;
  for (const item of chosen) {
    const query = vary(item.query);
    const { hasSection, hasPage, got } = await askItem(new IndexReader(index, "all"), { ...item, query });
    if (hasSection) found++;
    if (hasPage) page++;
    if (!hasSection && verbose)
      console.log(
        `  miss ${hasPage ? "section" : "page"} ${kind} ${item.path}:${item.line} "${query}" got ${got.join(" | ")}`,
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
