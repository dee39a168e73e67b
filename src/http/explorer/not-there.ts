/** Pages about what there is not, with what may have been meant. Pure: names in, HTML out. */
import { quoteName } from "../../core/text/nearest.ts";
import { html } from "./html.ts";
import type { NavigationPath } from "./navigation.ts";
import type { Page } from "./page.ts";

/** Something that was asked for and is not there. */
export interface Missing {
  /** `folder`. */
  readonly what: string;
  readonly name: string;
  /** The nearest names, with where they lead. */
  readonly nearest: readonly { readonly name: string; readonly href: string }[];
  readonly current: NavigationPath;
  /** Where all of them are listed. */
  readonly listHref: string;
}

/** The page, with the status 404. */
export function writeMissing({ what, name, nearest, current, listHref }: Missing): Page {
  return {
    title: `No such ${what}`,
    status: 404,
    current,
    main: html`<p>There is no ${what} <code>${quoteName(name)}</code> that you can see.</p>
${
  nearest.length > 0 &&
  html`<p>Did you mean:</p><ul>${nearest.map((near) => html`<li><a href="${near.href}">${near.name}</a></li>`)}</ul>`
}
<p><a href="${listHref}">All of them</a></p>`,
  };
}
