/**
 * Facets of a result as links: each narrows the search to a value, or widens it again.
 *
 * Pure: counts in, HTML out.
 */
import type { FacetCounts } from "../../core/tree/model.ts";
import { chooseFacets } from "../../render/facets.ts";
import { type Html, html } from "./html.ts";

const LIMITS = { keys: 4, values: 8 };
const FILTER_PREFIX = "f.";

/** What was found, by facets. */
export interface FoundFacets {
  readonly counts: FacetCounts;
  /** Documents found. */
  readonly total: number;
  /** Of the page's address: what is asked now. */
  readonly parameters: URLSearchParams;
  /** A link to the page with other parameters. */
  readonly link: (parameters: URLSearchParams) => string;
}

/** Lists of links, a facet key each; nothing where nothing would narrow the result. */
export function writeFacetChips({ counts, total, parameters, link }: FoundFacets): Html | "" {
  const chosen = [...new Set([...parameters.keys()])].filter((name) => name.startsWith(FILTER_PREFIX));
  const keys = chooseFacets(counts, total, LIMITS);
  const shownKeys = keys.map(({ key }) => `${FILTER_PREFIX}${key}`);
  const lists = [
    ...keys,
    ...chosen
      .filter((name) => !shownKeys.includes(name))
      .map((name) => ({ key: name.slice(FILTER_PREFIX.length), values: [], more: 0 })),
  ];
  if (lists.length === 0) return "";
  return html`<nav class="facets" aria-label="Narrow down">${lists.map(({ key, values, more }) => {
    const name = `${FILTER_PREFIX}${key}`;
    const picked = parameters.getAll(name);
    const own = [...picked.filter((value) => !values.some(([known]) => known === value)).map(toUncounted), ...values];
    return html`<div><span class="soft">${key.replaceAll("_", " ")}</span><ul class="chips">${own.map(
      ([value, count]) => {
        const isPicked = picked.includes(value);
        const address = link(toggle(parameters, name, value));
        return html`<li><a class="chip" href="${address}"${isPicked && html` aria-current="true"`}><bdi>${value}</bdi>${
          isPicked
            ? html` <span aria-hidden="true">×</span><span class="hidden">, take away</span>`
            : html` <small>${count}</small>`
        }</a></li>`;
      },
    )}${more > 0 && html`<li class="soft">${more} more</li>`}</ul></div>`;
  })}</nav>`;
}

function toUncounted(value: string): readonly [string, number] {
  return [value, 0];
}

function toggle(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  if (changed.has(name, value)) changed.delete(name, value);
  else changed.append(name, value);
  return changed;
}
