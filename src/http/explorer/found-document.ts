/**
 * A document that was found, with its best sections.
 *
 * Pure: a hit in, HTML out.
 */
import type { DocumentHit, SectionHit } from "../../core/search/answer.ts";
import { writeExplanation } from "./explanation-table.ts";
import { type Html, html } from "./html.ts";
import { linkToDocument, safeLink } from "./navigation.ts";

/** What is the same for all hits of a page. */
export interface HitSetting {
  readonly base: string;
  /** The highest score of the page. */
  readonly highest: number;
  /** Whether there are several collections, so that it is said which one a hit is of. */
  readonly namesCollection: boolean;
}

/** A hit as an item of a list. Its links lead to the page's own address, where the index knows one, and to the text here. */
export function writeFoundDocument(hit: DocumentHit, { base, highest, namesCollection }: HitSetting): Html {
  const { id, collection, path, title, description, url, score, sections, explanation, isFallback } = hit;
  const here = linkToDocument(base, id);
  const own = safeLink(url);
  return html`<li class="hit"><h2 dir="auto"><a href="${own ?? here}">${title === "" ? path : title}</a></h2>
<p class="where"><bdi>${namesCollection ? `${collection}: ${path}` : path}</bdi>${own !== undefined && html` · <a href="${here}">indexed text</a>`}${isFallback && " · longer words only"}</p>
${description !== "" && html`<p class="small" dir="auto">${description}</p>`}
<ul class="sections">${sections.map((section) => writeSection(hit, section, base))}</ul>
${explanation !== undefined && writeExplanation(explanation, score, highest)}
</li>`;
}

function writeSection(hit: DocumentHit, section: SectionHit, base: string): Html | "" {
  const { heading, headingPath, excerpt, nodeId } = section;
  const isRoot = section.ordinal === 0;
  const name = heading === "" || isRoot ? "" : (headingPath.length > 2 ? headingPath.slice(1) : [heading]).join(" › ");
  if (name === "" && excerpt.length === 0) return "";
  const address = safeLink(section.url) ?? safeLink(hit.url) ?? linkToDocument(base, hit.id, nodeId);
  return html`<li>${name !== "" && html`<a href="${address}" dir="auto">${name}</a>`}${
    excerpt.length > 0 &&
    html`<p class="excerpt" dir="auto">${excerpt.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}</p>`
  }</li>`;
}
