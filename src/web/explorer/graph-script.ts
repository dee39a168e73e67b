/** Draws the graph of a page, and lets it grow: a click on a node adds its neighbours, the next one opens its page. */

import { Graph, layout } from "@dagrejs/dagre";
import { select } from "d3-selection";
import { type D3ZoomEvent, zoom, zoomIdentity } from "d3-zoom";
import type { DrawnGraph, DrawnLink, DrawnNode } from "../../core/docs/model.ts";

/** Opened nodes at most, as the server takes them. */
const MAX_OPENED = 20;
const LARGEST = 2.5;
/** Names are readable from this scale on: a graph that would be smaller is not fitted as a whole after it has grown. */
const READABLE = 0.6;
const MARGIN = 16;
/** Height of the buttons, which lie over the frame. */
const BUTTONS = 40;
const ARROW = 6;
const SETTLE_MS = 120;

interface Point {
  readonly x: number;
  readonly y: number;
}

const frame = document.querySelector<HTMLElement>("[data-graph]");
const canvas = frame?.querySelector<HTMLElement>(".canvas");
const svg = frame?.querySelector<SVGSVGElement>("svg");
if (frame && canvas && svg) drawGraph(frame, canvas, svg);

function drawGraph(frame: HTMLElement, canvas: HTMLElement, svg: SVGSVGElement): void {
  const status = document.querySelector<HTMLElement>(".graph [role=status]");
  const elements = new Map<string, HTMLAnchorElement>();
  let shown = JSON.parse(frame.dataset["graph"] ?? "") as DrawnGraph;
  let places: readonly Point[] = [];
  let size = { width: 1, height: 1 };

  const moved = zoom<HTMLElement, unknown>()
    .scaleExtent([0.1, LARGEST])
    .on("zoom", ({ transform, sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => {
      canvas.classList.toggle("moving", sourceEvent === null);
      canvas.style.transform = `translate(${transform.x}px,${transform.y}px) scale(${transform.k})`;
    });
  const view = select(frame).call(moved).on("dblclick.zoom", null);

  const show = (graph: DrawnGraph): void => {
    shown = graph;
    const known = new Set(graph.nodes.map(({ id }) => id));
    for (const [id, element] of elements) {
      if (known.has(id)) continue;
      element.remove();
      elements.delete(id);
    }
    for (const node of graph.nodes) {
      const element = elements.get(node.id) ?? document.createElement("a");
      describeNode(element, node);
      if (elements.has(node.id)) continue;
      elements.set(node.id, element);
      canvas.append(element);
    }
    const placed = place(graph, elements);
    ({ places, size } = placed);
    for (const [at, { id }] of graph.nodes.entries()) {
      const [element, { x, y }] = [elements.get(id) as HTMLElement, places[at] as Point];
      element.style.transform = `translate(${x - element.offsetWidth / 2}px,${y - element.offsetHeight / 2}px)`;
    }
    svg.replaceChildren(...graph.links.map((link, at) => drawLink(link, placed.ways[at] ?? [])));
  };

  /** Shows all of the graph, or its latest part where all of it would be too small to read. */
  const fitFrame = (least: number): void => {
    const [width, height] = [frame.clientWidth, frame.clientHeight - BUTTONS];
    const whole = Math.min(1, (width - 2 * MARGIN) / size.width, (height - 2 * MARGIN) / size.height);
    const scale = Math.max(least, whole);
    const at = places[shown.nodes.filter(({ isOpen }) => isOpen).length - 1];
    // No part of the frame stays empty that the graph could fill.
    const middle = (wanted: number, length: number, room: number): number => {
      const half = (room / 2 - MARGIN) / scale;
      return 2 * half >= length ? length / 2 : Math.min(length - half, Math.max(half, wanted));
    };
    const x = middle(at?.x ?? 0, size.width, width);
    const y = middle(at?.y ?? 0, size.height, height);
    moved.transform(
      view,
      zoomIdentity
        .translate(width / 2, height / 2)
        .scale(scale)
        .translate(-x, -y),
    );
  };

  /** @param address Of the page that shows the graph. @param isNew Whether it becomes an entry of the browser's history. */
  const load = async (address: URL, isNew: boolean): Promise<void> => {
    frame.setAttribute("aria-busy", "true");
    try {
      const graph = (await ask(address)) as DrawnGraph;
      const before = shown.nodes.length;
      if (isNew) history.pushState(null, "", address);
      show(graph);
      fitFrame(READABLE);
      const added = graph.nodes.length - before;
      tell(`${graph.nodes.length} of ${graph.total} shown${added > 0 ? `, ${added} added` : ""}.`);
    } catch {
      tell("The server cannot be reached. Try it again.");
    } finally {
      frame.removeAttribute("aria-busy");
    }
  };
  const tell = (text: string): void => {
    if (status !== null) status.textContent = text;
  };
  const open = (id: string, others: readonly string[]): void => {
    const address = new URL(location.href);
    for (const name of ["focus", "folder"]) address.searchParams.delete(name);
    for (const one of [...others, id].slice(-MAX_OPENED)) address.searchParams.append("focus", one);
    void load(address, true);
  };

  canvas.addEventListener("click", (event) => {
    const node = shown.nodes[indexOf(event.target)];
    if (node === undefined || node.isOpen || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(
      node.id,
      shown.nodes.filter(({ isOpen }) => isOpen).map(({ id }) => id),
    );
  });
  const indexOf = (target: EventTarget | null): number => {
    const element = target instanceof Element ? target.closest("a") : null;
    return shown.nodes.findIndex(({ id }) => elements.get(id) === element);
  };

  const light = ({ target }: Event): void => {
    const at = indexOf(target);
    frame.classList.toggle("lit", at >= 0);
    for (const [place, { from, to }] of shown.links.entries()) {
      svg.children[place]?.classList.toggle("near", from === at || to === at);
    }
  };
  for (const name of ["pointerover", "focusin"]) canvas.addEventListener(name, light);
  for (const name of ["pointerleave", "focusout"]) canvas.addEventListener(name, () => frame.classList.remove("lit"));
  // What the keyboard reaches is brought into view.
  canvas.addEventListener("focusin", ({ target }) => {
    const [node, outer] = [(target as Element).getBoundingClientRect(), frame.getBoundingClientRect()];
    const isInside =
      node.left >= outer.left && node.right <= outer.right && node.top >= outer.top && node.bottom <= outer.bottom;
    const at = places[indexOf(target)];
    if (!isInside && at !== undefined) moved.translateTo(view, at.x, at.y);
  });

  for (const button of document.querySelectorAll<HTMLElement>("button[data-zoom]")) {
    const by = Number(button.dataset["zoom"]);
    button.addEventListener("click", () => (Number.isNaN(by) ? fitFrame(0) : moved.scaleBy(view, by)));
  }
  findByName((id) => (elements.has(id) ? elements.get(id)?.focus() : open(id, [])));
  addEventListener("popstate", () => void load(new URL(location.href), false));
  show(shown);
  new ResizeObserver(() => fitFrame(READABLE)).observe(frame);
}

async function ask(address: URL): Promise<unknown> {
  const wanted = new URL(address);
  wanted.searchParams.set("format", "json");
  const response = await fetch(wanted, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function describeNode(element: HTMLAnchorElement, { name, place, href, more, isOpen, isInCycle }: DrawnNode): void {
  const part = (tag: string, text: string): HTMLElement => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.dir = "auto";
    return made;
  };
  element.href = href;
  element.className = `node${isOpen ? " open" : ""}${isInCycle ? " cycle" : ""}`;
  element.title = `${name}, ${place}: ${isOpen ? "open" : "show its neighbours"}`;
  element.setAttribute("aria-expanded", String(isOpen));
  // The end of a path says most.
  const folder = place.split(/[:/]/).slice(-2).join("/");
  const badge = more > 0 ? [part("i", `+${more}`)] : [];
  element.replaceChildren(...badge, part("b", name), part("small", folder));
}

/** Nodes in layers from left to right, as links point, and the corners of these. */
function place({ nodes, links }: DrawnGraph, elements: ReadonlyMap<string, HTMLElement>) {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: innerWidth < 600 ? 44 : 96, edgesep: 8 });
  for (const [at, { id }] of nodes.entries()) {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = elements.get(id) ?? {};
    graph.setNode(`${at}`, { width, height });
  }
  for (const { from, to } of links) graph.setEdge(`${from}`, `${to}`, {});
  layout(graph);
  const { width = 1, height = 1 } = graph.graph() as { width?: number; height?: number };
  return {
    places: [...nodes.keys()].map((at): Point => graph.node(`${at}`) as Point),
    ways: links.map(({ from, to }) => (graph.edge(`${from}`, `${to}`) as { points: Point[] }).points),
    size: { width, height },
  };
}

/** A smooth line through the corners, with a head at its end, and for a link both ways at its beginning. */
function drawLink({ weight, isTwoWay, isTypeOnly, isInCycle }: DrawnLink, way: readonly Point[]): SVGPathElement {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const [first, ...corners] = way;
  const last = corners.pop();
  if (first === undefined || last === undefined) return path;
  const curves = corners.map((corner, at) => {
    const next = corners[at + 1] ?? last;
    const end = at + 1 < corners.length ? { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 } : last;
    return `Q${write(corner)} ${write(end)}`;
  });
  const heads = [drawHead(corners.at(-1) ?? first, last), isTwoWay ? drawHead(corners[0] ?? last, first) : ""];
  path.setAttribute("d", `M${write(first)}${curves.length > 0 ? curves.join("") : `L${write(last)}`}${heads.join("")}`);
  path.setAttribute("stroke-width", `${Math.min(4, 1 + Math.log2(weight) / 3)}`);
  path.setAttribute("class", [isTypeOnly && "types", isInCycle && "cycle"].filter(Boolean).join(" "));
  return path;
}

function drawHead(from: Point, tip: Point): string {
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  const wing = (turn: number): Point => ({
    x: tip.x - ARROW * Math.cos(angle + turn),
    y: tip.y - ARROW * Math.sin(angle + turn),
  });
  return `M${write(wing(0.5))}L${write(tip)}L${write(wing(-0.5))}`;
}

function write({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

/** Suggests nodes while a name is typed. @param choose Told the id of the one that is chosen. */
function findByName(choose: (id: string) => void): void {
  const form = document.querySelector<HTMLFormElement>("form[data-find]");
  const field = form?.querySelector<HTMLInputElement>("input[name=find]");
  const list = document.querySelector("#found");
  if (!form || !field || list === null) return;
  let ids = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const suggest = async (text: string): Promise<void> => {
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value));
    const { found } = (await ask(address)) as { readonly found: readonly DrawnNode[] };
    if (field.value !== text) return;
    ids = new Map(found.map(({ id, name, place }) => [`${name} (${place})`, id]));
    list.replaceChildren(...Array.from(ids.keys(), (name) => new Option(name, name)));
  };
  const take = (name: string | undefined): boolean => {
    const id = ids.get(name ?? "");
    if (id === undefined) return false;
    field.value = "";
    choose(id);
    return true;
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    const text = field.value;
    if (take(text)) return;
    ids.clear();
    if (text.trim() === "") return;
    timer = setTimeout(() => void suggest(text).catch(() => undefined), SETTLE_MS);
  });
  // The first that was suggested; without one, the form leads to the list.
  form.addEventListener("submit", (event) => {
    const [first] = ids.keys();
    if (take(first)) event.preventDefault();
  });
}
