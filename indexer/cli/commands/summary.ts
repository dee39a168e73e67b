/**
 * Command `summary`: how the files and pages of an index hang together, in bars.
 */
import { readInsights } from "../../../src/core/code/insights.ts";
import { checkCollection } from "../../../src/core/docs/catalogue.ts";
import { describeSummary, summarize, summaryForms, summaryJson } from "../../../src/surface/render/graph-summary.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { openIndexAt } from "../../open/open-index.ts";
import { type Command, EXIT } from "../command.ts";
import { indexOption, readIndexOption } from "./index-option.ts";

/** The command. */
export const summaryCommand: Command = {
  name: "summary",
  summary: "Show how files and pages hang together: hubs, import cycles, orphans, broken links.",
  positionals: [],
  options: {
    index: indexOption,
    collection: { kind: "text", placeholder: "NAME", description: "Only this collection." },
    json: { kind: "flag", description: "Print one JSON object, as the tool get_graph_summary answers." },
  },
  async run(input, terminal) {
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    if (collection !== undefined) checkCollection(reader, collection);
    const { values, failed } = await readInsights(reader, collection);
    const metadata = describeSummary(reader.generation, reader.index.buildMs, "read", failed, Date.now());
    if (input.has("json")) {
      terminal.print(JSON.stringify(summaryJson(values, metadata)));
      return EXIT.done;
    }
    const [form] = summaryForms(values, metadata, "█");
    for (const block of [summarize(values, metadata), ...form.blocks()]) terminal.print(`${cleanText(block).text}\n`);
    for (const warning of metadata.warnings) terminal.warn(warning);
    return EXIT.done;
  },
};
