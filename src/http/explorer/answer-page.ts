/**
 * Responses that are pages: the frame, a content policy and caching. Refusals of the middleware are pages too, for browsers.
 */
import { crc32 } from "../../core/bytes/checksum.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { Caller } from "../../surface/access/caller.ts";
import type { PublishedCorpus } from "../../surface/corpus-list.ts";
import { formatProblem, NO_INDEX, nameTrace, type Problem } from "../../surface/render/problem.ts";
import { corpusAddress } from "../addresses.ts";
import type { ShownInsights } from "../insights.ts";
import { EXPLORER_FILES } from "../page-files.ts";
import { answerFromIndex, type HttpServices } from "../respond.ts";
import { html } from "./html.ts";
import { type Page, type Site, writePage } from "./page.ts";

/** What pages need beside what all routes do. */
export interface PageServices extends HttpServices {
  /** Name of the corpus that is asked; `""` for the one at the root. */
  readonly corpus: string;
  readonly caller: Pick<Caller, "isAdmin">;
  /** Whether callers need a key or a login. */
  readonly needsKey: boolean;
  /** Addresses that programs are told, as they stand behind the corpus. */
  readonly shownPaths: readonly string[];
  /** Addresses of the files that pages load. */
  readonly nameFiles: () => Promise<typeof EXPLORER_FILES>;
  /** Corpora of which the caller may know; undefined where that cannot be told. */
  readonly listCorpora: () => Promise<readonly PublishedCorpus[] | undefined>;
  /** Questions that found nothing good, or why the caller may not see them. */
  readonly readInsights: () => Promise<ShownInsights>;
}

interface PageRoute {
  /** Name for the log. */
  readonly where: string;
  /**
   * The page, of what the caller sees, or a response where the address asks for something else than one.
   *
   * @throws {InputError} where the address asks for what is not there.
   */
  readonly write: (reader: IndexReader, site: Site) => Promise<Page | Response>;
}

/** Scripts, styles and pictures of this server alone, forms that lead to it, nothing inline, no frames. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The answer of a page: 304 to a browser that has it, a page that says what is wrong where something is. */
export async function answerPage(
  request: Request,
  services: PageServices,
  { where, write }: PageRoute,
): Promise<Response> {
  const site = await describeSite(services);
  // What the frame shows beside the generation, which the answer's tag names already.
  const frame = JSON.stringify([site.files.style, site.files.script, site.corpora, site.isAdmin]);
  return answerFromIndex(request, services, {
    where,
    headers: { "Content-Security-Policy": PAGE_POLICY },
    variant: `html-${crc32(new TextEncoder().encode(frame)).toString(16)}`,
    run: async (reader) => {
      const known = { ...site, ...describeIndex(reader) };
      const page = await write(reader, known);
      return page instanceof Response ? page : respondPage(known, page);
    },
    respondWith: (problem) => respondPage(site, describeProblem(problem, services.trace)),
  });
}

export function respondPage(site: Site, page: Page): Response {
  const bytes = new TextEncoder().encode(writePage(site, page).toString());
  return new Response(bytes, {
    status: page.status ?? 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": `${bytes.length}`,
      "Content-Security-Policy": PAGE_POLICY,
      "Cache-Control": "no-store",
      Vary: "Accept",
    },
  });
}

/** The frame of a page that nothing was read for and that names no corpora. */
export function bareSite(corpus: string): Site {
  return {
    corpus,
    base: corpusAddress("", corpus),
    corpora: [],
    isAdmin: false,
    generation: undefined,
    project: undefined,
    repository: "",
    files: EXPLORER_FILES,
  };
}

/** The frame of a page that nothing of the index was read for. */
export async function describeSite({ corpus, caller, listCorpora, nameFiles }: PageServices): Promise<Site> {
  const [corpora = [], files] = await Promise.all([listCorpora(), nameFiles()]);
  return { ...bareSite(corpus), corpora: corpora.map(({ name }) => name), isAdmin: caller.isAdmin, files };
}

function describeIndex(reader: IndexReader): Pick<Site, "generation" | "project" | "repository"> {
  const { generation, collections, index } = reader;
  // The generation's commit is that of all collections, or `none`.
  return {
    generation,
    project: index.root.project,
    repository: collections.find(({ repository }) => repository !== "")?.repository ?? "",
  };
}

function describeProblem(problem: Problem, trace: string | undefined): Page {
  switch (problem.kind) {
    case "bad-input":
      return {
        title: "That cannot be shown",
        status: 400,
        main: html`<p>${problem.message}</p>
${problem.nearest.length > 0 && html`<p>Nearest: ${problem.nearest.join(", ")}</p>`}`,
      };
    case "no-index":
      return {
        title: "Nothing is published yet",
        status: 503,
        main: html`<p>${formatProblem(NO_INDEX)}</p>
<p>Who runs this server publishes an index with</p>
<pre><code>treeline publish</code></pre>`,
      };
    case "damaged-index":
    case "unavailable":
    case "internal":
      return {
        title: "Something went wrong",
        status: problem.kind === "internal" ? 500 : 503,
        main: html`<p>${formatProblem(nameTrace(problem, trace))}</p>`,
      };
  }
}
