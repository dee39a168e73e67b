/**
 * Relevance gate: fails if search or code navigation answers worse than the floors in `relevance/floors.json`.
 *
 *   [EVAL_SETS=DIR] npm run bench:relevance [-- --update] [NAME…]
 *
 * Measures judged sets (`own`, and each subfolder of EVAL_SETS), known items (`docs`, `next`), TypeScript sources (`core`,
 * `query`) and judged questions about published packages (a group for each file of `quality/questions`). `--update` stores the measured figures and keeps the floors of skipped groups. Prints one line for
 * each group: `ok NAME (…)`, `FAILED NAME (…)` or `skipped NAME (…)`.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Figures } from "./compare-figures.ts";
import { fetchPackage } from "./corpora/fetch-package.ts";
import { REAL_CORPORA } from "./corpora/packages.ts";
import { writeRealCorpus } from "./corpora/real-pages.ts";
import { measureCode } from "./relevance/code-figures.ts";
import { judgeFigures, type Measured, roundFigures, TOLERANCE } from "./relevance/floors.ts";
import { measureJudgedSet } from "./relevance/judged-set.ts";
import { measureKnownItems } from "./relevance/known-item-shares.ts";
import { measureQuestionFile } from "./relevance/questions.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const FLOORS = at("relevance/floors.json");
const QUESTIONS = at("quality/questions");
const PACKAGES = at("../node_modules/.cache/treeline-bench");
const ITEMS = 150;
/** Sets whose floors are stored; other subfolders of EVAL_SETS are measured too. */
const SETS = ["cranfield", "tldr"];
/** The project's own pages change daily, and one of 150 items is two thirds of a point. */
const OWN_DOCS_TOLERANCE = 0.02;

/** A group of figures. `measure` gets an empty folder and returns a reason when the group cannot be measured. */
interface Group {
  readonly measure: (room: string) => Measured | string | Promise<Measured | string>;
  readonly tolerance?: number;
}

const groups: Record<string, Group> = {
  own: { measure: (room) => measureJudgedSet(at("relevance/own"), room) },
  docs: { measure: (room) => measureKnownItems(at("../docs"), room, ITEMS), tolerance: OWN_DOCS_TOLERANCE },
  core: { measure: () => measureCode(at("../src/core/search")) },
  ...Object.fromEntries(listSets().map((name) => [name, { measure: (room: string) => measureSet(name, room) }])),
  next: {
    measure: (room) =>
      unlessOffline(async () => {
        const pages = join(room, "pages");
        await writeRealCorpus(REAL_CORPORA.small, pages, PACKAGES);
        return measureKnownItems(pages, join(room, "index"), ITEMS);
      }),
  },
  query: {
    measure: () =>
      unlessOffline(async () =>
        measureCode(join(await fetchPackage("@tanstack/query-core", "5.108.0", PACKAGES), "src")),
      ),
  },
  ...Object.fromEntries(
    readdirSync(QUESTIONS)
      .sort()
      .map((file) => [
        file.replace(/\.json$/, ""),
        { measure: (room: string) => unlessOffline(() => measureQuestionFile(join(QUESTIONS, file), room)) },
      ]),
  ),
};

// One attempt: without a network the groups that need it are skipped at once.
process.env.npm_config_fetch_retries ??= "0";
process.env.npm_config_fetch_timeout ??= "30000";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false } },
});
const floors = JSON.parse(readFileSync(FLOORS, "utf8")) as Record<string, Figures>;
for (const [name, { measure, tolerance = TOLERANCE }] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const room = mkdtempSync(join(tmpdir(), "treeline-relevance-"));
  try {
    const measured = await measure(room);
    if (typeof measured === "string") console.log(`skipped ${name} (${measured})`);
    else if (values.update) {
      floors[name] = roundFigures(measured.figures);
      console.log(`${name} (${measured.size}): written`);
    } else {
      const { isFailed, lines } = judgeFigures(name, floors[name] ?? {}, measured, tolerance);
      for (const line of lines) console.log(line);
      if (isFailed) process.exitCode = 1;
    }
  } catch (error) {
    console.error(error);
    console.log(`FAILED ${name} (not measured)`);
    process.exitCode = 1;
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}
if (values.update) writeFileSync(FLOORS, `${JSON.stringify(floors, undefined, 2)}\n`);
if (process.exitCode === 1) console.log("renew wanted floors by npm run bench:relevance -- --update");
const { user, system } = process.cpuUsage();
console.log(`CPU ${((user + system) / 1e6).toFixed(0)} s`);

function listSets(): string[] {
  const { EVAL_SETS = "" } = process.env;
  return [...new Set([...SETS, ...(EVAL_SETS === "" ? [] : readdirSync(EVAL_SETS))])].sort();
}

async function measureSet(name: string, room: string): Promise<Measured | string> {
  const { EVAL_SETS = "" } = process.env;
  if (EVAL_SETS === "") return "EVAL_SETS names no folder";
  const folder = resolve(EVAL_SETS, name);
  return existsSync(join(folder, "qrels.tsv")) ? measureJudgedSet(folder, room) : `no judged set in ${folder}`;
}

/** Measures what needs the package registry. */
async function unlessOffline(measure: () => Promise<Measured>): Promise<Measured | string> {
  try {
    return await measure();
  } catch (error) {
    if (error instanceof Error && "cmd" in error) return "the package could not be fetched";
    throw error;
  }
}
