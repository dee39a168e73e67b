/**
 * What comes of damage to an index: for each fault every public function of the core must give the
 * answer that it gives on the whole index, or a typed error.
 */

import { makeRandom } from "../../bench/random.ts";
import { inflateRaw } from "../../indexer/base/codec.ts";
import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import { callTree } from "../../src/core/code/call-tree.ts";
import { completeSymbols } from "../../src/core/code/complete-symbols.ts";
import { incomingEdges, mentionsInPages, mentionsOf, outgoingEdges } from "../../src/core/code/edges.ts";
import { findSymbols } from "../../src/core/code/find-symbols.ts";
import { readInsights } from "../../src/core/code/insights.ts";
import { loadFileWithEdges } from "../../src/core/code/load-files.ts";
import { readModules, readPackageNames, readPackages } from "../../src/core/code/packages.ts";
import { openReach } from "../../src/core/code/reach.ts";
import { findImpact, walkLevels } from "../../src/core/code/walks.ts";
import { findNearestDocuments, listDocuments } from "../../src/core/docs/catalogue.ts";
import { loadLinks, loadOutline, readPassages, readSections, resolveOutlines } from "../../src/core/docs/documents.ts";
import { NO_FILTER } from "../../src/core/docs/model.ts";
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { EDGE_KINDS } from "../../src/core/format/code-model.ts";
import { maskOf } from "../../src/core/format/reach-list.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { codeShards } from "../../src/core/index/shards.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { grep } from "../../src/core/search/grep.ts";
import { compileExpression, compileText } from "../../src/core/search/grep-pattern.ts";
import { search } from "../../src/core/search/search.ts";
import { findSimilar } from "../../src/core/search/similar.ts";
import { suggest } from "../../src/core/search/suggest.ts";
import { type BuiltIndex, buildCollections, type Pages } from "./build-index.ts";
import { drawFaults, type Fault, type Files, FOREIGN_POINTER, type Thoroughness } from "./damage-faults.ts";
import { makeUpCode } from "./made-up-code.ts";
import { createMemorySource } from "./memory-source.ts";
import { ask } from "./small-corpora.ts";

/** A question to an index. */
type Operation = (reader: IndexReader) => Promise<unknown>;

/** An index as faults need it. */
type IndexFiles = Pick<BuiltIndex, "files" | "open">;

/** How often each kind of outcome came. */
type Outcomes = Record<"right" | "FormatError" | "StaleGenerationError", number>;

const DOCUMENT = "docs:guide/page-3.md";
const MOST_MS = 10_000;
const CACHE_BYTES = 16 * 1024 * 1024;

/** Pages that fill every table; `mark` is a word of four letters that alone differs between indexes. */
export function markedPages(mark: string, part: string): Pages {
  const page = (n: number): string =>
    [
      `---\ntags: [t${n % 3}]\nstage: ${n % 2 === 0 ? "early" : "late"}\ndescription: How ${part} ${n} is kept\n---`,
      `# ${part} page ${n}\n\nA route leads to a handler of ${mark}. Single Sign-On (SSO) comes first.\n`,
      `## Dynamic routes\n\nUse the \`useRouter\` hook, see [the next](page-${(n + 1) % 20}.md#caching-answers).\n`,
      `## Caching answers\n\nThe cache keeps what handler number ${n} gave, ${mark} and SSO alike. ${part.repeat(n % 4)}\n`,
    ].join("\n");
  return Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`guide/page-${n}.md`, page(n)]));
}

/** A real index of two access groups with two-level directories in every larger table. */
export function buildMarked(mark: string): Promise<BuiltIndex> {
  return buildCollections(
    [
      { name: "docs", pages: markedPages(mark, "public") },
      { name: "team", access: "team", pages: markedPages(mark, "hidden") },
    ],
    { target: 400, maxDirectory: 24 },
    new Map([
      ["public", markedCode(mark, 1)],
      ["team", markedCode(mark, 2)],
    ]),
  );
}

/** Code whose comments hold the mark. */
function markedCode(mark: string, seed: number): GroupCode {
  const code = makeUpCode(seed, { files: 12, symbolsPerFile: 4, edgesPerFile: 5, mentions: 8 });
  const files = code.files.map((file) => ({
    ...file,
    symbols: file.symbols.map((symbol) => ({ ...symbol, doc: `Of ${mark}.` })),
  }));
  return { ...code, files };
}

