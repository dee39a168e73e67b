/** Nodes of the box. All text becomes text nodes: nothing is ever read as HTML. */

import { cleanText as clean } from "../../surface/render/text.ts";

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and what it holds. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Text of a document, set apart: its direction is its own and changes nothing around it. */
export function isolate(...children: readonly (Node | string)[]): HTMLElement {
  return make("bdi", {}, ...children);
}

/** The text without characters that hide words or turn them around. */
export function cleanText(text: string): string {
  return clean(text).text;
}

/** A picture of 24 by 24 that is drawn in one line. */
export function drawIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const ICONS = {
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20",
  close: "M6 6l12 12M18 6 6 18",
  page: "M7 3.5h7l4 4v13H7zM14 3.5v4h4",
  section: "M9.5 4 8 20M16 4l-1.5 16M4.5 9h16M3.5 15h16",
  recent: "M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17",
} as const;

/** A function that gives one sheet of these styles, made when it is first called. */
export function shareSheet(styles: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined;
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
    }
    return sheet;
  };
}

/** Names by which pages know the element, and what its attributes say. */

export const ELEMENT_NAME = "treeline-search";
/** Attributes, each of which may change at any time. */
export const ATTRIBUTES: readonly string[] = [
  "src",
  "mode",
  "collections",
  "facets",
  "lang",
  "placeholder",
  "label",
  "hotkeys",
  "links",
  "target",
  "theme",
];

export interface Settings {
  readonly language: string;
  readonly placeholder: string | undefined;
  readonly collections: readonly string[];
  /** Keys that become chips. */
  readonly facets: readonly string[];
  /** Addresses keep their path and take the page's site. */
  readonly isHere: boolean;
  /** Where links open; `""` for here. */
  readonly target: string;
}
