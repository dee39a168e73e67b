/**
 * The search box of a page, as the module that it loads: `<script type="module" src="…/search.js"></script>`.
 *
 * It defines `<treeline-search>`, and puts one in where the page has none. Browsers that are too old for the box keep what the page
 * has put inside the element.
 */
import { hasOtherBox, placeBox } from "./box/place.ts";
import { defineElement } from "./box/search-element.ts";
import { loadModule } from "./load-module.ts";

// The newest that the box needs (docs/search-box.md): without its colours nobody could read it.
if (CSS.supports("color", "light-dark(red,red)")) {
  defineElement();
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", placeWhereMissing);
  else placeWhereMissing();
}
// Browsers that know no text fragments leave them in the address: what it says to mark is marked for them, by the module
// beside this one.
if (location.hash.includes(":~:")) {
  loadModule(new URL("highlight.js", import.meta.url).href).catch(() => {
    // A page without marks is a page all the same.
  });
}

function placeWhereMissing(): void {
  if (!hasOtherBox()) placeBox(import.meta.url);
}
