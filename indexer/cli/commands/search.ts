/**
 * Commands `search`, `summary` and `dump`: an index in a folder or on a web host, asked as the Worker would ask it, or printed.
 */

import { KEY_SEPARATOR, keyOfNumber, textOfKey } from "../../../src/core/bytes/key.ts";
import { readInsights } from "../../../src/core/code/insights.ts";
import { checkCollection, listDocumentNames } from "../../../src/core/docs/catalogue.ts";
import { loadOutline } from "../../../src/core/docs/documents.ts";
import { pathOf } from "../../../src/core/docs/node-id.ts";
import {
  type EdgeRecord,
  type FileRecord,
  IMPORT_KINDS,
  isExported,
  makeSymbolId,
  withoutOrdinal,
} from "../../../src/core/format/code-model.ts";
import { decodeEdges } from "../../../src/core/format/edge-tables.ts";
import { decodeFileRecord } from "../../../src/core/format/file-tables.ts";
import { decodePostings } from "../../../src/core/format/postings.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { codeShards } from "../../../src/core/index/shards.ts";
import type { SearchAnswer } from "../../../src/core/search/answer.ts";
import { DEFAULT_EXCERPTS, DEFAULT_LIMIT, makeSearchRequest } from "../../../src/core/search/answer.ts";
import { readRanking } from "../../../src/core/search/ranking-settings.ts";
import { search } from "../../../src/core/search/search.ts";
import { isStopList } from "../../../src/core/text/analyze.ts";
import { describeSummary, summarize, summaryForms, summaryJson } from "../../../src/surface/render/graph-summary.ts";
import { describeSearch, formatExplanation } from "../../../src/surface/render/search-text.ts";
import { formatCount } from "../../../src/surface/render/text.ts";
import { UsageError } from "../../base/diagnostic.ts";
import { openIndexAt } from "../../open/open-index.ts";
import {
  type Command,
  clean,
  EXIT,
  indexOption,
  option,
  printResult,
  readCount,
  readIndexOption,
  type Terminal,
} from "../run-cli.ts";

const searchCommand: Command = {
  name: "search",
  summary: "Search an index in a folder or on a web host.",
  positionals: ["<query>"],
  options: {
    index: indexOption,
    limit: option.text("N", `Documents to show. Default ${DEFAULT_LIMIT}.`, "n"),
    excerpts: option.text("N", `Sections that show an excerpt. Default ${DEFAULT_EXCERPTS}.`),
    collection: option.text("NAME", "Only this collection."),
    ranking: option.text("SETTINGS", "A preset, or settings as JSON: '{\"title_weight\": 4}'."),
    explain: option.flag("Show what each score is made of, and what the search read."),
    "no-correct": option.flag("Search for every word as it is written."),
    json: option.flag("Print the whole answer as one JSON object."),
  },
  async run(input, terminal) {
    const query = input.positionals[0];
    if (query === undefined || query.trim() === "") throw new UsageError("say what to search for");
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    const ranking = input.text("ranking");
    if (collection !== undefined) checkCollection(reader, collection);
    const answer = await search(
      reader,
      makeSearchRequest(query, {
        limit: readCount(input, "limit", DEFAULT_LIMIT),
        excerpts: readCount(input, "excerpts", DEFAULT_EXCERPTS, 0),
        collections: collection === undefined ? [] : [collection],
        withFacetCounts: input.has("json"),
        withDetails: input.has("json"),
        ranking: ranking === undefined ? {} : readRanking(ranking),
        correct: !input.has("no-correct"),
        explain: input.has("explain"),
      }),
    );
    printResult(input, terminal, answer, () => describeAnswer(answer, terminal.interactive), String);
    const { waves, reads, bytes } = answer.cost;
    if (input.has("explain") && !input.has("json")) terminal.warn(`${waves} waves, ${reads} reads, ${bytes} bytes`);
    return EXIT.done;
  },
};

function describeAnswer(answer: SearchAnswer, isMarked: boolean): string[] {
  const { totalDocuments, hits } = answer;
  const mark = (text: string): string => (isMarked ? `\u001b[1m${text}\u001b[0m` : text);
  return [
    `${formatCount(totalDocuments, "document")}${hits.length < totalDocuments ? `, ${hits.length} shown` : ""}`,
    ...describeSearch(answer).map(clean),
    ...hits.flatMap((hit) => [
      clean(`${hit.path} (${hit.score.toFixed(2)}) ${hit.title}`),
      ...(hit.explanation === undefined ? [] : formatExplanation(hit.explanation).map((line) => `    ${line}`)),
      ...hit.sections.flatMap(({ nodeId, headingPath, excerpt }) => {
        const heading = headingPath.slice(1).join(" > ");
        const shown = excerpt.map(({ text, marked }) => (marked ? mark(clean(text)) : clean(text))).join("");
        return [clean(`  ${nodeId}${heading === "" ? "" : ` ${heading}`}`), ...(shown === "" ? [] : [`    ${shown}`])];
      }),
    ]),
  ];
}

const summaryCommand: Command = {
  name: "summary",
  summary: "Show how files and pages hang together: hubs, import cycles, orphans, broken links.",
  positionals: [],
  options: {
    index: indexOption,
    collection: option.text("NAME", "Only this collection."),
    json: option.flag("Print one JSON object, as the tool get_graph_summary answers."),
  },
  async run(input, terminal) {
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    if (collection !== undefined) checkCollection(reader, collection);
    const { values } = await readInsights(reader, collection);
    const metadata = describeSummary(reader.generation, reader.index.buildMs, "read", Date.now());
    const blocks = () => [summarize(values, metadata), ...(summaryForms(values, metadata, "█")[0]?.blocks() ?? [])];
    printResult(input, terminal, summaryJson(values, metadata), blocks, (block) => `${clean(block)}\n`);
    return EXIT.done;
  },
};

