/** The explorer's picture: how source files, pages or packages hang together, as a drawing and in words. */

import { arePackagesWithin, neighboursOf, productPackages, readPackages } from "../../core/code/packages.ts";
import { readImportGraph } from "../../core/code/walks.ts";
import { readPageLinks } from "../../core/docs/catalogue.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeShards } from "../../core/index/shards.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import type { AddressParameters, Arguments } from "../../surface/parameters.ts";
import { composePicture, type Picture } from "../../surface/render/picture/compose.ts";
import {
  type Box,
  type BoxLink,
  type FoldedGraph,
  type Folder,
  findFolder,
  foldGraph,
  type Graph,
  listFolders,
  makeFolders,
  type Point,
} from "../../surface/render/picture/fold-graph.ts";
import { formatCount, formatNumber, roundTo } from "../../surface/render/text.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToDocument, linkToOutline, type Parameters, TREE_PATH } from "./links.ts";
import { type IndexPage, type Page, readPage, type Site, writeMissing, writeSteps } from "./page.ts";

type PlacedBox = Picture["boxes"][number];

/** Kinds of graphs, the one that says most first. */
const GRAPH_KINDS = ["imports", "links", "packages"] as const;
type GraphKind = (typeof GRAPH_KINDS)[number];

/** Bytes of the table of packages that are read for a page at most. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

/** What items and links of each graph are called. */
const GRAPH_WORDS: Readonly<
  Record<GraphKind, { readonly item: string; readonly link: string; readonly name: string }>
> = {
  imports: { item: "file", link: "import", name: "Imports between source files" },
  links: { item: "page", link: "link", name: "Links between pages" },
  packages: { item: "package", link: "import", name: "Imports between packages" },
};

/** Names of neighbours that a box shows in each direction. */
const MAX_NEIGHBOURS = 30;

/** Names of boxes that a line names. */
const MAX_NAMED = 60;

const SHOWN_HUBS = 8;

const PICTURE_PATH = `${EXPLORER_PATH}/graph`;

const VIEWS = ["picture", "list"] as const;
const VIEW_NAMES = { picture: "Picture", list: "List" } as const;
/** Boxes in the folder at most: a list of more can still be read. */
const MAX_BOXES = { picture: 60, list: 500 } as const;
/** Links that are drawn at most, the heaviest first: more cross too often. */
const MAX_DRAWN = 150;
const MAX_NEAREST = 5;

const PARAMETERS = {
  of: {
    kind: "choice",
    values: GRAPH_KINDS,
    default: GRAPH_KINDS[0],
    description: "what is connected; links when absent where there is no source code",
  },
  view: { kind: "choice", values: VIEWS, default: VIEWS[0], description: "how it is shown" },
  folder: { kind: "text", default: "", description: "id of the folder that is shown" },
  focus: {
    kind: "text",
    default: "",
    description: "id of a box whose own links stand out",
  },
} as const satisfies AddressParameters;

export const PICTURE_PAGE: IndexPage = { path: PICTURE_PATH, parameters: PARAMETERS, write: writePicturePage };

type Asked = Omit<Arguments<typeof PARAMETERS>, "of"> & { readonly kind: GraphKind };

/** What the parts of the page are written from. */
interface Shown {
  readonly asked: Asked;
  readonly graph: FoldedGraph;
  readonly root: Folder;
  readonly focus: number | undefined;
  /** A link to this page with other parameters. */
  readonly link: (changed: Partial<Asked>) => string;
  readonly hrefOf: (box: Box) => string;
  readonly base: string;
}

