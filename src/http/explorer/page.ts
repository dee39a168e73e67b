/**
 * The frame of every page of the explorer: head with the name of what is indexed, ways to the other pages and corpora, foot
 * with what answers.
 *
 * A page holds no time that passes: it is kept by browsers for as long as its generation is current, and the script says
 * beside each `<time>` how long ago that was.
 *
 * Pure: values in, HTML out.
 */
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import { SERVER_VERSION, serverTitle } from "../../surface/render/version.ts";
import { corpusAddress } from "../addresses.ts";
import { CORPORA_PATH } from "../corpora.ts";
import type { ExplorerFiles } from "../page-files.ts";
import { type Html, html, type Shown } from "./html.ts";
import { EXPLORER_PATH, linkTo, NAVIGATION, type NavigationPath, safeLink } from "./navigation.ts";

/** What a page shows. */
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
  /** Web address of the repository, or `""`. */
  readonly repository: string;
  /** What the page loads. */
  readonly files: ExplorerFiles;
}

/** Corpora in the switcher at most; the rest is in the list of all. */
export const MAX_CORPORA_SHOWN = 50;
const COMMIT_DIGITS = 10;

/** A whole page. */
export function writePage(site: Site, page: Page): Html {
  const { title, heading, main, current, isWide } = page;
  const name = serverTitle(site.corpus);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === name ? name : `${title} · ${name}`}</title>
<link rel="stylesheet" href="${site.files.style}">
<link rel="icon" type="image/svg+xml" href="${site.files.icon}">
<script type="module" src="${site.files.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><div class="bar">
<a class="name" href="${linkTo(site.base, "/")}">${name}</a>
${writeCorpora(site)}
${writeNavigation(site, current)}
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

function writeFoot({ generation, repository, base, isAdmin }: Site): Shown {
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
