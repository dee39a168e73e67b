/**
 * The search box of a page, as the module that it loads: `<script type="module" src="…/search.js"></script>`.
 *
 * It defines `<treeline-search>`, and puts one in where the page has none. Browsers that are too old for the box keep what the page
 * has put inside the element.
 */
import { hasOtherBox, placeBox } from "./box/place.ts";
import { defineElement } from "./box/search-element.ts";

// The newest that the box needs (docs/search-box.md): without its colours nobody could read it.
if (CSS.supports("color", "light-dark(red,red)")) {
  defineElement();
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", placeWhereMissing);
  else placeWhereMissing();
}

function placeWhereMissing(): void {
  if (!hasOtherBox()) placeBox(import.meta.url);
}