/** The page. @throws {InputError} for a view that there is not. */
async function writePicturePage(reader: IndexReader, site: Site, parameters: URLSearchParams): Promise<Page> {
  const kinds = kindsOf(reader);
  const of = { ...PARAMETERS.of, values: kinds, default: kinds[0] };
  const { of: kind, ...rest } = readPage(parameters, { ...PARAMETERS, of });
  const asked: Asked = { kind, ...rest };
  const link = (changed: Partial<Asked>): string =>
    linkTo(site.base, PICTURE_PATH, toParameters({ ...asked, ...changed }));
  const words = GRAPH_WORDS[asked.kind];
  const controls = writeControls(asked, kinds, site.base);
  const page = (main: Html, isWide = false): Page => ({
    title: words.name,
    current: PICTURE_PATH,
    isWide,
    main: html`${controls}${main}`,
  });
  const graph = await readGraph(reader, asked.kind);
  if (graph === undefined) {
    return page(writeUndrawn(reader, asked, site.base, link({ kind: "packages", folder: "", focus: "" })));
  }
  if (graph.ids.length === 0) return page(html`<p>There are no ${words.item}s that you can see.</p>`);
  const root = makeFolders(graph.ids);
  const folder = findFolder(root, asked.folder);
  const isKnown = asked.focus === "" || graph.ids.includes(asked.focus) || findFolder(root, asked.focus) !== undefined;
  if (folder === undefined || !isKnown) {
    const [what, name] = folder === undefined ? ["folder", asked.folder] : [words.item, asked.focus];
    const names = folder === undefined ? listFolders(root) : graph.ids;
    const nearest = nearestNames(name, names, MAX_NEAREST);
    const hrefOf = (id: string): string => link(folder === undefined ? { folder: id, focus: "" } : { focus: id });
    const listHref = link({ folder: "", focus: "" });
    return writeMissing({ what, name, nearest, hrefOf, current: PICTURE_PATH, listHref });
  }
  const folded = foldGraph(graph, root, folder, MAX_BOXES[asked.view], asked.kind !== "links");
  const focus = asked.focus === "" ? -1 : folded.boxes.findIndex(({ id }) => covers(id, asked.focus));
  const shown: Shown = {
    asked,
    graph: folded,
    root,
    focus: focus < 0 ? undefined : focus,
    link,
    hrefOf: (box) => hrefOfBox(box, asked, link, site.base),
    base: site.base,
  };
  return page(html`${writePlace(shown)}${writeTabs(shown)}${writeView(shown)}`, true);
}

/** Where else is said what would be too much to draw. @param packagesHref Where packages are drawn. */
function writeUndrawn(reader: IndexReader, { kind, folder }: Asked, base: string, packagesHref: string): Html {
  const { item, link } = GRAPH_WORDS[kind];
  return html`<p>There are more ${link}s between ${item}s than are read for one page, so they are not drawn. <a href="${linkTo(base, "/summary")}">The map of the build</a> says what is most connected, what is in cycles, and what nothing leads to; each outline has the ${link}s of its own.${kind === "imports" && canDrawPackages(reader) && html` <a href="${packagesHref}">Imports between packages</a> can be drawn.`}</p>
<p><a href="${linkTo(base, TREE_PATH, { folder })}">Folders and documents</a></p>`;
}

/** Whether a box of an id stands for a document or folder: a folder's id ends with what separates it from what is in it. */
function covers(id: string, asked: string): boolean {
  return id === asked || (/[:/]$/.test(id) && asked.startsWith(id)) || id === `${asked}/`;
}

function toParameters({ kind, view, folder, focus }: Asked): Parameters {
  return { of: kind, view: view === VIEWS[0] ? "" : view, folder, focus };
}

/** Folders open, files show what they are connected with; once that is shown, they lead to their outline. */
function hrefOfBox(box: Box, asked: Asked, link: Shown["link"], base: string): string {
  const isFolder = /[:/]$/.test(box.id);
  if (box.kind === "rest") return link({ view: "list", focus: "" });
  if (isFolder) return link({ folder: box.id, focus: "" });
  if (asked.kind !== "packages" && (box.kind === "outside" || box.id === asked.focus))
    return linkToOutline(base, box.id);
  return link({ focus: box.id });
}

function writeControls(asked: Asked, kinds: readonly GraphKind[], base: string): Html {
  return html`<form class="controls" action="${linkTo(base, PICTURE_PATH)}">
<label>Show <select name="of">${kinds.map(
    (kind) => html`<option value="${kind}"${kind === asked.kind && html` selected`}>${GRAPH_WORDS[kind].name}</option>`,
  )}</select></label>
<input type="hidden" name="view" value="${asked.view}"><button>Show</button>
</form>`;
}

/** Which folder is shown, as a way down to it, and how much is in the picture. */
function writePlace({ asked, graph, link, root }: Shown): Html {
  const words = GRAPH_WORDS[asked.kind];
  const drawn = graph.links.reduce((sum, { weight }) => sum + weight, 0);
  const parts = [
    `${formatCount(graph.files, words.item)} in ${formatCount(graph.boxes.length, "box", "boxes")}`,
    `${formatCount(drawn, words.link)} between boxes`,
    ...(graph.linksInside > 0 ? [`${formatCount(graph.linksInside, words.link)} inside of a box`] : []),
    ...(graph.linksLeftOut > 0
      ? [`${formatCount(graph.linksLeftOut, words.link)} with further folders outside are left out`]
      : []),
  ];
  return html`${writeSteps(graph.folder, `All ${root.count} ${words.item}s`, (folder) => link({ folder, focus: "" }))}
<p class="soft">${parts.join("; ")}.</p>`;
}

