/**
 * Judged questions about the pages (or sources) of a published package: is a right one first, or among the first five?
 *
 *   node bench/relevance/questions.ts FILE.json [--verbose]
 *
 * FILE.json is like those in `bench/quality/questions/`. Prints the figures; `--verbose` also each question that no right
 * page came first for, and what did.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { meanOf } from "../../indexer/cli/commands/eval.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { findSections } from "../../src/core/search/find-sections.ts";
import { search } from "../../src/core/search/search.ts";
import { fetchPackage } from "../corpora/fetch-package.ts";
import { type Measured, roundFigures } from "./floors.ts";
import { buildAndOpen } from "./judged-set.ts";

/** Questions about one package, whose right pages were decided by reading, before any search. */
interface QuestionSet {
  readonly package: string;
  readonly version: string;
  /** Folder inside the package that is indexed; `""` for all of it. */
  readonly folder: string;
  readonly questions: readonly {
    readonly text: string;
    /** `same` or `other` words than the page has, or what else tells questions apart; figures are given by kind. */
    readonly kind: string;
    /** Pages that answer it, relative to the folder. */
    readonly pages: readonly string[];
    /** Short queries that a caller would send along. */
    readonly wordings?: readonly string[];
  }[];
}

/** A question that no right page came first for, with the first five pages. */
type Miss = Pick<QuestionSet["questions"][number], "text" | "kind" | "pages"> & {
  readonly got: readonly string[];
  readonly isFused: boolean;
};

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/treeline-bench", import.meta.url));
const DEPTH = 5;
/** Sections of a fused answer that are read: enough to hold five different pages. */
const SECTIONS = 60;

/** Fetches the package of a file of questions and measures them; `room` is an empty folder. */
export async function measureQuestionFile(file: string, room: string) {
  const set = JSON.parse(readFileSync(file, "utf8")) as QuestionSet;
  return measureQuestions(set, join(await fetchPackage(set.package, set.version, CACHE), set.folder), room);
}

/**
 * Asks each question alone (`first`, `five`) and fused with its wordings (`firstFused`, `fiveFused`), as the tool `search`
 * does it. Figures are shares of the questions, of all and of each kind.
 *
 * @throws {Error} for a right page that does not exist.
 */
export async function measureQuestions(
  { questions }: Pick<QuestionSet, "questions">,
  dir: string,
  outDir: string,
): Promise<Measured & { readonly misses: readonly Miss[] }> {
  const lost = questions.flatMap(({ pages }) => pages).find((page) => !existsSync(join(dir, page)));
  if (lost !== undefined) throw new Error(`there is no page ${lost} in ${dir}`);
  const { index } = await buildAndOpen(dir, outDir);
  const misses: Miss[] = [];
  const groups = new Map<string, Map<string, number[]>>();
  for (const { text, kind, pages, wordings } of questions) {
    const judge = (paths: readonly string[], isFused: boolean): void => {
      const got = [...new Set(paths)].slice(0, DEPTH);
      const rank = got.findIndex((path) => pages.includes(path));
      if (rank !== 0) misses.push({ text, kind, pages, got, isFused });
      for (const group of ["all", kind]) {
        const figures = groups.get(group) ?? new Map<string, number[]>();
        groups.set(group, figures);
        for (const [name, isHit] of Object.entries({ first: rank === 0, five: rank >= 0 })) {
          const figure = isFused ? `${name}Fused` : name;
          figures.set(figure, [...(figures.get(figure) ?? []), isHit ? 1 : 0]);
        }
      }
    };
    const alone = await search(new IndexReader(index, "all"), makeSearchRequest(text, { excerpts: 0 }));
    const paths = alone.hits.map(({ path }) => path);
    judge(paths, false);
    if (wordings === undefined) continue;
    const request = { needs: [[text, ...wordings]], accepts: () => true, texts: SECTIONS };
    const [fused] = await findSections(new IndexReader(index, "all"), request);
    judge(fused?.sections.map(({ path }) => path) ?? [], true);
  }
  const figures = [...groups].map(([group, own]) => [
    group,
    Object.fromEntries([...own].map(([name, values]) => [name, meanOf(values)])),
  ]);
  return { figures: Object.fromEntries(figures), size: `${questions.length} questions`, misses };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: "boolean" } } });
  const [file] = positionals;
  if (file === undefined) {
    console.error("usage: node bench/relevance/questions.ts FILE.json [--verbose]");
    process.exit(2);
  }
  const room = mkdtempSync(join(tmpdir(), "treeline-questions-"));
  try {
    const { figures, misses } = await measureQuestionFile(file, room);
    for (const { text, kind, pages, got, isFused } of values.verbose ? misses : []) {
      console.log(`${isFused ? "fused " : ""}${kind}: ${text}`);
      console.log(`  right ${pages.join(" | ")}\n  got   ${got.join(" | ")}`);
    }
    console.log(JSON.stringify(roundFigures(figures), undefined, 2));
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}
