/**
 * The tools over `test/fixtures/workshop`: source code in several folders of one manifest (TypeScript, Python, Go), a file
 * with a BOM, CRLF, invisible characters and no line end, and pages that name symbols.
 */
import workshop from "../../fixtures/workshop-index.json" with { type: "json" };
import { serveIndex } from "./serve-index.ts";

export const { ask, askJson, services } = await serveIndex(workshop);