function writeTabs({ asked, link }: Shown): Html {
  return html`<nav class="tabs" aria-label="Ways to show it"><ul class="chips">${VIEWS.map(
    (view) =>
      html`<li><a class="chip" href="${link({ view })}"${view === asked.view && html` aria-current="page"`}>${VIEW_NAMES[view]}</a></li>`,
  )}</ul></nav>`;
}

function writeView(shown: Shown): Html {
  const { asked, graph, hrefOf } = shown;
  const { item, link: noun } = GRAPH_WORDS[asked.kind];
  const options = { hrefOf, noun, item };
  const highlights = writeHighlights(graph, options);
  if (asked.view === "list")
    return html`<h2>In short</h2>${highlights}<h2>Box by box</h2>${writeGraphList(graph, options)}`;
  const picture = composePicture(graph, MAX_DRAWN);
  return html`${writeFocus(shown, options.noun)}
<div class="scroll" tabindex="0" role="region" aria-label="Picture" data-zoom>${drawPicture(picture, {
    title: `${GRAPH_WORDS[asked.kind].name}; the list says the same`,
    hrefOf,
    item,
    focus: shown.focus,
  })}</div>
${writeLegend(shown, picture)}
<h2>In words</h2>${highlights}<details><summary>All of it as a list</summary>${writeGraphList(graph, options)}</details>`;
}

/** What the box is that stands out, and where it leads. */
function writeFocus({ focus, graph, asked, base, link }: Shown, noun: string): Html | "" {
  const box = graph.boxes[focus ?? -1];
  if (box === undefined) return "";
  const isFile = box.kind === "file" && asked.kind !== "packages";
  return html`<p class="focus"><b>${box.id}</b>: ${formatCount(box.fanOut, noun)} out, ${formatCount(box.fanIn, noun)} in.
${isFile && html`<a href="${linkToOutline(base, box.id)}">Outline</a> · <a href="${linkToDocument(base, box.id)}">Text</a> · `}<a href="${link({ focus: "" })}">Show all links</a></p>`;
}

function writeLegend({ asked, graph }: Shown, { linksNotDrawn }: Picture): Html {
  const words = GRAPH_WORDS[asked.kind];
  const isCycle = graph.boxes.some(({ cycle }) => cycle > 0);
  const isTypes = graph.links.some(({ typeOnly }) => typeOnly);
  const isOutside = graph.boxes.some(({ kind }) => kind === "outside");
  return html`<ul class="legend small">
<li>An arrow leads from what depends to what it depends on; the thicker, the more ${words.link}s. Larger names have most of them. A number counts the ${words.item}s of a folder, which opens it; a ${words.item} shows its own ${words.link}s.</li>
${isCycle && html`<li><span class="error">Red, with a double border</span>: part of a cycle.</li>`}
${isTypes && html`<li>Dashed arrows: of types alone.</li>`}
${isOutside && html`<li>Dashed boxes: outside of the folder.</li>`}
${linksNotDrawn > 0 && html`<li>${formatCount(linksNotDrawn, "arrow")} that would weigh least, or come from what had no room, are not drawn; the list has them.</li>`}
</ul>`;
}

interface GraphOptions {
  readonly hrefOf: (box: Box) => string;
  /** What a link is called. */
  readonly noun: string;
  /** What is in a folder is called. */
  readonly item: string;
}

