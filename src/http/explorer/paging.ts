/** Long lists a page at a time. Pure: numbers in, HTML out. */
import { InputError } from "../../core/errors.ts";
import { formatNumber } from "../../surface/render/numbers.ts";
import { type Html, html } from "./html.ts";

/** What part of a list is shown. */
export interface ListPart {
  readonly offset: number;
  /** Entries on a page. */
  readonly limit: number;
  readonly total: number;
  /** A link to the page that begins elsewhere. */
  readonly linkTo: (offset: number) => string;
}

/** Links to the pages before and behind; nothing where all is shown. @throws {InputError} where nothing is shown any more. */
export function writePaging({ offset, limit, total, linkTo }: ListPart): Html | "" {
  if (offset > 0 && offset >= total) {
    throw new InputError(`offset must be lower than ${total}, the number of entries; got ${offset}.`, [], "offset=0");
  }
  if (offset === 0 && total <= limit) return "";
  const end = Math.min(total, offset + limit);
  const place = `${formatNumber(offset + 1)}–${formatNumber(end)} of ${formatNumber(total)}`;
  return html`<nav class="paging" aria-label="Parts of the list">${
    offset > 0 && html`<a class="button" rel="prev" href="${linkTo(Math.max(0, offset - limit))}">Back</a>`
  } <span>${place}</span> ${end < total && html`<a class="button" rel="next" href="${linkTo(end)}">Further</a>`}</nav>`;
}
