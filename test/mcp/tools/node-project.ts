/**
 * The tools over `test/fixtures/nodes`, which has what documents about tools of this kind show: nodes of a graph, previews of
 * code, positions, classes of a library with overloads, a long function. Declarations stand on the lines that those say.
 */
import nodes from "../../fixtures/nodes-index.json" with { type: "json" };
import { serveIndex } from "./serve-index.ts";

export const { ask } = await serveIndex(nodes);
