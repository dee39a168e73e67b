/** The explorer's graph of source files, pages or packages: from one node on as a drawing, which a script grows, and all of it as a list. */

import { findComponents } from "../../core/code/components.ts";
import { arePackagesWithin, neighboursOf, productPackages, readPackages } from "../../core/code/packages.ts";
import { readImportGraph } from "../../core/code/walks.ts";
import { readPageLinks } from "../../core/docs/catalogue.ts";
import type { DrawnGraph, DrawnLink, DrawnNode } from "../../core/docs/model.ts";
import { folderOf } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeShards } from "../../core/index/shards.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import { formatCount, formatNumber } from "../../surface/render/text.ts";
import { respondJson } from "../respond.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToDocument, type Parameters, TREE_PATH } from "./links.ts";
import { type IndexPage, OFFSET, type Page, readPage, type Site, writeMissing, writePaging } from "./page.ts";

/** Kinds of graphs, the one that says most first. */
const GRAPH_KINDS = ["imports", "links", "packages"] as const;
type GraphKind = (typeof GRAPH_KINDS)[number];

/** Bytes of the table of packages that are read for a page at most. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

const WORDS = {
  imports: { item: "file", link: "import", name: "Imports between source files", out: "Imports", into: "Imported by" },
  links: { item: "page", link: "link", name: "Links between pages", out: "Links to", into: "Linked from" },
  packages: { item: "package", link: "import", name: "Imports between packages", out: "Imports", into: "Imported by" },
} as const satisfies Record<GraphKind, Readonly<Record<string, string>>>;

/** Opened nodes of a drawing, neighbours of each in each direction, and links that are drawn, at most. */
const MAX_OPENED = 20;
const MAX_NEIGHBOURS = 10;
const MAX_LINKS = 300;
/** Nodes on a page of the list, neighbours that it names of each in each direction, and names in a line of highlights. */
const PAGE_ENTRIES = 100;
const MAX_LISTED = 30;
const MAX_NAMED = 40;
const SHOWN_HUBS = 8;
const MAX_FOUND = 10;
const MAX_NEAREST = 5;

const GRAPH_PATH = `${EXPLORER_PATH}/graph`;

const PARAMETERS = {
  of: {
    kind: "choice",
    values: GRAPH_KINDS,
    default: GRAPH_KINDS[0],
  },
  view: { kind: "choice", values: ["graph", "list"], default: "graph" },
  focus: {
    kind: "texts",
    default: [],
    maxEntries: MAX_OPENED,
  },
  folder: { kind: "text", default: "" },
  find: { kind: "text", default: "" },
  format: { kind: "choice", values: ["html", "json"], default: "html" },
  offset: OFFSET,
} as const;

export const GRAPH_PAGE: IndexPage = { path: GRAPH_PATH, write: writeGraphPage };

type Link = Omit<DrawnLink, "isTwoWay">;

/** A graph with what is known of each of its nodes, which are numbers. */
interface Graph {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly Link[];
  readonly out: ReadonlyMap<number, readonly Link[]>;
  readonly into: ReadonlyMap<number, readonly Link[]>;
  readonly cycles: readonly (readonly number[])[];
}

interface Setting extends Graph {
  readonly kind: GraphKind;
  readonly base: string;
  /** Link to this page with other parameters. */
  readonly link: (changed: Parameters) => string;
}

