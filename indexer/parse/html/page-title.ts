/**
 * The title of a page out of its headings and its `<title>`.
 *
 * Generators put the site's name into a heading before the page's own (mdBook), or instead of it (Node's documentation); `<title>`
 * tells them apart: there the name stands behind that of the page. Pure.
 */
import { areSameTitle } from "../markdown/title.ts";

/** What stands between the name of a page and that of its site. */
const SEPARATOR = /\s+[-–—|·•:»«›‹~]{1,2}\s+|\s*[|–—»›]\s*/gu;
/** A heading that is one of a page's chapters: `1. Overview`. */
const NUMBERED = /^\d{1,3}(?:\.\d{1,3})*[.:)]?\s+\S/;

/** A title; `""` where nothing says one. */
export interface ChosenTitle {
  readonly title: string;
  /** The first heading where that is the name of the site; else `""`. */
  readonly siteName: string;
}

/** Choose. @param headings Those of level 1, in order. @param pageTitle Text of `<title>`. @param site Name of the site, where the page says it. */
export function chooseTitle(headings: readonly string[], pageTitle: string, site: string): ChosenTitle {
  const [heading = ""] = headings;
  const own = withoutSite(pageTitle, site);
  if (heading === "") return { title: own, siteName: "" };
  const named = withoutSite(pageTitle, heading);
  if (named !== pageTitle && !areSameTitle(named, heading)) {
    const next = headings.find((other) => !areSameTitle(other, heading));
    return { title: next ?? named, siteName: heading };
  }
  // A page of several such headings has none that is its title.
  const isChapter = NUMBERED.test(heading) && headings.length > 1 && own !== "" && !pageTitle.includes(heading);
  return { title: isChapter ? own : heading, siteName: "" };
}

/** A title without the name that ends it; as it is where it ends otherwise, or holds nothing else. */
function withoutSite(title: string, site: string): string {
  if (site === "") return title;
  // The name may hold a separator itself.
  for (const { 0: separator, index } of title.matchAll(SEPARATOR)) {
    if (index > 0 && areSameTitle(title.slice(index + separator.length), site)) return title.slice(0, index);
  }
  return title;
}
