/**
 * How long symbols of source files are in each format: flat minified JSON, grouped TOON, text; in characters and
 * estimated tokens, with signatures and without. All but text say the same of each symbol; text leaves out last lines and
 * whether it is exported.
 *
 * Without paths: the five files of highest rank with 15 to 40 symbols each. Exits with 1 where a grouped form is longer than
 * a quarter of the JSON, with signatures .35.
 *
 * usage: npm run bench:formats -- INDEX [PATH ...]
 */
import { encode } from "@toon-format/toon";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import { loadPlaces, readWithFiles } from "../../src/core/code/load-files.ts";
import { splitDocumentId } from "../../src/core/docs/node-id.ts";
import type { FileRecord } from "../../src/core/format/code-model.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { describeFound, groupNodes, toCodeNode } from "../../src/surface/render/symbols.ts";
import { estimateTokens } from "../../src/surface/render/text.ts";

const FILES = 5;
const FEWEST = 15;
const MOST = 40;
/** Greatest share of the JSON that a grouped form may have. */
const LIMIT = 0.25;
const LIMIT_WITH_SIGNATURES = 0.35;

const [at, ...paths] = process.argv.slice(2);
if (at === undefined) {
  console.error("usage: npm run bench:formats -- INDEX [PATH ...]");
  process.exit(2);
}

const { index } = await openIndexAt(at);
const files = chooseFiles(await readFiles(new IndexReader(index)), paths);
const symbols = files.flatMap((file) => shownOf(file));
console.log(`${symbols.length} symbols of ${files.map(({ id }) => splitDocumentId(id).path).join(", ")}`);
console.log("| | signatures | characters | of JSON | tokens | of JSON |\n|---|---|---|---|---|---|");
let isLonger = false;
for (const withSignature of [false, true]) {
  const nodes = symbols.map(({ inFile, record }) => toCodeNode(inFile, record, withSignature));
  const json = JSON.stringify(nodes);
  const found = describeFound("*", symbols, { withSignature, offset: 0, total: symbols.length, packages: [] });
  const forms = { JSON: json, TOON: encode(groupNodes(nodes)), text: found.forms[0]?.blocks().join("\n\n") ?? "" };
  for (const [name, text] of Object.entries(forms)) {
    const share = text.length / json.length;
    const tokenShare = estimateTokens(text) / estimateTokens(json);
    const limit = withSignature ? LIMIT_WITH_SIGNATURES : LIMIT;
    if (name !== "JSON" && Math.max(share, tokenShare) > limit) isLonger = true;
    const cells = [text.length, share.toFixed(3), estimateTokens(text), tokenShare.toFixed(3)];
    console.log(`| ${name} | ${withSignature ? "with" : "without"} | ${cells.join(" | ")} |`);
  }
}
if (isLonger) process.exitCode = 1;

async function readFiles(reader: IndexReader): Promise<FileRecord[]> {
  const { lists } = await readWithFiles(reader, []);
  const places = [...lists].flatMap(([shard, list]) => list.map(({ number }) => ({ shard, file: number })));
  return [...(await loadPlaces(reader, places)).values()].map(({ record }) => record);
}

function chooseFiles(all: readonly FileRecord[], wanted: readonly string[]): FileRecord[] {
  if (wanted.length > 0) return all.filter(({ id }) => wanted.includes(splitDocumentId(id).path));
  const fitting = all.filter((file) => {
    const count = shownOf(file).length;
    return count >= FEWEST && count <= MOST && !file.symbols.some(({ flags }) => flags.includes("test"));
  });
  return fitting.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1)).slice(0, FILES);
}

/** Symbols that an outline of the file shows. */
function shownOf(inFile: FileRecord): Parameters<typeof describeFound>[1][number][] {
  return inFile.symbols.flatMap((record) => (record.flags.includes("inner") ? [] : [{ record, inFile }]));
}