/** The page, or the JSON that its script asks for. @throws {InputError} for a view that there is not. */
async function writeGraphPage(
  reader: IndexReader,
  { base }: Site,
  parameters: URLSearchParams,
): Promise<Page | Response> {
  const hasCode = codeShards(reader).length > 0;
  const of = { ...PARAMETERS.of, default: hasCode ? GRAPH_KINDS[0] : "links" };
  const { of: kind, view, focus, folder, find, format, offset } = readPage(parameters, { ...PARAMETERS, of });
  const words = WORDS[kind];
  const link = (changed: Parameters): string => linkTo(base, GRAPH_PATH, { of: kind, ...changed });
  const page = (main: Html, isDrawn = false): Page => ({
    title: words.name,
    current: GRAPH_PATH,
    isWide: true,
    ...(isDrawn && { script: "graph" }),
    main: html`${writeControls(kind, hasCode ? GRAPH_KINDS : [kind], base, find)}${main}`,
  });
  const read = await readGraph(reader, kind);
  if (read === undefined) {
    return page(writeTooLarge(reader, kind, base, linkTo(base, TREE_PATH, { folder }), link({ of: "packages" })));
  }
  if (read.ids.length === 0) return page(html`<p>There are no ${words.item}s that you can see.</p>`);
  const setting: Setting = { ...read, kind, base, link };
  const placeOf = new Map(read.ids.map((id, at) => [id, at]));
  const unknown = focus.find((id) => !placeOf.has(id));
  const below = folder === "" || /[:/]$/.test(folder) ? folder : `${folder}/`;
  const inFolder = [...read.ids.keys()].filter((at) => (read.ids[at] as string).startsWith(below));
  if (unknown !== undefined || inFolder.length === 0) {
    const [what, name] = unknown === undefined ? ["folder", folder] : [words.item, unknown];
    const names = unknown === undefined ? [...new Set(read.ids.map(folderOf))] : read.ids;
    const nearest = nearestNames(name, names, MAX_NEAREST);
    const hrefOf = (id: string): string => link(unknown === undefined ? { folder: id } : { focus: id });
    return writeMissing({ what, name, nearest, hrefOf, current: GRAPH_PATH, listHref: link({ view: "list" }) });
  }
  const byDegree = (a: number, b: number): number => degreeOf(read, b) - degreeOf(read, a);
  const parts = find.toLowerCase().split(/\s+/);
  const isFound = (at: number): boolean => {
    const text = `${read.names[at]} ${read.ids[at]}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  };
  const found = find === "" ? inFolder : inFolder.filter(isFound).sort(byDegree);
  if (format === "json" && find !== "") {
    return respondJson({ found: found.slice(0, MAX_FOUND).map((at) => describeNode(setting, at)) });
  }
  const opened = [...new Set(focus)].map((id) => placeOf.get(id) as number);
  if (view === "list" || find !== "") {
    const listed = opened.length > 0 ? opened : found;
    const given = { view: "list", folder, find, focus };
    return page(html`<p><a href="${link({ focus, folder })}">As a graph</a></p>
${find !== "" && html`<p class="soft">${formatCount(found.length, words.item)} with <q>${find}</q> in name or path.</p>`}
${find === "" && opened.length === 0 && writeHighlights(setting)}
${writeList(setting, listed.slice(offset, offset + PAGE_ENTRIES))}
${writePaging({ offset, limit: PAGE_ENTRIES, total: listed.length, linkTo: (next) => link({ ...given, offset: next }) })}`);
  }
  const start = opened.length > 0 ? opened : [inFolder.reduce((best, at) => (byDegree(best, at) > 0 ? at : best))];
  const drawn = drawAround(setting, start);
  if (format === "json") return respondJson(drawn);
  return page(
    html`<section class="graph" aria-label="Graph">
<div class="frame" data-graph="${JSON.stringify(drawn)}"><div class="canvas"><svg aria-hidden="true"></svg></div></div>
<div class="zoom"><button type="button" data-zoom="1.4">Zoom in</button><button type="button" data-zoom="0.7">Zoom out</button><button type="button" data-zoom="fit">Fit</button><a class="button" href="${link({ view: "list", folder })}">List</a></div>
<p class="small soft" role="status">${describeDrawn(drawn, kind)}</p>
</section>
${writeLegend(setting, drawn)}
<h2>In words</h2>
${writeList(setting, start)}${writeHighlights(setting)}`,
    true,
  );
}

/** Where else is said what would be too much to draw. */
function writeTooLarge(
  reader: IndexReader,
  kind: GraphKind,
  base: string,
  treeHref: string,
  packagesHref: string,
): Html {
  const { item, link } = WORDS[kind];
  return html`<p>There are more ${link}s between ${item}s than are read for one page. <a href="${linkTo(base, "/summary")}">The map of the build</a> lists the most connected ${item}s, cycles, and ${item}s without ${link}s. Each outline has the ${link}s of its own ${item}.${kind === "imports" && arePackagesWithin(reader, MAX_PACKAGE_BYTES) && html` <a href="${packagesHref}">Imports between packages</a> are few enough to draw.`}</p>
<p><a href="${treeHref}">Folders and documents</a></p>`;
}

function writeControls(kind: GraphKind, kinds: readonly GraphKind[], base: string, find: string): Html {
  const choices =
    kinds.length > 1 &&
    html`<nav aria-label="Kinds of graphs"><ul class="chips">${kinds.map(
      (one) =>
        html`<li><a class="chip" href="${linkTo(base, GRAPH_PATH, { of: one })}"${one === kind && html` aria-current="page"`}>${WORDS[one].name}</a></li>`,
    )}</ul></nav>`;
  return html`${choices}<form class="search" action="${linkTo(base, GRAPH_PATH)}" data-find><input type="hidden" name="of" value="${kind}"><input type="search" name="find" value="${find}" list="found" aria-label="Find a ${WORDS[kind].item}" placeholder="Find a ${WORDS[kind].item}" maxlength="200" autocomplete="off" spellcheck="false"><datalist id="found"></datalist><button>Find</button></form>`;
}

function writeLegend({ kind, links }: Setting, drawn: DrawnGraph): Html {
  const { item, link, out } = WORDS[kind];
  return html`<ul class="legend small">
<li>An arrow points from a ${item} to what it ${out.toLowerCase()}.</li>
<li>Click a ${item} to add its neighbours, click again to open it.</li>
<li><b>+5</b>: five more ${link}s that are not drawn.</li>
${drawn.nodes.some(({ isInCycle }) => isInCycle) && html`<li><span class="error">Red, double border</span>: part of a cycle.</li>`}
${links.some(({ isTypeOnly }) => isTypeOnly) && html`<li>Dashed: imports of types only.</li>`}
</ul>`;
}

/** `12 of 475 pages, 30 links`. */
function describeDrawn({ nodes, links, total, left }: DrawnGraph, kind: GraphKind): string {
  const { item, link } = WORDS[kind];
  const cut = left === 0 ? "" : `; ${formatNumber(left)} more links between them are not drawn`;
  return `${formatNumber(nodes.length)} of ${formatCount(total, item)}, ${formatCount(links.length, link)}${cut}.`;
}

/** Opened nodes with their heaviest neighbours, and the links to these and between opened nodes. Links both ways are one. */
export function drawAround(setting: Setting, opened: readonly number[]): DrawnGraph {
  const { ids, links, out, into } = setting;
  const shown = new Set(opened);
  // Other links to nodes that are shown would hide these.
  const chosen = new Set<string>();
  const pairOf = ({ from, to }: Link): string => `${Math.min(from, to)} ${Math.max(from, to)}`;
  for (const at of opened) {
    for (const [own, end] of [
      [out.get(at) ?? [], "to"],
      [into.get(at) ?? [], "from"],
    ] as const) {
      const heaviest = own.toSorted(
        (a, b) => b.weight - a.weight || degreeOf(setting, b[end]) - degreeOf(setting, a[end]) || a[end] - b[end],
      );
      for (const one of heaviest.slice(0, MAX_NEIGHBOURS)) {
        shown.add(one[end]);
        chosen.add(pairOf(one));
      }
    }
  }
  const places = new Map([...shown].map((at, place) => [at, place]));
  const joined = new Map<string, DrawnLink>();
  for (const link of links) {
    const [from = -1, to = -1] = [places.get(link.from), places.get(link.to)];
    const isBetweenOpened = from >= 0 && to >= 0 && Math.max(from, to) < opened.length;
    if (!isBetweenOpened && !chosen.has(pairOf(link))) continue;
    const back = joined.get(`${to} ${from}`);
    if (back === undefined) joined.set(`${from} ${to}`, { ...link, from, to, isTwoWay: false });
    else {
      const isTypeOnly = back.isTypeOnly && link.isTypeOnly;
      joined.set(`${to} ${from}`, { ...back, isTypeOnly, weight: back.weight + link.weight, isTwoWay: true });
    }
  }
  const drawn = [...joined.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_LINKS);
  const ends = [...shown].map(() => 0);
  for (const { from, to, isTwoWay } of drawn) {
    for (const end of [from, to]) ends[end] = (ends[end] as number) + (isTwoWay ? 2 : 1);
  }
  return {
    nodes: [...shown].map((at, place) => ({
      ...describeNode(setting, at),
      more: degreeOf(setting, at) - (ends[place] as number),
      isOpen: opened.includes(at),
    })),
    links: drawn,
    total: ids.length,
    left: joined.size - drawn.length,
  };
}

function describeNode(
  { ids, names, kind, base, link, cycles }: Setting,
  at: number,
): Omit<DrawnNode, "more" | "isOpen"> {
  const id = ids[at] as string;
  const href = kind === "packages" ? link({ view: "list", focus: id }) : linkToDocument(base, id);
  const isInCycle = cycles.some((cycle) => cycle.includes(at));
  return { id, name: names[at] as string, place: folderOf(id).replace(/(?<=.)[:/]$/, ""), href, isInCycle };
}

function degreeOf({ out, into }: Graph, at: number): number {
  return (out.get(at)?.length ?? 0) + (into.get(at)?.length ?? 0);
}

/** Most connected nodes, cycles, and nodes without links. */
function writeHighlights(setting: Setting): Html {
  const { ids, cycles, kind } = setting;
  const { item, link } = WORDS[kind];
  const order = [...ids.keys()].sort((a, b) => degreeOf(setting, b) - degreeOf(setting, a));
  const hubs = order.slice(0, SHOWN_HUBS).filter((at) => degreeOf(setting, at) > 0);
  const alone = [...ids.keys()].filter((at) => degreeOf(setting, at) === 0);
  const list = (nodes: readonly number[]): Html => writeNames(setting, nodes, MAX_NAMED);
  return html`<ul class="highlights">
${hubs.length > 0 && html`<li>Most connected: ${hubs.map((at, place) => html`${place > 0 && ", "}${writeName(setting, at)} <small>${formatCount(degreeOf(setting, at), link)}</small>`)}</li>`}
${cycles.map((members, at) => html`<li><span class="error">Cycle ${at + 1}</span> of ${formatCount(members.length, item)}: ${list(members)}</li>`)}
${alone.length > 0 && html`<li>Without ${link}s: ${formatCount(alone.length, item)}: ${list(alone)}</li>`}
</ul>`;
}

/** Nodes by folder, each with what it links to and what links to it. */
function writeList(setting: Setting, nodes: readonly number[]): Html {
  const { ids, out, into, kind, cycles } = setting;
  const writeEnds = (title: string, ends: readonly number[]): Html | "" =>
    ends.length === 0
      ? ""
      : html`<div class="small"><span class="soft">${title}</span> ${writeNames(setting, ends, MAX_LISTED)}</div>`;
  return html`${[...Map.groupBy(nodes, (at) => folderOf(ids[at] as string))].map(
    ([folder, members]) => html`<h3>${folder}</h3>
<ul class="boxes">${members.map(
      (
        at,
      ) => html`<li><b>${writeName(setting, at)}</b>${cycles.some((cycle) => cycle.includes(at)) && html` <span class="error">in a cycle</span>`}
${writeEnds(
  WORDS[kind].out,
  (out.get(at) ?? []).map(({ to }) => to),
)}${writeEnds(
  WORDS[kind].into,
  (into.get(at) ?? []).map(({ from }) => from),
)}</li>
`,
    )}</ul>`,
  )}`;
}

function writeNames(setting: Setting, nodes: readonly number[], most: number): Html {
  const left = nodes.length - most;
  return html`${nodes.slice(0, most).map((at, place) => html`${place > 0 && ", "}${writeName(setting, at)}`)}${left > 0 && ` and ${formatNumber(left)} more`}`;
}

function writeName({ ids, names, link }: Setting, at: number): Html {
  return html`<a href="${link({ focus: ids[at] as string })}" title="${ids[at]}" dir="auto">${names[at]}</a>`;
}

export function graphKindOf(path: string): GraphKind {
  return codeLanguageOf(path) === undefined ? "links" : "imports";
}

/** Undefined where the graph is too large to be read at once. Reads what the tools for graphs read. */
async function readGraph(reader: IndexReader, kind: GraphKind): Promise<Graph | undefined> {
  if (kind === "links") {
    const graph = await readPageLinks(reader);
    return graph && prepareGraph(graph, graph.titles, false);
  }
  if (kind === "imports") {
    const graph = await readImportGraph(reader);
    return graph && prepareGraph(graph, [], true);
  }
  if (!arePackagesWithin(reader, MAX_PACKAGE_BYTES)) return undefined;
  const packages = productPackages(await readPackages(reader));
  const keyOf = ({ module, name }: { readonly module: string; readonly name: string }): string => `${module}:${name}`;
  const ids = [...new Set(packages.map(keyOf))].sort();
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const weights = new Map<string, { from: number; to: number; weight: number; typeOnly: false }>();
  for (const entry of packages) {
    const from = placeOf.get(keyOf(entry)) as number;
    for (const neighbour of neighboursOf(entry, false).imports.list) {
      const to = placeOf.get(keyOf(neighbour));
      if (to === undefined || to === from) continue;
      const key = `${from} ${to}`;
      const known = weights.get(key);
      if (known === undefined) weights.set(key, { from, to, weight: neighbour.weight, typeOnly: false });
      else known.weight += neighbour.weight;
    }
  }
  return prepareGraph({ ids, links: [...weights.values()] }, [], true);
}

interface ReadLinks {
  readonly ids: readonly string[];
  readonly links: readonly {
    readonly from: number;
    readonly to: number;
    readonly typeOnly: boolean;
    readonly weight?: number;
  }[];
}

/** @param titles Of the nodes in their order; a node without one is called by the last part of its id. */
export function prepareGraph({ ids, links: read }: ReadLinks, titles: readonly string[], withCycles: boolean): Graph {
  const targets = withCycles ? Map.groupBy(read, ({ from }) => from) : new Map<number, ReadLinks["links"]>();
  const starts = [0];
  for (const at of ids.keys()) starts.push((starts[at] as number) + (targets.get(at)?.length ?? 0));
  const listed = [...ids.keys()].flatMap((at) => (targets.get(at) ?? []).map(({ to }) => to));
  const cycles = findComponents({ starts: Int32Array.from(starts), targets: Int32Array.from(listed) });
  const cycleOf = new Map(cycles.flatMap((members, at) => members.map((node) => [node, at])));
  const links = read.map(({ from, to, typeOnly, weight = 1 }): Link => {
    const cycle = cycleOf.get(from);
    return { from, to, weight, isTypeOnly: typeOnly, isInCycle: cycle !== undefined && cycle === cycleOf.get(to) };
  });
  return {
    ids,
    names: ids.map((id, at) => titles[at] || id.slice(folderOf(id).length) || id),
    links,
    out: Map.groupBy(links, ({ from }) => from),
    into: Map.groupBy(links, ({ to }) => to),
    cycles,
  };
}
