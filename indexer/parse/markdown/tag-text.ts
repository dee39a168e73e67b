/**
 * What a tag contributes to the text around it: attributes that people read, links, gaps.
 *
 * Pure: values in, changes to the given run out. No I/O, no clock.
 */
import { isComponentName, type Tag } from "./tag.ts";
import { decodeEntities, type TextRun } from "./text-run.ts";

/** String attributes whose value is shown to readers. */
const TEXT_ATTRIBUTES = ["title", "label", "alt", "summary", "description"];

/** Elements that only style the characters inside: they never separate words. */
const STYLING = new Set(
  "abbr acronym b bdi bdo big cite del dfn em font i ins mark nobr q s small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** Elements that a reader sees as one thing in the line. All others stand apart and end a line of text. */
const INLINE = new Set(
  "a audio button canvas code data iframe img input kbd label meter output picture progress samp select svg time video".split(
    " ",
  ),
);

/** How a tag separates the text before it from the text after it. */
export type TagSpacing = "none" | "atom" | "block";

/** How this tag separates text. Components count as things in the line. */
export function classifySpacing(tag: Tag): TagSpacing {
  if (isComponentName(tag.name)) return "atom";
  const name = tag.name.toLowerCase();
  if (STYLING.has(name)) return "none";
  // Custom elements have a hyphen in their name.
  return INLINE.has(name) || name.includes("-") ? "atom" : "block";
}

/** The texts of a tag's attributes that readers see, in a fixed order. */
export function readTextAttributes(tag: Tag): string[] {
  const texts: string[] = [];
  for (const name of TEXT_ATTRIBUTES) {
    const value = tag.attributes.get(name);
    if (value !== undefined && value.trim() !== "") texts.push(decodeEntities(value));
  }
  return texts;
}

/** Where a tag leads: `href` of a link, also `to` of a component. Undefined when the tag is no link. */
export function readTagLink(tag: Tag): string | undefined {
  const isComponent = isComponentName(tag.name);
  if (!isComponent && !/^(?:a|area)$/i.test(tag.name)) return undefined;
  const href = tag.attributes.get("href") ?? (isComponent ? tag.attributes.get("to") : undefined);
  return href === undefined || href === "" ? undefined : decodeEntities(href);
}

/** Adds to a run what a tag within it contributes. */
export function addTag(run: TextRun, tag: Tag): void {
  const spacing = classifySpacing(tag);
  if (spacing === "block") run.addSpace();
  if (tag.kind === "close") {
    run.closeTagLink(tag.name);
    if (spacing === "atom") run.endAtom();
    return;
  }
  // An empty component or image shows something between its neighbours.
  if (spacing === "atom") {
    if (tag.kind === "empty") run.addSpace();
    else run.startAtom();
  }
  const href = readTagLink(tag);
  if (href !== undefined && tag.kind === "open") run.openTagLink(tag.name, href);
  const texts = readTextAttributes(tag);
  for (const text of texts) {
    run.addSpace();
    run.addText(text);
    run.addSpace();
  }
  if (href !== undefined && tag.kind === "empty") run.addLink(href, texts[0] ?? "");
  if (run.anchor === "" && tag.name.toLowerCase() === "a") {
    run.anchor = tag.attributes.get("id") ?? tag.attributes.get("name") ?? "";
  }
}
