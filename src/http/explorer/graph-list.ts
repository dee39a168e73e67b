/**
 * A graph in words: what is in each folder, what leads where, what is in a cycle, what nothing leads to. It says all that the
 * picture says.
 *
 * Pure: a graph in, HTML out.
 */
import { formatCount, formatNumber } from "../../render/counts.ts";
import type { Box, BoxLink, FoldedGraph } from "../../render/picture/fold-graph.ts";
import { type Html, html } from "./html.ts";

/** What the page around it knows. */
export interface GraphListOptions {
  readonly hrefOf: (box: Box) => string;
  /** What a link is called. */
  readonly noun: string;
  /** What is in a folder is called. */
  readonly item: string;
}

/** Names of neighbours that a box shows in each direction. */
const MAX_NEIGHBOURS = 30;
/** Names of boxes that a line names. */
const MAX_NAMED = 60;
const SHOWN_HUBS = 8;

/** Hubs, cycles, what is alone: the first that somebody wants to know. */
export function writeHighlights({ boxes }: FoldedGraph, options: GraphListOptions): Html {
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
export function writeGraphList({ boxes, folder, links }: FoldedGraph, options: GraphListOptions): Html {
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

function nameAll(boxes: readonly Box[], options: GraphListOptions): Html {
  const left = boxes.length - MAX_NAMED;
  return html`${boxes.slice(0, MAX_NAMED).map((box, at) => html`${at > 0 && ", "}${nameBox(box, options)}`)}${left > 0 && ` and ${formatNumber(left)} more`}`;
}

function nameBox(box: Box, { hrefOf }: GraphListOptions): Html {
  return html`<a href="${hrefOf(box)}">${box.label}</a>`;
}