/** Between them these read every table, in every way, and the text. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  search: (reader) => search(reader, ask("route handler", { withFacetCounts: true, excerpts: 10 })),
  filtered: (reader) =>
    search(reader, ask("the handler", { filter: { include: { tags: ["t1"] }, exclude: {} }, sort: "title" })),
  phrase: (reader) => search(reader, ask('"leads to a handler" -absent', { limit: 3 })),
  synonym: (reader) => search(reader, ask("single sign-on", { limit: 3, explain: true })),
  misspelt: (reader) => search(reader, ask("cachng answrs", { limit: 3 })),
  beginning: (reader) => search(reader, ask("rou*", { limit: 30, offset: 5 })),
  suggest: (reader) => suggest(reader, { query: "dyn", limit: 5, collections: [] }),
  mistyped: (reader) => suggest(reader, { query: "cachig answ", limit: 5, collections: [] }),
  grep: (reader) => grep(reader, grepFor(compileText("handler number", false))),
  expression: (reader) => grep(reader, grepFor(compileExpression("use.outer|SSO+", true))),
  similar: (reader) =>
    findSimilar(reader, {
      content: "The cache keeps what a handler gave, whatever its number.",
      limit: 5,
      threshold: 0.1,
      collection: undefined,
    }),
  tree: (reader) => loadOutline(reader, DOCUMENT),
  nodes: async (reader) => {
    const outline = await loadOutline(reader, DOCUMENT);
    return outline && readSections(reader, outline, [0, 1, 2]);
  },
  passages: async (reader) => {
    const outlines = await resolveOutlines(reader, [DOCUMENT, "team:guide/page-9.md"], true);
    const wanted = outlines.flatMap((outline) =>
      outline === undefined ? [] : [{ outline, startLine: 3, endLine: 16, withFrontmatter: true }],
    );
    return readPassages(reader, wanted);
  },
  links: async (reader) => {
    const outline = await loadOutline(reader, DOCUMENT);
    return outline && loadLinks(reader, outline);
  },
  catalogue: (reader) => listDocuments(reader, { ...LIST, query: "page 1" }),
  nearest: (reader) => findNearestDocuments(reader, "guide/page-33.md", 4),
  symbols: (reader) => findSymbols(reader, { query: "create", languages: ["typescript"], offset: 0, limit: 9 }),
  patterns: (reader) => findSymbols(reader, { query: "*e*", kinds: ["method", "function"], offset: 3, limit: 9 }),
  completions: (reader) => completeSymbols(reader, { prefix: "c", limit: 5 }),
  edges: async (reader) => {
    const { symbols } = await findSymbols(reader, { query: "*", offset: 0, limit: 3 });
    const [first] = symbols;
    if (first === undefined) return [];
    const file = await loadFileWithEdges(reader, first.inFile.id);
    return [
      file && (await outgoingEdges(reader, file, {}, { offset: 0, limit: 5 })),
      await incomingEdges(reader, symbols, {}, { offset: 0, limit: 5 }),
      await callTree(reader, first, { direction: "callers", depth: 2 }),
      await mentionsOf(reader, first.id),
    ];
  },
  mentions: (reader) => mentionsInPages(reader, ["docs:create.md"]),
  insights: async (reader) => (await readInsights(reader)).values,
  impact: async (reader) => {
    const [shard] = codeShards(reader);
    const place = { file: 1, symbol: -1 };
    return shard && findImpact(await openReach(reader, shard.index), [place], 3);
  },
  paths: async (reader) => {
    const [shard] = codeShards(reader);
    if (shard === undefined) return undefined;
    const reach = await openReach(reader, shard.index);
    const walk = { direction: "out", depth: 3, kinds: maskOf(EDGE_KINDS), isOfFiles: true } as const;
    return walkLevels(reach, [{ file: 0, symbol: -1 }], walk);
  },
  packages: async (reader) => {
    const packages = await readPackages(reader);
    const [first] = packages;
    return [packages, await readModules(reader), first && (await readPackageNames(reader, first))];
  },
  status: async (reader) => [reader.generation, reader.collections],
};

const LIST = { query: "", collection: "", folder: "", filter: NO_FILTER, sort: "path", offset: 0, limit: 10 } as const;

function grepFor(pattern: Parameters<typeof grep>[1]["pattern"]): Parameters<typeof grep>[1] {
  return {
    pattern,
    collection: "",
    acceptsPath: () => true,
    filter: NO_FILTER,
    context: 1,
    offset: 0,
    limit: 20,
  };
}

/** Answers of the whole index, by the operation's name. */
type Answers = ReadonlyMap<string, string>;

