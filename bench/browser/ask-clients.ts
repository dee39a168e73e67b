/**
 * The clients of the search box asked in a browser: the engine in the page and a Worker, the same questions. Are the answers
 * the same, to the letter of their excerpts, and how well do they find pages by their titles, with and without a slip?
 */
import { join } from "node:path";
import { build } from "esbuild";
import type { JSHandle, Page } from "playwright-core";
import type { Found } from "../../src/web/client/search-client.ts";
import type { createStaticClient } from "../../src/web/client/static-client.ts";
import type { createWorkerClient } from "../../src/web/client/worker-client.ts";
import type { openStaticIndex } from "../../src/web/static-index.ts";
import { projectRoot } from "../../test/support/environment.ts";
import { listTitles, readPages, swapLetters } from "../quality/titles.ts";
import { shuffle } from "../random.ts";

/** Name of the module with both clients, as a page imports it. */
export const CLIENTS_FILE = "clients.js";
/** Ranks that count. */
const SHOWN = 10;

/** A question and the page that answers it. */
export interface Question {
  readonly path: string;
  readonly query: string;
}

/** What asking both brought. */
export interface Comparison {
  readonly questions: number;
  /** Questions with answers that differ in anything that is shown. */
  readonly differing: readonly string[];
  /** Excerpts that were compared. */
  readonly excerpts: number;
  /** Mean reciprocal rank of the right page among the first ten. */
  readonly mrr: { readonly inPage: number; readonly worker: number };
}

interface Clients {
  readonly createStaticClient: typeof createStaticClient;
  readonly openStaticIndex: typeof openStaticIndex;
  readonly createWorkerClient: typeof createWorkerClient;
}

/** Both clients as one module for a page. */
export async function bundleClients(): Promise<Uint8Array> {
  const folder = join(projectRoot, "src", "web", "client");
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./static-client.ts"; export * from "./worker-client.ts"; export { openStaticIndex } from "./engine.js";`,
      resolveDir: folder,
    },
    bundle: true,
    external: ["./engine.js"],
    format: "esm",
    minify: true,
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** So many titles of pages of a folder, and the same number of titles with a slip. */
export function drawTitles(
  dir: string,
  count: number,
  random: () => number,
): { readonly titles: readonly Question[]; readonly slips: readonly Question[] } {
  const titled = listTitles(readPages(dir));
  const draw = (make: (title: string) => string): Question[] =>
    shuffle(titled, random)
      .slice(0, count)
      .map(({ path, title }) => ({ path, query: make(title) }));
  return { titles: draw((title) => title), slips: draw((title) => swapLetters(title, random)) };
}

/**
 * Ask both clients in a page of the static host.
 *
 * @param folder Address of the index files, with the engine and `CLIENTS_FILE` beside them.
 * @param worker Address of the Worker.
 */
export async function compareClients(
  page: Page,
  folder: string,
  worker: string,
  questions: readonly Question[],
): Promise<Comparison> {
  const queries = questions.map(({ query }) => query);
  // As text: an import in a function of this file may have become something else on its way through a test runner.
  const clients = (await page.evaluateHandle(`import(${JSON.stringify(folder + CLIENTS_FILE)})`)) as JSHandle<Clients>;
  const answers = await clients.evaluate(askBoth, { folder, worker, queries, limit: SHOWN });
  const pairs = answers.map(([inPage, asked], at) => ({ inPage, asked, ...(questions[at] as Question) }));
  const differing = pairs.filter(({ inPage, asked }) => textOf(inPage) !== textOf(asked));
  const mean = (rank: (pair: (typeof pairs)[number]) => number): number =>
    pairs.reduce((sum, pair) => sum + rank(pair), 0) / pairs.length;
  return {
    questions: pairs.length,
    differing: differing.map(({ query }) => query),
    excerpts: pairs.reduce((sum, { asked }) => sum + countExcerpts(asked), 0),
    mrr: {
      inPage: mean(({ inPage, path }) => reciprocalRank(inPage, path)),
      worker: mean(({ asked, path }) => reciprocalRank(asked, path)),
    },
  };
}

/** Runs in the page: it uses nothing but its parameters and what every page has. */
async function askBoth(
  clients: Clients,
  plan: {
    readonly folder: string;
    readonly worker: string;
    readonly queries: readonly string[];
    readonly limit: number;
  },
): Promise<(readonly [Found, Found])[]> {
  const inPage = clients.createStaticClient(plan.folder, () => clients.openStaticIndex(plan.folder));
  const worker = clients.createWorkerClient(plan.worker);
  const answers: (readonly [Found, Found])[] = [];
  for (const query of plan.queries) {
    // With facets, pages that read files get descriptions and meta data, too.
    const options = { limit: plan.limit, typing: true, withFacets: true };
    answers.push([await inPage.search(query, options), await worker.search(query, options)]);
  }
  return answers;
}

/**
 * What a visitor sees of an answer. Scores are rounded on their way from a Worker, pages without an address are on its own
 * ones, and facets are counted where their table is at hand.
 */
function textOf({ total, pages, corrections, missingWords, nextOffset }: Found): string {
  const shown = pages.map(({ id, title, description, meta, sections }) => ({
    ...{ id, title, description, meta },
    sections: sections.map(({ nodeId, heading, headingPath, excerpt }) => ({ nodeId, heading, headingPath, excerpt })),
  }));
  return JSON.stringify({ total, shown, corrections, missingWords, nextOffset });
}

function reciprocalRank({ pages }: Found, path: string): number {
  const at = pages.findIndex((page) => page.path === path);
  return at < 0 ? 0 : 1 / (at + 1);
}

function countExcerpts({ pages }: Found): number {
  return pages.flatMap(({ sections }) => sections).filter(({ excerpt }) => excerpt.length > 0).length;
}
