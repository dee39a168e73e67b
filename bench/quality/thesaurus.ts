/**
 * What the shipped thesaurus gains and costs: judged questions asked with all of its sets, with none, and without each fifth.
 *
 *   [EVAL_SETS=DIR] [COMMITS=REPOSITORY:FOLDER,…] node bench/quality/thesaurus.ts [NAME…]
 *
 * Judged sets are the subfolders of EVAL_SETS, the natural questions in `bench/quality/questions`, `bench/relevance/own`, and
 * subjects of commits: of each git repository in COMMITS the pages below a folder, a commit's subject as the question and the
 * pages that it changed as the right ones. Set number n of the thesaurus belongs to fifth n mod 5. Prints means over the sets of
 * nDCG@10, right page first and in five, and of bytes and waves a query. A fifth that is worth shipping lowers them when it goes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  evaluateQueries,
  meanOf,
  readJudgements,
  readQueries,
  resolveJudged,
} from "../../indexer/cli/commands/eval.ts";
import THESAURUS from "../../indexer/topics/thesaurus.json" with { type: "json" };
import { fetchPackage } from "../corpora/fetch-package.ts";
import { buildAndOpen } from "../relevance/judged-set.ts";
import { makeTable } from "../tables.ts";
import { drawByHash } from "./cut-items.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const FIFTHS = 5;
const MOST_QUERIES = 300;
/** Subjects that say nothing of the page: housekeeping, and changes to words alone. */
const CHORE =
  /\b(typos?|merge|bump|revert|release|chore|translat|grammar|wording|lint|format|links?|readme|changelog)\b/i;
const MOST_CHANGED = 3;
const MIN_WORDS = 4;

/** Questions about the pages of a folder. */
interface JudgedSet {
  readonly name: string;
  /** Folder of the pages, made in `room` where there is none yet. */
  readonly open: (room: string) => string | Promise<string>;
  readonly queries: ReturnType<typeof readQueries>;
  readonly judgements: ReturnType<typeof readJudgements>;
}

interface Row {
  readonly set: string;
  readonly query: string;
  readonly ndcg: number;
  readonly first: number;
  readonly five: number;
  readonly bytes: number;
  readonly waves: number;
}

const FIGURES = ["ndcg", "first", "five", "bytes", "waves"] as const;

function listSets(): JudgedSet[] {
  const { EVAL_SETS = "", COMMITS = "" } = process.env;
  const folders = EVAL_SETS === "" ? [] : readdirSync(EVAL_SETS).map((name) => join(EVAL_SETS, name));
  const questions = at("questions");
  const files = existsSync(questions) ? readdirSync(questions).filter((name) => !name.startsWith("names-")) : [];
  return [
    ...[at("../relevance/own"), ...folders].map(readFolder),
    ...files.map((name) => readQuestions(join(questions, name))),
    ...COMMITS.split(",").filter(Boolean).map(readCommits),
  ];
}

function readFolder(folder: string): JudgedSet {
  const named = (name: string) => ({ file: join(folder, name), text: readFileSync(join(folder, name), "utf8") });
  const judgements = readJudgements(named("qrels.tsv"));
  const judged = new Set(judgements.map(({ query }) => query));
  const queries = readQueries(named("queries.jsonl")).filter(({ id }) => judged.has(id));
  return { name: basename(folder), open: () => join(folder, "docs"), queries, judgements };
}

function readQuestions(file: string): JudgedSet {
  const { package: name, version, folder, questions } = JSON.parse(readFileSync(file, "utf8"));
  const cache = at("../../node_modules/.cache/treeline-bench");
  return toSet(basename(file, ".json"), questions, async () => join(await fetchPackage(name, version, cache), folder));
}