/** The answers to hold others against. @throws whatever an operation throws on a whole index. */
async function answerAll(files: Files): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const outcome = await outcomeOf(files, operation);
    if (typeof outcome !== "string") throw outcome;
    answers.set(name, outcome);
  }
  return answers;
}

/**
 * Ask a damaged index.
 *
 * @param names Operations to ask; all when absent.
 * @throws {Error} for an answer that differs, an error without a type, or an operation that does not end.
 */
async function askDamaged(
  { what, files }: Fault,
  answers: Answers,
  names: readonly string[] = Object.keys(OPERATIONS),
): Promise<Outcomes> {
  const outcomes: Outcomes = { right: 0, FormatError: 0, StaleGenerationError: 0 };
  for (const name of names) {
    const started = performance.now();
    const outcome = await outcomeOf(files, OPERATIONS[name] as Operation);
    if (performance.now() - started > MOST_MS) throw new Error(`${what}: ${name} took longer than ${MOST_MS} ms`);
    if (outcome instanceof FormatError) outcomes.FormatError++;
    else if (outcome instanceof StaleGenerationError) outcomes.StaleGenerationError++;
    else if (outcome === answers.get(name)) outcomes.right++;
    else if (typeof outcome === "string")
      throw new Error(`${what}: ${name} answers otherwise: ${outcome.slice(0, 400)}`);
    else throw new Error(`${what}: ${name} fails without a type`, { cause: outcome });
  }
  return outcomes;
}

/** The answer as text, without what reading it cost, or the error that it ended with. */
async function outcomeOf(files: Files, operation: Operation): Promise<unknown> {
  try {
    const reader = await openPlainly(files);
    const answer = await operation(reader);
    return JSON.stringify(answer ?? null, (key, value: unknown) => (key === "cost" ? undefined : value));
  } catch (error) {
    return error;
  }
}

/** A cold reader that sees everything, over a source that does not wait. */
async function openPlainly(files: Files): Promise<IndexReader> {
  const source = createMemorySource(files);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new StaleGenerationError(POINTER_FILE);
  return new IndexReader(await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");
}

/** Faults of which every answer ends as it must: with an error for what nobody can read past. */
const REFUSED_WHOLE: ReadonlySet<string> = new Set(["other version"]);

/** What faults of one kind came to. */
export interface KindReport extends Outcomes {
  faults: number;
}

/**
 * Ask an index about every fault that is drawn.
 *
 * @param operations How many operations each fault is asked with; they take turns.
 * @param build Makes the index, and another one with the same layout.
 * @throws {Error} as `askDamaged`, and for a kind of fault that should be refused and is not.
 */
export async function proveDamage(
  seed: number,
  thoroughness: Thoroughness,
  operations: number,
  build: (mark: string) => Promise<IndexFiles> = buildMarked,
): Promise<ReadonlyMap<string, KindReport>> {
  const random = makeRandom(seed);
  const built = await build("lark");
  const answers = await answerAll(built.files);
  const names = Object.keys(OPERATIONS);
  const reports = new Map<string, KindReport>();
  let turn = 0;
  for await (const [kind, fault] of drawFaults(built, await build("crow"), random, thoroughness)) {
    // What reads only packs that both indexes share is answered rightly: somebody else has to notice.
    const asked =
      kind === FOREIGN_POINTER
        ? names.filter((name) => name !== "status")
        : Array.from({ length: operations }, () => names[turn++ % names.length] as string);
    const outcomes = await askDamaged(fault, answers, asked);
    if (REFUSED_WHOLE.has(kind) && outcomes.right > 0) throw new Error(`${fault.what}: was read all the same`);
    const report = reports.get(kind) ?? { faults: 0, right: 0, FormatError: 0, StaleGenerationError: 0 };
    report.faults++;
    for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[]) report[outcome] += outcomes[outcome];
    reports.set(kind, report);
  }
  return reports;
}
