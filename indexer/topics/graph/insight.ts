/**
 * What an insight is: a name, and a pure function of one of the two graphs. How to add one: its value and decoder in
 * `src/core/format/insights.ts`, how several groups' values merge in `src/core/code/insights.ts`, a file in
 * `insights/`, and its line in `all-insights.ts`. Types only.
 */
import type { InsightName, InsightValues } from "../../../src/core/format/insights.ts";
import type { GraphConfig } from "../../config/config.ts";
import type { FileGraph } from "./file-graph.ts";
import type { PageGraph } from "./page-graph.ts";

/** An insight into a graph of one kind. */
export interface Insight<Name extends InsightName, Graph> {
  readonly name: Name;
  readonly compute: (graph: Graph, settings: GraphConfig) => InsightValues[Name];
}

/** Insights into source files, for any of these names. */
export type FileInsight<Name extends InsightName = InsightName> = { [N in Name]: Insight<N, FileGraph> }[Name];

/** Insights into pages, for any of these names. */
export type PageInsight<Name extends InsightName = InsightName> = { [N in Name]: Insight<N, PageGraph> }[Name];

/** Files or pages that a list names at most: enough to see what is meant, and small however large the corpus is. */
export const MAX_LISTED = 50;
