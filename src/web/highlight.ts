/**
 * `highlight.js`, for pages that hits lead to: marks what was found where the browser does not do it by itself.
 *
 * - The text that an address names (`#anchor:~:text=…`), in browsers that do not know text fragments, and on sites that
 *   change pages by script.
 * - Words of the query parameters `highlight` and `pagefind-highlight`; others are named in the address of the module:
 *   `<script type="module" src="/highlight.js?parameters=highlight,q"></script>`.
 */

import { markBehindLinks, markWhenShown, pageOf, readOwnFragment } from "./marks/mark-when-shown.ts";
import { readAddressWords } from "./marks/page-text.ts";
import { readTextFragment } from "./text-fragment.ts";

const PARAMETERS = "highlight,pagefind-highlight";

const names = (new URL(import.meta.url).searchParams.get("parameters") ?? PARAMETERS).split(",");

let shown = "";
markBehindLinks();
markAddress();
addEventListener("popstate", markAddress);
addEventListener("hashchange", markAddress);
// Sites that change pages by script say so in ways of their own; browsers that see it say it for all of them.
const { navigation } = globalThis as { readonly navigation?: EventTarget };
navigation?.addEventListener("navigatesuccess", markAddress);
document.addEventListener("astro:page-load", markAddress);

/** Mark what the address of the page names, once for each address. Another anchor of the same page is none. */
function markAddress(): void {
  if (location.href === shown) return;
  const isSamePage = shown !== "" && pageOf(new URL(shown)) === pageOf(location);
  shown = location.href;
  const directives = readOwnFragment();
  if (isSamePage && directives.length === 0) return;
  const words = readAddressWords(location.search, names);
  const anchor = readTextFragment(location.hash).address.slice(1);
  // An anchor says where to go; words only what to mark there.
  const isScrolled = directives.length > 0 || anchor === "";
  if (words.length + directives.length > 0) markWhenShown({ words, directives }, { isScrolled });
  // A browser that takes the directive for part of an anchor finds none.
  if (directives.length > 0) document.getElementById(anchor)?.scrollIntoView();
}