/** Hubs, cycles, what is alone: the first that somebody wants to know. */
export function writeHighlights({ boxes }: FoldedGraph, options: GraphOptions): Html {
  const countLinks = ({ fanIn, fanOut }: Box): number => fanIn + fanOut;
  const hubs = boxes
    .filter((box) => countLinks(box) > 0)
    .sort((a, b) => countLinks(b) - countLinks(a))
    .slice(0, SHOWN_HUBS);
  const alone = boxes.filter((box) => countLinks(box) === 0);
  const cycles = [
    ...Map.groupBy(
      boxes.filter(({ cycle }) => cycle > 0),
      ({ cycle }) => cycle,
    ),
  ];
  return html`<ul class="highlights">
${hubs.length > 0 && html`<li>Most connected: ${hubs.map((box, at) => html`${at > 0 && ", "}${nameBox(box, options)} <small>${countLinks(box)}</small>`)}</li>`}
${cycles.map(
  ([number, members]) =>
    html`<li><span class="error">Cycle ${number}</span>: ${formatNumber(members.length)} lead to one another: ${nameAll(members, options)}</li>`,
)}
${alone.length > 0 && html`<li>Without links (${formatNumber(alone.length)}): ${nameAll(alone, options)}</li>`}
</ul>`;
}

/** All boxes by folder, each with what it leads to and what leads to it, which are links inside of the list. */
export function writeGraphList({ boxes, folder, links }: FoldedGraph, options: GraphOptions): Html {
  const out = Map.groupBy(links, ({ from }) => from);
  const into = Map.groupBy(links, ({ to }) => to);
  const byFolder = Map.groupBy(boxes.keys(), (at) => (boxes[at] as Box).parent);
  const writeNeighbours = (title: string, found: readonly BoxLink[], end: "from" | "to"): Html | "" => {
    const left = found.length - MAX_NEIGHBOURS;
    return html`<div class="small"><span class="soft">${title}</span> ${found
      .slice(0, MAX_NEIGHBOURS)
      .map(
        (link, at) =>
          html`${at > 0 && ", "}<a href="#box-${link[end]}">${boxes[link[end]]?.label}</a>${link.weight > 1 && html` <small>${formatCount(link.weight, options.noun)}</small>`}`,
      )}${left > 0 && ` and ${formatNumber(left)} more`}</div>`;
  };
  const writeBox = (at: number): Html => {
    const box = boxes[at] as Box;
    const [to, from] = [out.get(at) ?? [], into.get(at) ?? []];
    return html`<li id="box-${at}">${nameBox(box, options)}${box.kind !== "file" && html` <small>${formatCount(box.files, options.item)}</small>`}${
      box.cycle > 0 && html` <span class="error">cycle ${box.cycle}</span>`
    }${to.length > 0 && writeNeighbours("leads to", to, "to")}${from.length > 0 && writeNeighbours("used by", from, "from")}</li>
`;
  };
  return html`${[...byFolder].map(
    ([id, members]) => html`<h3><code>${id === "" && folder !== "" ? "outside" : id}</code></h3>
<ul class="boxes">${members.map(writeBox)}</ul>`,
  )}`;
}

function nameAll(boxes: readonly Box[], options: GraphOptions): Html {
  const left = boxes.length - MAX_NAMED;
  return html`${boxes.slice(0, MAX_NAMED).map((box, at) => html`${at > 0 && ", "}${nameBox(box, options)}`)}${left > 0 && ` and ${formatNumber(left)} more`}`;
}

function nameBox(box: Box, { hrefOf }: GraphOptions): Html {
  return html`<a href="${hrefOf(box)}">${box.label}</a>`;
}

/** Kinds that an index can have, the one that is shown when none is asked for first. */
function kindsOf(reader: IndexReader): readonly [GraphKind, ...GraphKind[]] {
  return codeShards(reader).length > 0 ? GRAPH_KINDS : ["links", "imports", "packages"];
}

export function graphKindOf(path: string): GraphKind {
  return codeLanguageOf(path) === undefined ? "links" : "imports";
}

/** Whether the graph of packages is small enough to be read for a page. Reads nothing. */
function canDrawPackages(reader: IndexReader): boolean {
  return arePackagesWithin(reader, MAX_PACKAGE_BYTES);
}

/** The graph; undefined where it is too large to be read at once. Reads what the tools for graphs read. */
async function readGraph(reader: IndexReader, kind: GraphKind): Promise<Graph | undefined> {
  if (kind === "imports") return readImportGraph(reader);
  if (kind === "links") return readPageLinks(reader);
  if (!canDrawPackages(reader)) return undefined;
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
  return { ids, links: [...weights.values()] };
}

interface DrawingOptions {
  /** What the picture shows, in a sentence. */
  readonly title: string;
  /** Where a box leads to. */
  readonly hrefOf: (box: Box) => string;
  /** What is in a folder is called. */
  readonly item: string;
  /** Place of the box whose links stand out; undefined where none does. */
  readonly focus: number | undefined;
}

