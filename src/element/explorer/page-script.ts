/**
 * What the explorer's pages do beyond showing: results while somebody types, buttons that copy, ages of times, the part of a
 * long document that an address means. Every page works without it.
 */
import { addAges } from "./ages.ts";
import { askInsights } from "./ask-insights.ts";
import { enableCopying } from "./copying.ts";
import { followAnchor } from "./follow-anchor.ts";
import { searchWhileTyping } from "./live-search.ts";
import { enableZoom } from "./zoom-picture.ts";

addAges(document, Date.now());
enableCopying(document);
followAnchor(document);
addEventListener("hashchange", () => followAnchor(document));
searchWhileTyping(document);
enableZoom(document);
askInsights(document);
