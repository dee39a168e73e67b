/** The explorer's first page: what is indexed, how sound it is, how to ask it. */

import { areFilesAtHand, readWithFiles } from "../../core/code/file-list.ts";
import { arePackagesWithin, readPackages } from "../../core/code/packages.ts";
import { listCategories } from "../../core/docs/list-categories.ts";
import { splitDocumentId } from "../../core/docs/node-id.ts";
import { readCategories } from "../../core/docs/read-categories.ts";
import { SEVERITIES } from "../../core/format/build-log.ts";
import type { CollectionInfo } from "../../core/format/collection.ts";
import { codeShards } from "../../core/index/code-shards.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import { readLog } from "../../core/index/read-log.ts";
import { visibleGeneration } from "../../core/index/visible-generation.ts";
import { listClientGuides } from "../../surface/render/connect.ts";
import { formatCount, formatNumber } from "../../surface/render/counts.ts";
import type { PageServices } from "./answer-page.ts";
import { writeGuide } from "./connect-page.ts";
import { TREE_PATH } from "./document-place.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, safeLink } from "./navigation.ts";
import { type Page, type Site, writeCommit, writeTime } from "./page.ts";
import { linkToSourceFolder } from "./repository-link.ts";
import { writeSearchForm } from "./search-form.ts";

const MAX_LANGUAGES = 4;
const MAX_CATEGORIES = 12;
const LANGUAGES = "Languages";
const KILOBYTE = 1000;
/** Of packages beside which the page still counts symbols, bytes of their table. */
const MAX_PACKAGE_BYTES = 256 * 1024;
/** Clients that the short form shows; the page of all is linked. */
const SHOWN_CLIENTS = ["claude-code"];
/** Documents for programs and agents that a person may want to see. */
const FOR_PROGRAMS = [
  ["/llms.txt", "a map of all documents"],
  ["/llms-full.txt", "their text"],
  ["/summary", "how it hangs together"],
  ["/search?q=install", "a search as JSON"],
  ["/openapi.json", "all addresses"],
] as const;

/**
 * Languages of source files with their numbers of files, the most first, by collection. None where counting them would take
 * reading a long list of files.
 */
type Languages = ReadonlyMap<string, readonly (readonly [string, number])[]>;

/** The page `/`. */
export async function writeOverview(reader: IndexReader, site: Site, services: PageServices): Promise<Page> {
  const hasCode = codeShards(reader).length > 0;
  // Together, or each would wait for the one before it.
  const [generation, languages, packages, health, categories] = await Promise.all([
    visibleGeneration(reader),
    hasCode && areFilesAtHand(reader) ? countLanguages(reader) : new Map(),
    hasCode && arePackagesWithin(reader, MAX_PACKAGE_BYTES) ? readPackages(reader) : [],
    writeHealth(reader, site),
    writeCategories(reader, site),
  ]);
  const symbols = packages.reduce((sum, one) => sum + one.symbols, 0);
  const facts: readonly (readonly [string, string])[] = [
    ["documents", formatNumber(generation.documents)],
    ["sections", formatNumber(generation.sections)],
    ...(symbols > 0 ? ([["symbols", formatNumber(symbols)]] as const) : []),
    ["words", formatNumber(generation.words)],
    ...(generation.indexBytes > 0
      ? ([["index", formatSize(generation.indexBytes + generation.textBytes)]] as const)
      : []),
  ];
  const { collections } = reader;
  return {
    title: site.corpus === "" ? "Overview" : site.corpus,
    heading: html`What is indexed${site.corpus !== "" && html` in ${site.corpus}`}`,
    current: "/",
    main: html`${writeSearchForm({ base: site.base, collections: collections.map(({ name }) => name), parameters: new URLSearchParams() })}
<div id="results">
${writeOrigin(generation, site)}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>Collections</h2>
${writeCollections(collections, languages, site.base)}
<div class="columns">
<section><h2>Health</h2>
${health}
</section>
${categories}
<section><h2>Connect a client</h2>
${writeConnect(site, services)}
</section>
<section><h2>For programs</h2>
<ul class="plain">${FOR_PROGRAMS.map(([path, what]) => html`<li><a href="${linkTo(site.base, path)}"><code>${path}</code></a> <small>${what}</small></li>`)}</ul>
</section>
</div>
</div>`,
  };
}

/** Which state of the files is indexed, and how old it is. */
function writeOrigin({ commit, committedAt = "", builtAt, dirty }: GenerationInfo, { repository }: Site): Html {
  const shown = writeCommit(commit, repository);
  const time = writeTime(committedAt);
  const from = html`, of commit ${shown}${time !== "" && html` from ${time}`}${dirty === true && " with changes"}`;
  return html`<p class="soft">Built ${writeTime(builtAt) || "at an unknown time"}${shown !== "" && from}.</p>`;
}

