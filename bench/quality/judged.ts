/**
 * Run the questions of a judged collection against an index and write what was found, one line a document.
 *
 *   node bench/quality/judged.ts SET INDEX [queries.jsonl] > run.tsv
 *
 * SET holds queries.jsonl ({id, text}); INDEX is what `treeline build SET/docs --out INDEX` wrote. Score the output
 * with the collection's own scorer: query id, document path, score.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDiskIndex } from "../../indexer/disk-source.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { search } from "../../src/core/search/search.ts";
import { NO_FILTER } from "../../src/core/tree/facets.ts";

const DEPTH = 20;

const [set, indexDir, queryFile = "queries.jsonl"] = process.argv.slice(2);
if (set === undefined || indexDir === undefined) {
  console.error("usage: judged.ts SET INDEX [QUERIES] > run.tsv");
  process.exit(2);
}
const { index } = await openDiskIndex(indexDir);
for (const line of readFileSync(join(set, queryFile), "utf8").split("\n").filter(Boolean)) {
  const { id, text } = JSON.parse(line) as { id: string | number; text: string };
  const answer = await search(new IndexReader(index, "all"), {
    query: text,
    offset: 0,
    limit: DEPTH,
    excerpts: 0,
    collections: [],
    documentId: undefined,
    filter: NO_FILTER,
    sort: "relevance",
    withFacetCounts: false,
  });
  for (const hit of answer.hits) console.log(`${id}\t${hit.path}\t${hit.score.toFixed(4)}`);
}
