/**
 * Tool `find_similar`: sections that already say what a draft says.
 */

import { checkCollection } from "../../core/docs/catalogue.ts";
import { findSimilar } from "../../core/search/similar.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { formatBare, similarForms } from "../../surface/render/passages.ts";
import { defineTool } from "../tool.ts";

const MAX_CONTENT_LENGTH = 20_000;
/** Less than this is chance, and nothing to point at. */
const LEAST_MENTIONED = 0.1;

export const findSimilarTool = defineTool({
  name: "find_similar",
  description:
    "Sections that already say what a draft says, similarity 0 to 1. Use before writing; next get_node_content.",
  parameters: {
    content: { kind: "text", required: true, maxLength: MAX_CONTENT_LENGTH, aliases: ["text", "query", "draft"] },
    collection: { kind: "text" },
    threshold: { kind: "number", default: 0.35, minimum: 0, maximum: 1, aliases: ["min_similarity", "similarity"] },
    limit: { kind: "integer", default: 5, maximum: 20 },
  },
  example: { content: "Use the package manager to install the server on Linux.", threshold: 0.35 },
  isKept: true,
  quotes: true,
  async run({ content, collection, threshold, limit }, { reader }) {
    if (collection !== undefined) checkCollection(reader, collection);
    const { sections, nearest, compared } = await findSimilar(reader, { content, limit, threshold, collection });
    const isNear = nearest !== undefined && nearest.similarity >= LEAST_MENTIONED;
    return {
      summary: `${sections.length} of ${formatCount(compared, "compared section")} overlap with the text (similarity at least ${threshold}).`,
      forms: similarForms(sections, { threshold, compared }),
      notes: isNear ? [`Nearest: ${formatBare(nearest)}.`] : [],
    };
  },
});
