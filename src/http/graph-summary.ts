/**
 * Route `/summary`: how files and pages hang together, as the tool `get_graph_summary` says it in JSON.
 */
import { readInsights } from "../core/code/insights.ts";
import { checkCollection } from "../core/docs/catalogue.ts";
import type { AddressParameters } from "../surface/parameters.ts";
import { describeSummary, summaryJson } from "../surface/render/graph-summary.ts";
import { readParameters } from "./read-parameters.ts";
import { type HttpServices, readIndex, respondJson } from "./respond.ts";

/** Parameters of `/summary`. */
export const SUMMARY_PARAMETERS = {
  collection: { kind: "text", default: "", description: "only of this collection", example: "docs" },
} as const satisfies AddressParameters;

/** The answer to `GET /summary`, of all that the caller sees or of one `collection`. */
export function answerSummary(request: Request, services: HttpServices): Promise<Response> {
  const { collection } = readParameters(new URL(request.url).searchParams, SUMMARY_PARAMETERS, [], "/summary");
  return readIndex(services, "/summary", async (reader) => {
    if (collection !== "") checkCollection(reader, collection);
    const { values, failed, fromMemory } = await readInsights(reader, collection === "" ? undefined : collection);
    const reason = fromMemory ? "memory" : "read";
    const metadata = describeSummary(reader.generation, reader.index.buildMs, reason, failed, services.now);
    return respondJson(summaryJson(values, metadata));
  });
}
