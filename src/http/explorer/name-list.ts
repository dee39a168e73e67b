/** Lists of documents by their ids. Pure: ids in, HTML out. */
import { type Html, html } from "./html.ts";
import { linkToOutline } from "./outline-link.ts";

/** Names that are listed at most. */
const MAX_NAMES = 100;

/** A list of documents under a heading; nothing for none. */
export function writeNames(title: string, ids: readonly string[], base: string): Html | "" {
  if (ids.length === 0) return "";
  const left = ids.length - MAX_NAMES;
  return html`<h2>${title} <small>${ids.length}</small></h2>
<ul class="names">${ids.slice(0, MAX_NAMES).map((id) => html`<li><a href="${linkToOutline(base, id)}">${id}</a></li>`)}</ul>
${left > 0 && html`<p class="soft">${left} more.</p>`}`;
}
