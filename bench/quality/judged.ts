/**
 * Run the questions of a judged collection against an index and write what was found, one line a document.
 *
 *   node bench/quality/judged.ts SET INDEX [queries.jsonl] > run.tsv
 *
 * SET holds queries.jsonl ({id, text}); INDEX is what `treeline build SET/docs --out INDEX` wrote, or the address of a
 * server that serves it (`http://127.0.0.1:8787`), asked through `/search`. Score the output with the collection's own
 * scorer: query id, document path, score.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDiskIndex } from "../../indexer/disk-source.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/request.ts";
import { search } from "../../src/core/search/search.ts";

const DEPTH = 20;

const [set, indexDir, queryFile = "queries.jsonl"] = process.argv.slice(2);
if (set === undefined || indexDir === undefined) {
  console.error("usage: judged.ts SET INDEX [QUERIES] > run.tsv");
  process.exit(2);
}
const ask = indexDir.startsWith("http") ? askServer(indexDir) : await askDisk(indexDir);
for (const line of readFileSync(join(set, queryFile), "utf8").split("\n").filter(Boolean)) {
  const { id, text } = JSON.parse(line) as { id: string | number; text: string };
  for (const { path, score } of await ask(text)) console.log(`${id}\t${path}\t${score.toFixed(4)}`);
}

type Ask = (query: string) => Promise<readonly { readonly path: string; readonly score: number }[]>;

async function askDisk(dir: string): Promise<Ask> {
  const { index } = await openDiskIndex(dir);
  return async (query) => {
    const answer = await search(new IndexReader(index, "all"), makeSearchRequest(query, { limit: DEPTH, excerpts: 0 }));
    return answer.hits;
  };
}

function askServer(address: string): Ask {
  return async (query) => {
    const response = await fetch(`${address}/search?limit=${DEPTH}&q=${encodeURIComponent(query)}`);
    if (!response.ok) throw new Error(`${response.status} for ${JSON.stringify(query)}: ${await response.text()}`);
    return ((await response.json()) as { results: { path: string; score: number }[] }).results;
  };
}