/** Thickest way, in units of the picture. */
const MAX_WEIGHT = 5;
const ARROW = 5;
/** A tenth of a unit more or less is nothing that anybody sees, and numbers without a point are shorter. */
const { round } = Math;

export function drawPicture(picture: Picture, options: DrawingOptions): Html {
  const { boxes, ways, width, height, looseTop } = picture;
  const { title, focus } = options;
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const classes = `graph${focus === undefined ? "" : " focused"}`;
  return html`<svg class="${classes}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="group" aria-label="${title}">
<g class="ways" aria-hidden="true">${ways.map((way) => drawWay(way, focus))}</g>
${looseTop !== undefined && html`<text class="caption" x="12" y="${Math.round(looseTop + LOOSE_LINE)}">Without links</text>`}
${boxes.map((box, at) => drawBox(box, at, options, isNear(at, picture, focus)))}
</svg>`;
}

const LOOSE_LINE = 22;

function isNear(at: number, { ways }: Picture, focus: number | undefined): boolean {
  if (focus === undefined || focus === at) return focus === at;
  return ways.some(({ link: { from, to } }) => (from === at && to === focus) || (to === at && from === focus));
}

function drawBox(
  { x, y, width, height, box, label }: PlacedBox,
  at: number,
  { hrefOf, item }: DrawingOptions,
  isShown: boolean,
): Html {
  const classes = ["box", box.kind, box.cycle > 0 && "cycle", isShown && "near"].filter(Boolean).join(" ");
  const [left, top, wide, high] = [round(x), round(y), round(width), round(height)];
  const inner =
    box.cycle > 0 &&
    html`<rect class="inner" x="${left + 2}" y="${top + 2}" width="${wide - 4}" height="${high - 4}" rx="2"/>`;
  return html`<a class="${classes}" href="${hrefOf(box)}" data-box="${at}"><title>${describeBox(box, item)}</title><rect x="${left}" y="${top}" width="${wide}" height="${high}" rx="4"/>${inner}${drawLabel(label)}</a>
`;
}

function drawLabel({ x, y, size, text }: PlacedBox["label"]): Html {
  // A third of the letters' height below the middle is where they stand.
  return html`<text x="${round(x)}" y="${round(y + size * 0.35)}"${size > 12 ? html` class="large"` : ""}>${text}</text>`;
}

function drawWay({ link, points }: Picture["ways"][number], focus: number | undefined): Html {
  const { from, to, weight, typeOnly, isInCycle } = link;
  const isShown = focus === from || focus === to;
  const classes = [isInCycle && "cycle", typeOnly && "types", isShown && "near"].filter(Boolean).join(" ");
  const thick = roundTo(Math.min(MAX_WEIGHT, 1 + Math.log2(weight) / 2), 1);
  return html`<path${classes !== "" && html` class="${classes}"`} data-from="${from}" data-to="${to}" stroke-width="${thick}" d="${pathOf(points)}"/>`;
}

/** A smooth line through the corners, with a head at its end. */
function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  let path = `M${round(first.x)} ${round(first.y)}`;
  let before = first;
  for (const point of others) {
    if (point.x === before.x && point.y === before.y) continue;
    const middle = round((before.x + point.x) / 2);
    path +=
      before.y === point.y || before.x === point.x
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${middle} ${round(before.y)} ${middle} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    before = point;
  }
  const last = points.at(-1) as Point;
  const isToRight = last.x >= (points.at(-2) ?? last).x;
  const back = round(last.x + (isToRight ? -ARROW : ARROW));
  return `${path}M${back} ${round(last.y - ARROW / 1.6)}L${round(last.x)} ${round(last.y)}L${back} ${round(last.y + ARROW / 1.6)}`;
}

/** `src/core/, 12 files, leads to 3, 5 lead here, in a cycle`. @param item What is in folders is called: `file`. */
function describeBox({ kind, id, label, files, fanIn, fanOut, cycle }: Box, item: string): string {
  const name = kind === "rest" ? label : id;
  const parts = [
    name,
    ...(kind === "file" ? [] : [formatCount(files, item)]),
    ...(kind === "outside" ? ["outside"] : []),
    `leads to ${formatNumber(fanOut)}`,
    `${formatNumber(fanIn)} ${fanIn === 1 ? "leads" : "lead"} here`,
    ...(cycle > 0 ? [`in cycle ${cycle}`] : []),
  ];
  return parts.join(", ");
}