function readCommits(text: string): JudgedSet {
  const [repository = "", folder = ""] = text.split(":");
  // Of an incomplete history what can be read counts.
  const git = (...args: string[]): string =>
    spawnSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 2 ** 30 }).stdout;
  const isPage = (path: string): boolean => /\.mdx?$/.test(path) && path.startsWith(folder);
  const pages = new Set(git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0").filter(isPage));
  const commits = git("log", "--no-merges", "--name-only", "--format=%x00%s").split("\0").slice(1);
  const questions = commits.flatMap((commit) => {
    const [subject = "", ...changed] = commit.trim().split("\n").filter(Boolean);
    const words = subject.replace(/\(#\d+\)|#\d+|^\w+(\([^)]*\))?!?:/g, "").trim();
    const right = changed.filter((path) => pages.has(path));
    const isFit = right.length > 0 && changed.length <= MOST_CHANGED && words.split(/\s+/).length >= MIN_WORDS;
    return isFit && !CHORE.test(subject) ? [{ text: words, pages: right }] : [];
  });
  const unique = [...new Map(questions.map((question) => [question.text, question])).values()];
  return toSet(
    `commits ${repository
      .split("/")
      .filter((part) => part !== "repo" && part !== ".git")
      .at(-1)}`,
    unique,
    (room) => {
      for (const path of pages) {
        mkdirSync(join(room, path, ".."), { recursive: true });
        writeFileSync(join(room, path), git("show", `HEAD:${path}`));
      }
      return room;
    },
  );
}

function toSet(
  name: string,
  questions: readonly { readonly text: string; readonly pages: readonly string[] }[],
  open: JudgedSet["open"],
): JudgedSet {
  const numbered = questions.map(({ text, pages }, number) => ({ id: `q${number}`, text, pages }));
  const judgements = numbered.flatMap(({ id: query, pages }) =>
    pages.map((document) => ({ query, document, grade: 1, line: 0 })),
  );
  return { name, open, queries: numbered, judgements };
}

/** Asks a set of an index of its pages. */
async function measure({ name, open, queries, judgements }: JudgedSet, room: string): Promise<Row[]> {
  const asked = drawByHash(queries, MOST_QUERIES, ({ id }) => id);
  const reader = await buildAndOpen(await open(join(room, "pages")), join(room, "index"));
  const drawn = new Set(asked.map(({ id }) => id));
  const grades = await resolveJudged(
    reader,
    name,
    judgements.filter(({ query }) => drawn.has(query)),
    undefined,
  );
  const evaluated = await evaluateQueries(reader, asked, grades, undefined);
  return evaluated.map(({ figures: { ndcg, mrr, success }, bytes, waves }, index) => ({
    ...{ set: name, query: asked[index]?.text ?? "", ndcg, first: mrr === 1 ? 1 : 0, five: success, bytes, waves },
  }));
}

const [variant, ...names] = process.argv.slice(2);
if (variant?.startsWith("--") === true) {
  const fifth = variant.startsWith("--without=") ? Number(variant.slice("--without=".length)) : -1;
  const kept = variant === "--none" ? [] : THESAURUS.filter((_, number) => number % FIFTHS !== fifth);
  THESAURUS.splice(0, THESAURUS.length, ...kept);
  for (const set of listSets().filter(({ name }) => names.length === 0 || names.includes(name))) {
    const room = mkdtempSync(join(tmpdir(), "treeline-thesaurus-"));
    for (const row of await measure(set, room)) console.log(JSON.stringify(row));
    rmSync(room, { recursive: true });
  }
} else {
  const variants = ["--none", "--all", ...Array.from({ length: FIFTHS }, (_, fifth) => `--without=${fifth}`)];
  const rows = variants.flatMap((name) => {
    const { stdout } = spawnSync(process.execPath, [at("thesaurus.ts"), name, ...process.argv.slice(2)], {
      ...{ encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "inherit"] },
    });
    const bySet = Map.groupBy(
      stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row),
      ({ set }) => set,
    );
    const means = (figure: (typeof FIGURES)[number]) =>
      [...bySet.values()].map((own) => meanOf(own.map((row) => row[figure])));
    return [...bySet.keys(), "mean"].map((set, index) => [
      name.slice(2),
      set,
      ...FIGURES.map((figure) => (set === "mean" ? meanOf(means(figure)) : (means(figure)[index] ?? 0)).toFixed(4)),
    ]);
  });
  console.log(makeTable(["sets", "questions", ...FIGURES], rows));
}
