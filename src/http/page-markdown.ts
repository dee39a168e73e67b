/**
 * Markdown of a page by its address on the site: `/guide/install.md` for `https://docs.example.com/guide/install`, and `…/index.html.md` for
 * an address that ends in a slash, as llmstxt.org has it. For servers that answer at the address of the documentation, though the host is not
 * compared: a path that is a page's means that page.
 *
 * Candidates are looked up by their ids, in one wave: which files an address may come from is what `makeUrl` does, backwards.
 */

import { findNearestDocuments } from "../core/docs/catalogue.ts";
import { loadOutlines } from "../core/docs/documents.ts";
import type { DocumentOutline } from "../core/docs/model.ts";
import { makeDocumentId } from "../core/docs/node-id.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { nameTrace, type Problem } from "../surface/render/problem.ts";
import { ownPage } from "./addresses.ts";
import { MARKDOWN_ENDING, PAGE_ENDINGS } from "./find-document.ts";
import { respondMarkdown } from "./markdown-text.ts";
import { answerFromIndex, type HttpServices, respondJson, respondProblem } from "./respond.ts";

/** Names of files that stand for their folder. */
const FOLDER_PAGES = ["index", "README", "readme", "Index"];
const MAX_NEAREST = 3;
const NOT_FOUND = 404;

/** What addresses of pages look like: the log and errors name them so. */
export const PAGE_ROUTE = "/*.md";

/** A page, or what is near to an address that is none. */
export type PageAnswer = { readonly response: Response } | { readonly nearest: readonly string[] };

/** Whether an address may be that of a page's Markdown. */
export function isMarkdownAddress({ method, url }: Request): boolean {
  return (method === "GET" || method === "HEAD") && new URL(url).pathname.endsWith(MARKDOWN_ENDING);
}

/** The answer to a GET of an address of which `isMarkdownAddress` holds. */
export async function answerPageMarkdown(request: Request, services: HttpServices): Promise<PageAnswer> {
  let nearest: readonly string[] = [];
  const run = async (reader: IndexReader): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const page = pathname.slice(0, -MARKDOWN_ENDING.length);
    const corpus = new URL(services.base).pathname.replace(/\/$/, "");
    const outline = await findPage(reader, [page, ...(corpus === "" ? [] : [page.slice(corpus.length)])]);
    if (outline !== undefined) return respondMarkdown(reader, outline, services.base);
    nearest = await findNear(reader, pathname);
    return respondJson({ error: "There is no page at this address.", nearest }, NOT_FOUND);
  };
  let isIndexed = true;
  const respondWith = (problem: Problem): Response => {
    isIndexed = problem.kind !== "no-index";
    return respondProblem(nameTrace(problem, services.trace));
  };
  const response = await answerFromIndex(request, services, { where: PAGE_ROUTE, run, respondWith });
  // Without an index, an address that means nothing is nothing, and no fault of the server.
  return !isIndexed || response.status === NOT_FOUND ? { nearest } : { response };
}

/**
 * The page whose address has one of these paths: that of the request, and that behind the name of its corpus, which pages have or have not in
 * their own. Undefined where there is none, or the path is not well escaped.
 */
async function findPage(reader: IndexReader, paths: readonly string[]): Promise<DocumentOutline | undefined> {
  const wanted = paths.map(plainPath);
  const ids = reader.collections.flatMap(({ name, baseUrl }) =>
    wanted.flatMap((path) => {
      const rest = URL.canParse(baseUrl) ? behind(`${path}/`, new URL(baseUrl).pathname) : undefined;
      return rest === undefined ? [] : filesOf(rest).map((file) => makeDocumentId(name, file));
    }),
  );
  if (ids.length === 0) return undefined;
  const outlines = await loadOutlines(reader, ids);
  return outlines.find((outline) => {
    const url = outline?.document.url ?? "";
    return url !== "" && wanted.includes(plainPath(new URL(url).pathname));
  });
}

/** What follows the start of a path, without slashes around it; undefined where it does not begin so. */
function behind(pathname: string, start: string): string | undefined {
  if (!pathname.startsWith(start)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(start.length).replace(/\/$/, ""));
  } catch {
    return undefined;
  }
}

/** The same for every way in which the address of a page is written: no file name, no ending, no slash at its end. */
function plainPath(pathname: string): string {
  return pathname
    .replace(/\.html?$/i, "")
    .replace(/\/index$/i, "/")
    .replace(/\/+$/, "");
}

/** Files that the page of an address may come from. */
function filesOf(page: string): string[] {
  const stems = [
    ...(page === "" ? [] : [page]),
    ...FOLDER_PAGES.map((name) => (page === "" ? name : `${page}/${name}`)),
  ];
  // Of a source file, the address ends as the file does.
  return [...(page === "" ? [] : [page]), ...stems.flatMap((stem) => PAGE_ENDINGS.map((ending) => `${stem}${ending}`))];
}

/** Addresses of near documents, below that of the corpus. */
async function findNear(reader: IndexReader, pathname: string): Promise<readonly string[]> {
  if (reader.collections.every(({ baseUrl }) => baseUrl === "")) return [];
  const ids = await findNearestDocuments(reader, pathname.slice(1), MAX_NEAREST);
  return ids.map((id) => ownPage("", id));
}
