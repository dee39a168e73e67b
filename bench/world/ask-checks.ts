/** Checks that ask the tools: outlines, symbols, titles, references, literals, and a battery of one call per tool. */
import { join } from "node:path";
import { shuffle } from "../random.ts";
import type { TreeServer } from "./ask-server.ts";
import {
  ADMITTED,
  type Answer,
  judgeAnswered,
  judgeGrep,
  judgeOutline,
  judgeReferences,
  judgeSymbol,
  judgeTitle,
  listOf,
} from "./judge-answers.ts";
import { createScanner, readLines } from "./tree-files.ts";
import { type Outcome, type Samples, toOutcome } from "./tree-result.ts";

export interface IndexedDocument {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly collection: string;
}

export interface IndexedSymbol {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

/** One tree, built and dumped. */
export interface BuiltTree {
  readonly dir: string;
  /** Kind of each collection, by name. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly documents: readonly IndexedDocument[];
  readonly symbols: readonly IndexedSymbol[];
  readonly samples: Samples;
  readonly random: () => number;
  readonly server: TreeServer;
}

/** Floors: one symbol of fifty and one title of ten may miss. */
const SYMBOLS_PER_MISS = 50;
/** A line may name what it uses by another name than imports say: `module.exports`, a name that was computed. */
const REFERENCES_PER_MISS = 20;
const TITLES_PER_MISS = 10;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const NAMELESS = new Set(["constructor", "operator", "module"]);
const METACHARACTERS = /[[\](){}.*+?^$|\\]/;
const MAX_QUERY = 300;
const REFERENCE_TRIES = 4;

/** Asks for every item in turn, and collects the misses. */
async function askEach<T>(items: readonly T[], ask: (item: T) => Promise<string | undefined>): Promise<string[]> {
  const misses: string[] = [];
  for (const item of items) {
    const miss = await ask(item);
    if (miss !== undefined) misses.push(miss);
  }
  return misses;
}

export async function checkOutlines({ documents, samples, random, kinds, server }: BuiltTree): Promise<Outcome> {
  const sample = shuffle(documents, random).slice(0, samples.outlines);
  const calls = sample.flatMap(({ id, path, collection }) => [
    { path, tool: "get_tree", args: { doc_id: id } },
    ...(kinds.get(collection) === "code" ? [{ path, tool: "read", args: { file: id } }] : []),
  ]);
  const misses = await askEach(calls, async ({ path, tool, args }) => judgeOutline(path, await server.ask(tool, args)));
  return toOutcome("outlines", calls.length, misses);
}

export async function checkSymbols({ symbols, samples, random, server }: BuiltTree): Promise<Outcome> {
  const sample = shuffle(symbols, random).slice(0, samples.symbols);
  const misses = await askEach(sample, async ({ name }) =>
    judgeSymbol(name, await server.askJson("find_symbol", { query: name, limit: 3 })),
  );
  return toOutcome("symbols", sample.length, misses, Math.floor(sample.length / SYMBOLS_PER_MISS));
}

/** Pages first: the titles of source files are their names. */
export async function checkTitles({ documents, kinds, samples, random, server }: BuiltTree): Promise<Outcome> {
  const named = shuffle(documents, random).filter(
    ({ title }) => /[\p{L}\p{N}]/u.test(title) && title.length < MAX_QUERY,
  );
  const isPage = ({ collection }: IndexedDocument): boolean => kinds.get(collection) !== "code";
  const sample = [...named.filter(isPage), ...named.filter((one) => !isPage(one))].slice(0, samples.titles);
  const misses = await askEach(sample, async ({ title }) =>
    judgeTitle(title, await server.askJson("search_documents", { query: title, limit: 5, excerpts: 1 })),
  );
  return toOutcome("titles", sample.length, misses, Math.floor(sample.length / TITLES_PER_MISS));
}

export async function checkReferences({
  dir,
  documents,
  symbols,
  samples,
  random,
  server,
}: BuiltTree): Promise<Outcome> {
  const paths = new Map(documents.map(({ id, path }) => [id, path]));
  const texts = new Map<string, readonly string[]>();
  const readLine = (file: string, line: number): string | undefined => {
    const path = paths.get(file);
    if (path === undefined) return undefined;
    const lines = texts.get(path) ?? readLines(join(dir, path));
    texts.set(path, lines);
    return lines[line - 1];
  };
  const named = symbols.filter(({ name, kind }) => IDENTIFIER.test(name) && name !== "default" && !NAMELESS.has(kind));
  const misses: string[] = [];
  let asked = 0;
  // Symbols that nothing uses prove little, and are replaced as long as there are others.
  for (const { id, name } of shuffle(named, random).slice(0, samples.references * REFERENCE_TRIES)) {
    if (asked === samples.references) break;
    const answer = await server.askJson("references", { symbol: id, limit: 200 });
    if (answer.json["total"] === 0) continue;
    asked++;
    const miss = judgeReferences(name, answer, readLine);
    if (miss !== undefined) misses.push(miss);
  }
  return toOutcome("references", asked, misses, Math.floor(asked / REFERENCES_PER_MISS));
}

/** Compares `grep_documents` with a scan of the files; for pages of a built site, with the text that the server gives. */
export async function checkLiterals(tree: BuiltTree): Promise<{ outcome: Outcome; scanner: "rg" | "own" }> {
  const { dir, kinds, samples, random, server } = tree;
  const documents = shuffle(tree.documents, random);
  const isSite = ({ collection }: IndexedDocument): boolean => kinds.get(collection) === "site";
  const files = documents.filter((document) => !isSite(document)).map(({ path }) => path);
  const { scanner, scan } = createScanner(dir, files);
  const args = { case_sensitive: true, context: 0, limit: 200 };
  const literals = drawLiterals(
    files.slice(0, samples.literals * 5).map((path) => readLines(join(dir, path))),
    random,
  );
  const chosen = literals.slice(0, samples.literals);
  const misses = await askEach(chosen, async (pattern) =>
    judgeGrep(scan(pattern), await server.askJson("grep_documents", { ...args, pattern })),
  );
  let of = chosen.length;
  for (const { id, path } of documents.filter(isSite).slice(0, samples.literals - of)) {
    const { json } = await server.askJson("get_node_content", { node_ids: [id], include_descendants: true });
    const lines = String(listOf(json["sections"])[0]?.["text"] ?? "").split("\n");
    const [pattern] = drawLiterals([lines], random);
    // A page that does not fit one answer may hold the piece in the rest as well.
    if (pattern === undefined || json["leftOut"] !== undefined) continue;
    of++;
    const expected = lines.flatMap((line, at) => (line.includes(pattern) ? [`${path}:${at + 1}`] : []));
    const found = await server.askJson("grep_documents", { ...args, pattern, path_glob: path });
    misses.push(...[judgeGrep(new Set(expected), onlyOf(path, found))].filter((miss) => miss !== undefined));
  }
  // An empty answer that says what it did not scan is named, and within the floor.
  const admitted = misses.filter((miss) => miss.includes(ADMITTED)).length;
  return { outcome: toOutcome("grep", of, misses, admitted), scanner };
}

/** The part of an answer about one path: a glob without a folder matches files of that name in any. */
function onlyOf(path: string, answer: Answer): Answer {
  const results = listOf(answer.json["results"]).filter((result) => result["path"] === path);
  const total = results.reduce((sum, { count }) => sum + Number(count), 0);
  return { ...answer, json: { ...answer.json, results, total } };
}

/** A piece of 6 to 20 characters of each text. The first has characters that mean something in a regular expression. */
function drawLiterals(texts: readonly (readonly string[])[], random: () => number): string[] {
  const pieces = texts.flatMap((text) => {
    const lines = text.filter((line) => line.trim().length >= 6 && /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(line));
    const line = (lines[Math.floor(random() * lines.length)] ?? "").trim();
    const length = 6 + Math.floor(random() * 15);
    const from = Math.floor(random() * Math.max(1, line.length - length + 1));
    const piece = line.slice(from, from + length).trim();
    return piece.length < 6 || /[\p{Cs}\uFFFD]/u.test(piece) ? [] : [piece];
  });
  const special = pieces.find((piece) => METACHARACTERS.test(piece));
  return special === undefined ? pieces : [special, ...pieces.filter((piece) => piece !== special)];
}

/** Calls each remaining tool once with arguments out of the index. Every call must be answered. */
export async function checkBattery(tree: BuiltTree): Promise<Outcome> {
  const { documents, symbols, kinds, random, server } = tree;
  const [document] = shuffle(documents, random);
  if (document === undefined) return toOutcome("battery", 0, []);
  const words = document.title.replace(/[^\p{L}\p{N}]+/gu, " ").trim() || "index";
  const calls: [tool: string, args: Record<string, unknown>][] = [
    ["index_status", {}],
    ["list_documents", {}],
    ["list_documents", { query: words }],
    ["get_tree", {}],
    ["search_documents", { query: `how does ${words} work?` }],
    ["get_node_content", { node_ids: [document.id], include_descendants: true }],
    ["navigate_tree", { node_id: document.id, direction: "links_in" }],
    ["navigate_tree", { node_id: document.id, direction: "subtree" }],
    [
      "find_similar",
      { content: `${words}: install packages, read configuration files, start a server, write answers.` },
    ],
    ["grep_documents", { pattern: "[a-z]+_[a-z]+", regex: true }],
    ["logs", { level: "info" }],
    ["diagnostics", {}],
    ["open_session", {}],
    ...(symbols.length > 0 ? callsOnCode(tree) : []),
  ];
  if ([...kinds.values()].includes("code") && symbols.length > 0) calls.push(...(await callsOnPackages(server)));
  calls.push(...(await callsOnCategories(server, document.id)));
  const misses = await askEach(calls, async ([tool, args]) => judgeAnswered(await server.ask(tool, args)));
  return toOutcome("battery", calls.length, misses);
}

function callsOnCode({ symbols, random }: BuiltTree): [string, Record<string, unknown>][] {
  const named = symbols.filter(({ name }) => IDENTIFIER.test(name));
  const [one, other = one] = shuffle(named.length > 0 ? named : symbols, random);
  if (one === undefined || other === undefined) return [];
  const file = one.id.slice(0, one.id.indexOf("#"));
  return [
    ["inspect", { symbol: one.id }],
    ["call_hierarchy", { symbol: one.id, direction: "callers", depth: 3 }],
    ["call_hierarchy", { symbol: one.id, direction: "callees", depth: 2 }],
    ["analyze_impact", { target: one.id }],
    ["analyze_impact", { target: file }],
    ["find_path", { from: one.id, to: other.id }],
    ["completion", { prefix: one.name.slice(0, 3) }],
    ["search_nodes", { query: `*${one.name.slice(0, 3)}*`, include: ["calls", "called_by", "signature"] }],
    ["get_dependencies", { target: file, direction: "both", depth: 3 }],
    ["get_dependencies", {}],
    ["get_graph_summary", {}],
    ["read", { file, preview_mode: "expanded" }],
  ];
}

/** A package is known by the name that symbols show. */
async function callsOnPackages(server: TreeServer): Promise<[string, Record<string, unknown>][]> {
  const { json } = await server.askJson("search_nodes", { query: "*", limit: 5 });
  const named = listOf(json["symbols"]).find((node) => typeof node["package"] === "string" && node["package"] !== "");
  return named === undefined ? [] : [["describe_package", { package: named["package"] }]];
}

async function callsOnCategories(server: TreeServer, id: string): Promise<[string, Record<string, unknown>][]> {
  const listed: Answer = await server.askJson("list_categories", { limit: 5 });
  const [category] = listOf(listed.json["categories"]);
  // An index without categories says so.
  if (category === undefined) return [];
  const { json } = await server.askJson("list_concepts_in_category", { category: category["name"] });
  const [concept] = listOf(json["concepts"]);
  return [
    ["list_categories", { include_hierarchy: true }],
    ["category_search", { category: category["name"], include_chunks: true }],
    ["list_concepts_in_category", { doc_id: id }],
    ...(concept === undefined
      ? []
      : [["concept_search", { concept: concept["name"] }] as [string, Record<string, unknown>]]),
  ];
}
