/**
 * Command `eval`: judged queries asked of an index; figures, costs, and gates that fail a release.
 */
import { performance } from "node:perf_hooks";
import { checkCollection, findNearestDocuments, listDocumentNames } from "../../../src/core/docs/catalogue.ts";
import { PAGE_ENDING } from "../../../src/core/docs/node-id.ts";
import { InputError } from "../../../src/core/errors.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { isRecord } from "../../../src/core/parse-text.ts";
import { makeSearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { quoteValue } from "../../../src/core/text/nearest.ts";
import { UsageError } from "../../base/diagnostic.ts";
import { openIndexAt } from "../../open/open-index.ts";
import { readText } from "../map-files.ts";
import {
  type Command,
  type CommandInput,
  EXIT,
  indexOption,
  option,
  printResult,
  readIndexOption,
} from "../run-cli.ts";

/** Ranks that nDCG, reciprocal rank and recall look at. */
const DEPTH = 10;

const SUCCESS_DEPTH = 5;

/** Figures by the option that sets their gate. */
const GATES: readonly (readonly [option: string, figure: keyof Figures, name: string])[] = [
  ["min-ndcg", "ndcg", `nDCG@${DEPTH}`],
  ["min-mrr", "mrr", `MRR@${DEPTH}`],
  ["min-recall", "recall", `Recall@${DEPTH}`],
  ["min-success", "success", `success@${SUCCESS_DEPTH}`],
];
export const evalCommand: Command = {
  name: "eval",
  summary: "Measure how well an index answers judged queries, and what the answers cost.",
  positionals: ["<queries.jsonl>", "<qrels.tsv>"],
  options: {
    index: indexOption,
    collection: option.text("NAME", "Only this collection."),
    json: option.flag("Print one JSON object."),
    ...Object.fromEntries(
      GATES.map(([gate, , name]) => [gate, option.text("X", `Exit with 1 when ${name} is below this.`)]),
    ),
  },
  details: [
    'Queries are JSON objects, one a line: {"id": "q1", "text": "how to install"}.',
    "Judgements are lines of query id, document and grade with tabs between them. A document is named by its id, its",
    "path, or its path without extension; the grade is 0 for not relevant, more for better.",
  ].join("\n"),
  async run(input, terminal) {
    const [queriesFile, judgementsFile] = input.positionals;
    if (queriesFile === undefined || judgementsFile === undefined) {
      throw new UsageError("name a file of queries and a file of judgements");
    }
    const gates = readGates(input);
    const queries = readQueries(await readNamed(queriesFile));
    const judgements = readJudgements(await readNamed(judgementsFile));
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    if (collection !== undefined) checkCollection(reader, collection);
    const grades = await resolveJudged(reader, judgementsFile, judgements, collection);
    const judged = queries.filter(({ id }) => grades.has(id));
    if (judged.length === 0) {
      throw new InputError(`no query of ${queriesFile} has a judgement in ${judgementsFile}: their ids differ`);
    }
    const [unjudged, unasked] = [queries.length - judged.length, grades.size - judged.length];
    if (unjudged > 0) terminal.warn(`queries left out because nothing is judged for them: ${unjudged}`);
    if (unasked > 0) terminal.warn(`queries left out because they are judged and not asked: ${unasked}`);
    const summary = summarize(await evaluateQueries(reader, judged, grades, collection));
    printResult(input, terminal, summary, describe);
    const missed = gates.filter(({ figure, least }) => summary[figure] < least);
    for (const { figure, name, least } of missed) {
      terminal.warn(`${name} is ${formatFigure(summary[figure])}, below the ${least} that was asked for`);
    }
    return missed.length === 0 ? EXIT.done : EXIT.failed;
  },
};

/** @throws {UsageError} for a gate that is no share. */
function readGates(input: CommandInput) {
  return GATES.flatMap(([option, figure, name]) => {
    const text = input.text(option);
    if (text === undefined) return [];
    if (!/^(?:0?\.\d+|[01](?:\.0*)?)$/.test(text)) {
      throw new UsageError(`--${option} must be a number from 0 to 1, got ${JSON.stringify(text)}`);
    }
    return [{ figure, name, least: Number(text) }];
  });
}

/** @throws {InputError} where there is no such file. */
async function readNamed(file: string) {
  const text = await readText(file);
  if (text === undefined) throw new InputError(`there is no file ${JSON.stringify(file)}`);
  return { file, text };
}

/** A text and the name of the file it came from, as errors name it. */
type NamedText = Readonly<Awaited<ReturnType<typeof readNamed>>>;

function describe({ queries, latencyMs, bytes, waves, reads, ...figures }: Summary): string[] {
  const row = (name: string, text: string): string => `${name.padEnd(10)} ${text}`;
  return [
    row("queries", String(queries)),
    ...GATES.map(([, figure, name]) => row(name, formatFigure(figures[figure]))),
    row("latency", `median ${latencyMs.median.toFixed(1)} ms, p95 ${latencyMs.p95.toFixed(1)} ms`),
    row("bytes", `mean ${Math.round(bytes.mean)}, worst ${bytes.worst}`),
    row("waves", `mean ${waves.mean.toFixed(2)}, worst ${waves.worst}`),
    row("reads", `mean ${reads.mean.toFixed(2)}, worst ${reads.worst}`),
  ];
}

function formatFigure(figure: number): string {
  return figure.toFixed(4);
}

/** A gain is 2^grade − 1: beyond this one document would outweigh all others. */
const MAX_GRADE = 10;

interface JudgedQuery {
  readonly id: string;
  readonly text: string;
}

/** One judgement, its document as it was written. */
interface Judgement {
  readonly query: string;
  readonly document: string;
  readonly grade: number;
  /** 1-based line of the file. */
  readonly line: number;
}

/** The queries of a file, in its order. @throws {InputError} with file and line. */
export function readQueries({ file, text }: NamedText): JudgedQuery[] {
  const queries = new Map<string, JudgedQuery>();
  for (const [line, content] of linesOf(text)) {
    const query = readQuery(`${file}:${line}`, content);
    if (queries.has(query.id))
      throw new InputError(`${file}:${line}: query ${quoteValue(query.id)} stands there twice`);
    queries.set(query.id, query);
  }
  if (queries.size === 0)
    throw new InputError(`${file} holds no queries`, [], '{"id": "q1", "text": "how to install"}');
  return [...queries.values()];
}

/** The judgements of a file, in its order. @throws {InputError} with file and line. */
export function readJudgements({ file, text }: NamedText): Judgement[] {
  const seen = new Set<string>();
  const judgements = linesOf(text).map(([line, content]): Judgement => {
    const place = `${file}:${line}`;
    const [query = "", document = "", grade = "", ...rest] = content.split("\t").map((part) => part.trim());
    if (query === "" || document === "" || grade === "" || rest.length > 0) {
      throw new InputError(`${place}: a judgement is "query id TAB document TAB grade", got ${quoteValue(content)}`);
    }
    if (!/^\d+$/.test(grade) || Number(grade) > MAX_GRADE) {
      throw new InputError(`${place}: a grade is a whole number from 0 to ${MAX_GRADE}, got ${quoteValue(grade)}`);
    }
    const pair = `${query}\t${document}`;
    if (seen.has(pair))
      throw new InputError(`${place}: ${quoteValue(document)} is judged twice for query ${quoteValue(query)}`);
    seen.add(pair);
    return { query, document, grade: Number(grade), line };
  });
  if (judgements.length === 0) throw new InputError(`${file} holds no judgements`, [], "q1\tguide/install.md\t1");
  return judgements;
}

function readQuery(place: string, line: string): JudgedQuery {
  const query = parseJson(place, line);
  const { id, text } = isRecord(query) ? query : {};
  if ((typeof id !== "string" && typeof id !== "number") || id === "") {
    throw new InputError(`${place}: a query needs an id, a text or a number`);
  }
  if (typeof text !== "string" || text.trim() === "")
    throw new InputError(`${place}: query ${quoteValue(id)} has no text`);
  return { id: String(id), text };
}

function parseJson(place: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new InputError(`${place}: not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Lines that are not blank, with their numbers. */
function linesOf(text: string): (readonly [line: number, content: string])[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((content, index) => [index + 1, content] as const)
    .filter(([, content]) => content.trim() !== "");
}

/** Grade of each judged document of one query; more than 0 is relevant. */
type Grades = ReadonlyMap<string, number>;

/** Figures of one query, or their means over many; each from 0 to 1. */
interface Figures {
  /** Discounted gain of the first ten results, as a share of the best possible. */
  readonly ndcg: number;
  /** 1 ÷ rank of the first relevant result among the first ten, 0 where there is none. */
  readonly mrr: number;
  /** Share of the relevant documents that stand among the first ten. */
  readonly recall: number;
  /** 1 where a relevant document stands among the first five. */
  readonly success: number;
}

/**
 * Figures of one query. A document counts once, at its best rank; one without a judgement counts as not relevant. A
 * query without relevant documents has zeros.
 *
 * @param ranked Documents, best first.
 */
export function scoreRanking(ranked: readonly string[], grades: Grades): Figures {
  const found = [...new Set(ranked)].slice(0, DEPTH).map((document) => Math.max(0, grades.get(document) ?? 0));
  const relevant = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  if (relevant.length === 0) return { ndcg: 0, mrr: 0, recall: 0, success: 0 };
  const first = found.findIndex((grade) => grade > 0);
  return {
    ndcg: sumDiscounted(found) / sumDiscounted(relevant.slice(0, DEPTH)),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall: found.filter((grade) => grade > 0).length / relevant.length,
    success: first >= 0 && first < SUCCESS_DEPTH ? 1 : 0,
  };
}

/** Arithmetic mean, 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least the share `share` of all values does not exceed (nearest rank); 0 of nothing. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function sumDiscounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

const MAX_NEAREST = 5;

interface EvaluatedQuery {
  readonly figures: Figures;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly waves: number;
  readonly reads: number;
}

/**
 * Every query in turn. The first one also pays for what stays in memory.
 *
 * @param grades By query id and document id.
 * @param collection Only this one; undefined for all.
 */
export async function evaluateQueries(
  reader: IndexReader,
  queries: readonly JudgedQuery[],
  grades: ReadonlyMap<string, Grades>,
  collection: string | undefined,
): Promise<EvaluatedQuery[]> {
  const collections = collection === undefined ? [] : [collection];
  const evaluated: EvaluatedQuery[] = [];
  for (const { id, text } of queries) {
    const started = performance.now();
    const request = makeSearchRequest(text, { limit: DEPTH, collections });
    const { hits, cost } = await search(new IndexReader(reader.index, "all"), request);
    const milliseconds = performance.now() - started;
    const ranked = hits.map((hit) => hit.id);
    evaluated.push({ figures: scoreRanking(ranked, grades.get(id) ?? new Map()), milliseconds, ...cost });
  }
  return evaluated;
}

export function summarize(evaluated: readonly EvaluatedQuery[]) {
  const mean = (figure: keyof Figures): number => meanOf(evaluated.map(({ figures }) => figures[figure]));
  const times = evaluated.map(({ milliseconds }) => milliseconds);
  const spread = (member: "bytes" | "waves" | "reads") => {
    const values = evaluated.map((one) => one[member]);
    return { mean: meanOf(values), worst: values.reduce((worst, value) => Math.max(worst, value), 0) };
  };
  return {
    queries: evaluated.length,
    ndcg: mean("ndcg"),
    mrr: mean("mrr"),
    recall: mean("recall"),
    success: mean("success"),
    latencyMs: { median: percentileOf(times, 0.5), p95: percentileOf(times, 0.95) },
    bytes: spread("bytes"),
    waves: spread("waves"),
    reads: spread("reads"),
  };
}

type Summary = Readonly<ReturnType<typeof summarize>>;

/**
 * Grades by query and by the id of the document. A judgement names its document by its id, by its path, or by its path without
 * extension, whichever of these, in this order, exactly one document has; of two that mean one document the higher grade counts.
 *
 * @param file Name of the judgements' file, for errors.
 * @throws {InputError} for a name that no document or several have.
 */
export async function resolveJudged(
  reader: IndexReader,
  file: string,
  judgements: readonly Judgement[],
  collection: string | undefined,
): Promise<ReadonlyMap<string, Grades>> {
  const documents = (await listDocumentNames(reader)).filter(
    (document) => collection === undefined || document.collection === collection,
  );
  const ids = new Set(documents.map(({ id }) => id));
  const byPath = Map.groupBy(documents, ({ path }) => path);
  const byStem = Map.groupBy(documents, ({ path }) => path.replace(PAGE_ENDING, ""));
  const byQuery = new Map<string, Map<string, number>>();
  for (const { query, document, grade, line } of judgements) {
    const named = byPath.get(document) ?? byStem.get(document) ?? [];
    const found = ids.has(document) ? [document] : named.map((one) => one.id);
    const [id] = found;
    if (id === undefined) {
      throw new InputError(
        `${file}:${line}: the index has no document ${JSON.stringify(document)}`,
        await findNearestDocuments(reader, document, MAX_NEAREST),
      );
    }
    if (found.length > 1) {
      throw new InputError(
        `${file}:${line}: ${JSON.stringify(document)} names several documents; give the whole id or --collection`,
        found.slice(0, MAX_NEAREST),
      );
    }
    const grades = byQuery.get(query) ?? new Map<string, number>();
    byQuery.set(query, grades.set(id, Math.max(grade, grades.get(id) ?? 0)));
  }
  return byQuery;
}
