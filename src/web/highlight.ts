/**
 * `highlight.js`, for pages that hits lead to: marks what was found where the browser does not do it by itself.
 *
 * - The text that an address names (`#anchor:~:text=…`), on sites that change pages by script.
 * - Words of the query parameters `highlight` and `pagefind-highlight`; others are named in the address of the module:
 *   `<script type="module" src="/highlight.js?parameters=highlight,q"></script>`.
 */

import { markBehindLinks, markWhenShown } from "./marks/mark-when-shown.ts";
import { readAddressWords } from "./marks/page-text.ts";

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
  const isSamePage = shown !== "" && shown.split("#")[0] === location.href.split("#")[0];
  shown = location.href;
  if (isSamePage) return;
  const words = readAddressWords(location.search, names);
  // An anchor says where to go; words only what to mark there.
  if (words.length > 0) markWhenShown({ words }, { isScrolled: location.hash === "" });
}
