/** The tools over the pages of `test/fixtures/handbook`: two collections, links, long sections, a hostile page. */
import handbook from "../../fixtures/handbook-index.json" with { type: "json" };
import { serveIndex } from "./serve-index.ts";

/** Documents of the handbook. */
export const DOCUMENTS = 24;

export const { ask, askJson, askPages, services } = await serveIndex(handbook);
