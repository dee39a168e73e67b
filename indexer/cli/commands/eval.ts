/**
 * Command `eval`: judged queries asked of an index; figures, costs, and gates that fail a release.
 */
import { readFile, writeFile } from "node:fs/promises";
import { checkCollection } from "../../../src/core/docs/catalogue.ts";
import { InputError } from "../../../src/core/errors.ts";
import { UsageError } from "../../base/usage-error.ts";
import { openIndexAt } from "../../open/open-index.ts";
import {
  DEPTH,
  type EvaluatedQuery,
  evaluateQueries,
  type Figures,
  groupByQuery,
  type Judgement,
  type NamedText,
  readJudgements,
  readQueries,
  resolveJudged,
  SUCCESS_DEPTH,
  type Summary,
  summarize,
} from "../eval/evaluate.ts";
import { type Command, type CommandInput, EXIT, type Terminal } from "../run-cli.ts";
import { indexOption, readCount, readIndexOption } from "./index-option.ts";

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
    limit: { kind: "text", short: "n", placeholder: "N", description: `Documents asked for. Default ${DEPTH}.` },
    collection: { kind: "text", placeholder: "NAME", description: "Only this collection." },
    cold: { kind: "flag", description: "Begin every query with nothing in memory but the root." },
    run: { kind: "text", placeholder: "FILE", description: "Write what was found: query id, document, score." },
    json: { kind: "flag", description: "Print one JSON object." },
    ...Object.fromEntries(
      GATES.map(([option, , name]) => [
        option,
        { kind: "text", placeholder: "X", description: `Exit with 1 when ${name} is below this.` } as const,
      ]),
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
    const limit = readCount(input, "limit", DEPTH);
    if (limit < DEPTH) throw new UsageError(`--limit must be at least ${DEPTH}: the figures look at ${DEPTH} results`);
    const queries = readQueries(await readNamed(queriesFile));
    const judgements = readJudgements(await readNamed(judgementsFile));
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    if (collection !== undefined) checkCollection(reader, collection);
    const ids = await resolveJudged(reader, judgementsFile, judgements, collection);
    const grades = groupByQuery(
      judgements.map(({ query, document, grade }) => ({ query, document: ids.get(document) as string, grade })),
    );
    const judged = queries.filter(({ id }) => grades.has(id));
    if (judged.length === 0) {
      throw new InputError(`no query of ${queriesFile} has a judgement in ${judgementsFile}: their ids differ`);
    }
    warnLeftOut(terminal, queries.length - judged.length, grades.size - judged.length);
    const evaluated = await evaluateQueries(reader, {
      queries: judged,
      grades,
      limit,
      collection,
      cold: input.has("cold"),
    });
    const runFile = input.text("run");
    if (runFile !== undefined) await writeFile(runFile, formatRun(evaluated, judgements, ids));
    const summary = summarize(evaluated);
    if (input.has("json")) terminal.print(JSON.stringify(summary));
    else for (const line of describe(summary)) terminal.print(line);
    const missed = gates.filter(({ figure, least }) => summary[figure] < least);
    for (const { figure, name, least } of missed) {
      terminal.warn(`${name} is ${formatFigure(summary[figure])}, below the ${least} that was asked for`);
    }
    return missed.length === 0 ? EXIT.done : EXIT.failed;
  },
};

interface Gate {
  readonly figure: keyof Figures;
  readonly name: string;
  readonly least: number;
}

/** @throws {UsageError} for a gate that is no share. */
function readGates(input: CommandInput): Gate[] {
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
async function readNamed(file: string): Promise<NamedText> {
  try {
    return { file, text: await readFile(file, "utf8") };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") throw new InputError(`there is no file ${JSON.stringify(file)}`);
    if (code === "EISDIR") throw new InputError(`${JSON.stringify(file)} is a folder`);
    throw cause;
  }
}

function warnLeftOut(terminal: Terminal, unjudged: number, unasked: number): void {
  if (unjudged > 0) terminal.warn(`queries left out because nothing is judged for them: ${unjudged}`);
  if (unasked > 0) terminal.warn(`queries left out because they are judged and not asked: ${unasked}`);
}

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

/** What was found, a line a document, best first: query id, document as its judgement names it, score. */
function formatRun(
  evaluated: readonly EvaluatedQuery[],
  judgements: readonly Judgement[],
  ids: ReadonlyMap<string, string>,
): string {
  const nameOf = new Map(judgements.map(({ query, document }) => [`${query}\t${ids.get(document)}`, document]));
  return evaluated
    .flatMap(({ query, hits }) =>
      hits.map(({ id, score }) => `${query.id}\t${nameOf.get(`${query.id}\t${id}`) ?? id}\t${score.toFixed(4)}\n`),
    )
    .join("");
}