function writeCollections(collections: readonly CollectionInfo[], languages: Languages, base: string): Html {
  if (collections.length === 0) return html`<p>There is nothing that you may see.</p>`;
  const hasGroups = collections.some(({ access }) => access !== "public");
  const hasCommits = collections.some(({ commit }) => commit !== "" && commit !== "none");
  return html`<div class="table" tabindex="0"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="number">Documents</th><th scope="col" class="number">Sections</th><th scope="col" class="number">Words</th><th scope="col">${LANGUAGES}</th>${hasGroups && html`<th scope="col">Access</th>`}${hasCommits && html`<th scope="col">Commit</th>`}</tr></thead>
<tbody>${collections.map((collection) => {
    const { name, kind, version, documents, sections, words, access, commit, baseUrl, repository } = collection;
    const site = safeLink(baseUrl);
    const source = linkToSourceFolder(collection, "");
    const cell = (label: string, value: string): Html => html`<td class="number" data-label="${label}">${value}</td>`;
    return html`<tr><th scope="row"><a href="${linkTo(base, TREE_PATH, { folder: `${name}:` })}"><bdi>${name}</bdi></a>${version !== "" && html` <span class="chip"><bdi>${version}</bdi></span>`}${
      site !== undefined && html`<br><a class="small" href="${site}">${baseUrl}</a>`
    }${source !== undefined && html`<br><a class="small" href="${source}">in the repository</a>`}</th><td data-label="Kind">${kind}</td>${cell("Documents", formatNumber(documents))}${cell("Sections", formatNumber(sections))}${cell("Words", formatNumber(words))}<td data-label="${LANGUAGES}">${describeLanguages(collection, languages)}</td>${
      hasGroups && html`<td data-label="Access"><bdi>${access}</bdi></td>`
    }${hasCommits && html`<td data-label="Commit">${writeCommit(commit, repository)}</td>`}</tr>`;
  })}</tbody></table></div>`;
}

function describeLanguages({ name, language }: CollectionInfo, languages: Languages): string {
  const own = languages.get(name) ?? [];
  if (own.length === 0) return language;
  const rest = own.length - MAX_LANGUAGES;
  const shown = own.slice(0, MAX_LANGUAGES).map(([code, files]) => `${code} (${formatCount(files, "file")})`);
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

async function countLanguages(reader: IndexReader): Promise<Languages> {
  const { lists } = await readWithFiles(reader, []);
  const counts = new Map<string, Map<string, number>>();
  for (const { id, language } of [...lists.values()].flat()) {
    const { collection } = splitDocumentId(id);
    const own = counts.get(collection) ?? new Map<string, number>();
    counts.set(collection, own.set(language, (own.get(language) ?? 0) + 1));
  }
  return new Map([...counts].map(([name, own]) => [name, [...own].sort((a, b) => b[1] - a[1])]));
}

async function writeHealth(reader: IndexReader, { base }: Site): Promise<Html> {
  const { generation } = reader;
  const { diagnostics, diagnosticCount, skipped } = await readLog(reader);
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: diagnostics.filter((finding) => finding.severity === severity).length,
  })).filter(({ count }) => count > 0);
  const link = linkTo(base, `${EXPLORER_PATH}/diagnostics`);
  return html`<ul class="plain">
${diagnosticCount === 0 && html`<li class="good">No problems were found when it was built.</li>`}
${counts.map(({ severity, count }) => html`<li><a href="${link}?severity=${severity}" class="${severity}">${formatCount(count, severity === "info" ? "note" : severity)}</a></li>`)}
${skipped.length > 0 && html`<li><a href="${link}?show=skipped">${formatCount(skipped.length, "file")} left out</a></li>`}
<li>Generation <code>${generation.id}</code>, <a href="${linkTo(base, "/status")}">status of the server</a></li>
</ul>`;
}

async function writeCategories(reader: IndexReader, { base }: Site): Promise<Html | ""> {
  const { categories } = await listCategories(await readCategories(reader), "popularity", "");
  if (categories.length === 0) return "";
  const path = `${EXPLORER_PATH}/categories`;
  return html`<section><h2>Categories <small>with their documents</small></h2>
<ul class="chips">${categories
    .slice(0, MAX_CATEGORIES)
    .map(
      ({ name, own }) =>
        html`<li><a class="chip" href="${linkTo(base, path, { category: name })}"><bdi>${name}</bdi> <small>${own.documents}</small></a></li>`,
    )}</ul>
${categories.length > MAX_CATEGORIES && html`<p><a href="${linkTo(base, path)}">All ${categories.length} categories</a></p>`}
</section>`;
}

function writeConnect({ base, corpus }: Site, { base: origin, needsKey }: PageServices): Html {
  const target = { origin, ...(corpus !== "" && { corpus }), needsKey };
  const guides = listClientGuides(target).filter(({ id }) => SHOWN_CLIENTS.includes(id));
  const address = {
    id: "mcp-address",
    client: "Address of the MCP server",
    language: "text",
    snippet: `${origin}/mcp`,
  } as const;
  return html`${[address, ...guides].map((guide) => writeGuide({ step: "", ...guide, link: undefined }, 3))}
<p><a href="${linkTo(base, `${EXPLORER_PATH}/connect`)}">All clients</a></p>`;
}

/** `12.3 MB`. */
function formatSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  for (; size >= KILOBYTE && unit < units.length - 1; unit++) size /= KILOBYTE;
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
