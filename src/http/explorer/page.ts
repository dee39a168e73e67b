/**
 * The frame of every page of the explorer (head, navigation, foot) and the pieces that several pages share: a document's folder, a
 * list of documents, the parts of a long list, the page for what does not exist, parameters of addresses.
 *
 * A page contains no relative time, because browsers keep it for as long as its generation is current. The script adds the age to each
 * `<time>`.
 */

import type { DocumentEntry } from "../../core/docs/model.ts";
import { folderOf } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import type { Root } from "../../core/format/root.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import { quoteName } from "../../core/text/nearest.ts";
import { type Arguments, type Parameters, readParameters } from "../../surface/parameters.ts";
import { formatNumber, SERVER_VERSION, serverTitle } from "../../surface/render/text.ts";
import { CORPORA_PATH, corpusAddress } from "../addresses.ts";
import type { EXPLORER_FILES } from "../page-files.ts";
import { type Html, html } from "./html.ts";
import {
  ACCENT_PATH,
  EXPLORER_PATH,
  LOGO_PATH,
  linkTo,
  NAVIGATION,
  type NavigationPath,
  SEARCH_PATH,
  safeLink,
  TREE_PATH,
} from "./links.ts";

export interface Page {
  /** Of the window, and of the page's first heading where `heading` says nothing else. */
  readonly title: string;
  /** The first heading; false where `main` has one. */
  readonly heading?: Html | false;
  /** Which page of those that the head leads to it is. */
  readonly current?: NavigationPath;
  readonly main: Html;
  /** Status of the answer; 200 when absent. */
  readonly status?: number;
  /** Main content takes the whole width. */
  readonly isWide?: boolean;
  /** Script that this page loads beside that of all pages. */
  readonly script?: "graph";
}

/** A page over the index that every caller may see. */
export interface IndexPage {
  /** Path behind the name of a corpus, as routes are written; with a star for an id. */
  readonly path: string;
  /**
   * The page of what a reader sees. @throws {InputError} where its address asks for what does not exist.
   *
   * @param id Part of the address that the star stands for, else `""`.
   */
  readonly write: (reader: IndexReader, site: Site, given: URLSearchParams, id: string) => Promise<Page | Response>;
}

/** What the frame says about the server and what it answers from. */
export interface Site {
  /** Name of the corpus that is asked; `""` for the one at the root. */
  readonly corpus: string;
  /** What the addresses of its pages begin with: `""` at the root, `/v2` of the corpus v2. */
  readonly base: string;
  /** Names of the corpora that the caller may know, this one among them. Empty where nothing is to be chosen. */
  readonly corpora: readonly string[];
  readonly isAdmin: boolean;
  /** What answers; undefined where nothing was read. */
  readonly generation: GenerationInfo | undefined;
  /** How the index presents the project; undefined where nothing was read or it says nothing. */
  readonly project: Root["project"];
  /** Web address of the repository, or `""`. */
  readonly repository: string;
  /** What the page loads. */
  readonly files: typeof EXPLORER_FILES;
}

/** Corpora in the switcher at most; the rest is in the list of all. */
export const MAX_CORPORA_SHOWN = 50;
const COMMIT_DIGITS = 10;

export function writePage(site: Site, page: Page): Html {
  const { title, heading, main, current, isWide, script } = page;
  const { project, base } = site;
  const name = project?.name ?? serverTitle(site.corpus);
  const [light, dark] = project?.accent ?? [];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === name ? name : `${title} · ${name}`}</title>
<link rel="stylesheet" href="${site.files.style}">
${light && dark && html`<link rel="stylesheet" href="${linkTo(base, ACCENT_PATH, { light, dark })}">`}
<link rel="icon" type="image/svg+xml" href="${site.files.icon}">
<script type="module" src="${site.files.script}"></script>
<script type="module" src="${site.base}/search.js"></script>
${script !== undefined && html`<script type="module" src="${site.files[script]}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><div class="bar">
<a class="name" href="${linkTo(base, "/")}">${project?.logo !== undefined && html`<img src="${linkTo(base, LOGO_PATH, { v: project.logo })}" alt="" width="24" height="24"> `}${name}</a>
${writeCorpora(site)}
${writeNavigation(site, current)}
<treeline-search src="${site.base}/"><form action="${linkTo(site.base, SEARCH_PATH)}"><input name="q" type="search" aria-label="Search everything" placeholder="Search"></form></treeline-search>
</div></header>
<main id="main" tabindex="-1"${isWide ? html` class="wide"` : ""}>
${heading === false ? "" : html`<h1>${heading ?? title}</h1>`}
${main}
</main>
<footer class="site"><div class="bar">${writeFoot(site)}</div></footer>
</body>
</html>
`;
}

