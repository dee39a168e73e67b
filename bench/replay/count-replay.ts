/** New bytes of each edit of the small history, for the gate; and proof that nothing is lost on the way. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCorpus } from "../../indexer/index/build.ts";
import type { Figures } from "../compare-figures.ts";
import { writeZipfCorpus } from "../corpora/zipf.ts";
import { compareAnswers } from "./compare-answers.ts";
import { readFolder } from "./histories.ts";
import { isRewrite, playHistory } from "./play-history.ts";
import { makeSmallHistory } from "./small-history.ts";

const OWN_PAGES = fileURLToPath(new URL("../relevance/own/docs", import.meta.url));
/** Generated pages beside them, so that the edits touch a small part of what there is. */
const SECTIONS = 250;
const SEED = 1;
const FEWEST_QUERIES = 20;

/** Plays the history in a folder. @throws {Error} where an edit finds something else than a build of all. */
export async function countReplay(room: string): Promise<Figures> {
  const made = join(room, "made");
  writeZipfCorpus(made, SECTIONS, SEED);
  const base = new Map([...prefixPaths("made/", readFolder(made)), ...prefixPaths("own/", readFolder(OWN_PAGES))]);
  const edits: Record<string, Figures> = {};
  let sum = 0;
  let rewrites = 0;
  const play = join(room, "play");
  const build = async (dir: string, outDir: string, onBase?: string): Promise<{ readonly notice: string }> =>
    buildCorpus({ dir, outDir, ...(onBase !== undefined && { base: onBase }) });
  for await (const edit of playHistory({ history: makeSmallHistory(base, "own/"), room: play, build })) {
    if (edit.at === 0) continue;
    await expectSameAnswers(play, join(room, "scratch"), edit.name);
    const isAnew = isRewrite(edit);
    if (isAnew) rewrites++;
    sum += edit.newBytes;
    edits[edit.name] = { newBytes: edit.newBytes, builtAnew: Number(isAnew), shards: edit.shards };
  }
  return { sum, rewrites, edits };
}

async function expectSameAnswers(play: string, scratch: string, edit: string): Promise<void> {
  const pages = join(play, "pages");
  rmSync(scratch, { recursive: true, force: true });
  await buildCorpus({ dir: pages, outDir: scratch, cacheDir: `${scratch}-cache` });
  const { queries, differences } = await compareAnswers(join(play, "index"), scratch, pages, SEED);
  if (queries < FEWEST_QUERIES) throw new Error(`after "${edit}": no more than ${queries} queries were compared`);
  if (differences.length > 0) {
    throw new Error(`after "${edit}" a build on the index before finds other things: ${differences.join("; ")}`);
  }
}

function prefixPaths(prefix: string, pages: ReadonlyMap<string, string>): [string, string][] {
  return [...pages].map(([path, text]) => [prefix + path, text]);
}