const CODE_DUMPS = ["symbols", "edges", "imports"] as const;

const KINDS = ["documents", "sections", "terms", ...CODE_DUMPS] as const;
const dumpCommand: Command = {
  name: "dump",
  summary: "Print an index's documents, sections, terms, symbols, edges or imports as JSON lines.",
  positionals: [KINDS.join("|")],
  options: { index: indexOption },
  async run(input, terminal) {
    const wanted = input.positionals[0];
    if (wanted === undefined) throw new UsageError(`say what to dump: ${KINDS.join(", ")}`);
    const kind = KINDS.find((known) => known === wanted);
    if (kind === undefined)
      throw new UsageError(`cannot dump ${JSON.stringify(wanted)}; there are ${KINDS.join(", ")}`);
    const reader = await openIndexAt(readIndexOption(input));
    const code = CODE_DUMPS.find((known) => known === kind);
    if (code !== undefined) await dumpCode(reader, code, terminal);
    else if (kind === "terms") await dumpTerms(reader, terminal);
    else await dumpTrees(reader, kind as "documents" | "sections", terminal);
    return EXIT.done;
  },
};

async function dumpTrees(reader: IndexReader, kind: "documents" | "sections", terminal: Terminal): Promise<void> {
  const documents = [...(await listDocumentNames(reader))].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of documents) {
    const outline = await loadOutline(reader, id);
    if (outline === undefined) continue;
    if (kind === "documents") terminal.print(JSON.stringify(outline.document));
    else for (const section of outline.sections) terminal.print(JSON.stringify({ document: id, ...section }));
  }
}

async function dumpTerms(reader: IndexReader, terminal: Terminal): Promise<void> {
  for (const { index, root } of reader.shards) {
    const { tables } = await reader.read([{ shard: index, table: "terms", keys: "all" }]);
    for (const [key, bytes] of entriesOf(tables[0] ?? [])) {
      // Pairs of terms are keys of this table as well, with values of their own.
      if (key.includes(KEY_SEPARATOR) && !isStopList(key)) continue;
      const { form, frequencies } = decodePostings(bytes);
      terminal.print(
        JSON.stringify({ term: textOfKey(key), group: root.group, form, bytes: bytes.length, frequencies }),
      );
    }
  }
}

type CodeDump = (typeof CODE_DUMPS)[number];

/** Print one kind of lines for all source files, in the order of their ids. */
export async function dumpCode(reader: IndexReader, kind: CodeDump, terminal: Terminal): Promise<void> {
  for (const { index } of codeShards(reader)) {
    const { tables } = await reader.read([
      { shard: index, table: "symbols", keys: "all" },
      { shard: index, table: "edges", keys: "all" },
    ]);
    const files = [...entriesOf(tables[0] ?? [])].map(([, bytes]) => decodeFileRecord(bytes));
    const edges = new Map(entriesOf(tables[1] ?? []));
    for (const [number, file] of files.entries()) {
      const bytes = edges.get(keyOfNumber(number));
      const own = bytes === undefined ? [] : decodeEdges(number, bytes);
      for (const line of linesOf(kind, file, own, files)) terminal.print(JSON.stringify(line));
    }
  }
}

function linesOf(
  kind: CodeDump,
  file: FileRecord,
  edges: readonly EdgeRecord[],
  files: readonly FileRecord[],
): object[] {
  if (kind === "symbols") return symbolLines(file);
  const shown = kind === "edges" ? edges : edges.filter((edge) => IMPORT_KINDS.includes(edge.kind));
  return shown.map((edge) => edgeLine(file, edge, files));
}

function symbolLines(file: FileRecord): object[] {
  return file.symbols.map((symbol) => ({
    file: pathOf(file.id),
    kind: symbol.kind,
    name: symbol.name,
    container: withoutOrdinal(file.symbols[symbol.parent]?.path ?? ""),
    line: symbol.at.line,
    column: symbol.at.column,
    startLine: symbol.start.line,
    endLine: symbol.end.line,
    exported: isExported(file.language, file.symbols, symbol),
    signature: symbol.signature,
    id: makeSymbolId(file, symbol),
    flags: symbol.flags,
  }));
}

function edgeLine(
  file: FileRecord,
  { kind, tier, typeOnly, from, at, to }: EdgeRecord,
  files: readonly FileRecord[],
): object {
  return {
    from: { file: pathOf(file.id), symbol: file.symbols[from]?.path ?? "", line: at.line, column: at.column },
    to: targetLine(to, files),
    kind,
    tier,
    typeOnly,
  };
}

function targetLine(to: EdgeRecord["to"], files: readonly FileRecord[]): object {
  if ("external" in to) return { external: to.external };
  if ("id" in to) return { id: to.id };
  const file = files[to.file];
  const symbol = file?.symbols[to.symbol];
  return {
    file: file === undefined ? "" : pathOf(file.id),
    symbol: symbol?.path ?? "",
    ...(symbol !== undefined && { line: symbol.at.line }),
  };
}

export const searchCommands = { search: searchCommand, summary: summaryCommand, dump: dumpCommand };