/** A point in time that the script adds its age to; nothing where it is none. @param isoTime ISO 8601. */
export function writeTime(isoTime: string): Html | "" {
  const time = Date.parse(isoTime);
  if (Number.isNaN(time)) return "";
  const shown = new Date(time).toISOString();
  return html`<time datetime="${shown}">${shown.slice(0, 10)} ${shown.slice(11, 16)} UTC</time>`;
}

/** A commit, as a link where the repository is on the web; nothing where there is none. */
export function writeCommit(commit: string, repository: string): Html | "" {
  if (commit === "" || commit === "none") return "";
  const text = html`<code>${commit.slice(0, COMMIT_DIGITS)}</code>`;
  const address = safeLink(repository);
  if (address === undefined) return text;
  return html`<a href="${address.replace(/\/+$/, "")}/commit/${encodeURIComponent(commit)}">${text}</a>`;
}

function writeNavigation({ base, isAdmin }: Site, current: NavigationPath | undefined): Html {
  const entries = NAVIGATION.filter((entry) => isAdmin || !("isForAdmins" in entry));
  return html`<nav aria-label="Pages"><ul>${entries.map(
    ({ path, name }) =>
      html`<li><a href="${linkTo(base, path)}"${path === current ? html` aria-current="page"` : ""}>${name}</a></li>`,
  )}</ul></nav>`;
}

function writeCorpora({ corpus, corpora }: Site): Html | "" {
  if (corpora.length < 2) return "";
  const shown = corpora.slice(0, MAX_CORPORA_SHOWN);
  const nameOf = (name: string): string => (name === "" ? "(root)" : name);
  return html`<details class="corpora"><summary>${nameOf(corpus)}</summary><nav aria-label="Corpora"><ul>${shown.map(
    (name) =>
      html`<li><a href="${linkTo(corpusAddress("", name), "/")}"${name === corpus ? html` aria-current="true"` : ""}>${nameOf(name)}</a></li>`,
  )}${corpora.length > shown.length && html`<li><a href="${CORPORA_PATH}">All corpora</a></li>`}</ul></nav></details>`;
}

function writeFoot({ generation, repository, base, isAdmin }: Site): Html {
  const server = html`<span>Treeline ${SERVER_VERSION}</span>`;
  if (generation === undefined) return server;
  const commit = writeCommit(generation.commit, repository);
  const built = writeTime(generation.builtAt);
  return html`<span>Generation <code>${generation.id}</code></span>
${commit !== "" && html`<span>Commit ${commit}${generation.dirty === true && " with changes"}</span>`}
${built !== "" && html`<span>Built ${built}</span>`}
${server}
<a href="${linkTo(base, "/status")}">Status</a>
<a href="${linkTo(base, `${EXPLORER_PATH}/connect`)}">Connect a client</a>
${!isAdmin && html`<a href="${linkTo(base, `${EXPLORER_PATH}/insights`)}">Insights for admins</a>`}`;
}

/** Who turns pages goes no further; nothing that is listed is longer. */
const MAX_OFFSET = 1_000_000;

/** Where the page of a list begins. */
export const OFFSET = {
  kind: "integer",
  default: 0,
  minimum: 0,
  maximum: MAX_OFFSET,
} as const;

export const DOCUMENT_PAGE_PARAMETERS = {
  from: {
    kind: "integer",
    default: 0,
    minimum: 0,
    maximum: 1e9,
    description: "section or line that the page for browsers is to hold",
  },
} as const;

/** Values of a page's parameters. @throws {InputError} where they are not what the table says. */
export function readPage<P extends Parameters>(given: URLSearchParams, table: P): Arguments<P> {
  const [name, parameter] = Object.entries(table).find(([, one]) => "default" in one && one.default !== "") ?? [];
  const example = parameter !== undefined && "default" in parameter ? `${name}=${parameter.default}` : "";
  return readParameters(given, table, [], example);
}

/** The folder, which leads to what else is in it, and the name of the file. */
export function writePlace(
  { id, collection, path }: Pick<DocumentEntry, "id" | "collection" | "path">,
  base: string,
): Html {
  const end = path.lastIndexOf("/") + 1;
  return html`<p class="where"><a href="${linkTo(base, TREE_PATH, { folder: folderOf(id) })}"><bdi>${collection}:${path.slice(0, end)}</bdi></a><bdi>${path.slice(end)}</bdi></p>`;
}

interface ListPart {
  readonly offset: number;
  /** Entries on a page. */
  readonly limit: number;
  readonly total: number;
  /** A link to the page that begins elsewhere. */
  readonly linkTo: (offset: number) => string;
}

/** Links to the pages before and behind; nothing where all is shown. @throws {InputError} where nothing is shown any more. */
export function writePaging({ offset, limit, total, linkTo }: ListPart): Html | "" {
  if (offset > 0 && offset >= total) {
    throw new InputError(`offset must be lower than ${total}, the number of entries; got ${offset}.`, [], "offset=0");
  }
  const end = Math.min(total, offset + limit);
  const place = `${formatNumber(offset + 1)}–${formatNumber(end)} of ${formatNumber(total)}`;
  const before = offset > 0 ? linkTo(Math.max(0, offset - limit)) : undefined;
  return writeNeighbours("Parts of the list", before, place, end < total ? linkTo(end) : undefined);
}

/** Links to the parts before and behind, and which one is shown; nothing where it is the only one. */
export function writeNeighbours(
  label: string,
  before: string | undefined,
  place: string,
  next: string | undefined,
): Html | "" {
  if (before === undefined && next === undefined) return "";
  return html`<nav class="paging" aria-label="${label}">${before !== undefined && html`<a class="button" rel="prev" href="${before}">Previous</a>`}
<span class="soft">${place}</span>
${next !== undefined && html`<a class="button" rel="next" href="${next}">Next</a>`}</nav>`;
}

/** Head of a column that a table can be sorted by. @param isNumber Whether the largest number comes first. */
export function writeSortHead(label: string, isSorted: boolean, href: string, isNumber = false): Html {
  const order = isNumber ? "descending" : "ascending";
  return html`<th scope="col"${isNumber && html` class="number"`}${isSorted && html` aria-sort="${order}"`}><a href="${href}">${label}</a></th>`;
}

/** The way down to a folder, `docs:guide/`. @param all What the folder of all is called. */
export function writeSteps(folder: string, all: string, linkTo: (folder: string) => string): Html {
  const steps = folder.match(/[^:/]+[:/]/g) ?? [];
  return html`<nav class="place" aria-label="Folder"><a href="${linkTo("")}">${all}</a>${steps.map(
    (step, at) =>
      html` › ${at + 1 < steps.length ? html`<a href="${linkTo(steps.slice(0, at + 1).join(""))}">${step}</a>` : html`<b>${step}</b>`}`,
  )}</nav>`;
}

/** Something that was asked for and is not there. */
interface Missing {
  /** `folder`. */
  readonly what: string;
  readonly name: string;
  readonly nearest: readonly string[];
  /** Where a name leads. */
  readonly hrefOf: (name: string) => string;
  readonly current: NavigationPath;
  readonly listHref: string;
}

export function writeMissing({ what, name, nearest, hrefOf, current, listHref }: Missing): Page {
  return {
    title: `No such ${what}`,
    status: 404,
    current,
    main: html`<p>There is no ${what} <code>${quoteName(name)}</code> that you can see.</p>
${
  nearest.length > 0 &&
  html`<p>Did you mean:</p><ul>${nearest.map((near) => html`<li><a href="${hrefOf(near)}">${near}</a></li>`)}</ul>`
}
<p><a href="${listHref}">All of them</a></p>`,
  };
}
