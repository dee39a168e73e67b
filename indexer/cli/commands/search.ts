/**
 * Command `search`: ask an index in a folder or on a web host, as the Worker would.
 */

import { checkCollection } from "../../../src/core/docs/catalogue.ts";
import type { SearchAnswer } from "../../../src/core/search/answer.ts";
import { DEFAULT_EXCERPTS, DEFAULT_LIMIT, makeSearchRequest } from "../../../src/core/search/answer.ts";
import { readRanking } from "../../../src/core/search/ranking-settings.ts";
import { search } from "../../../src/core/search/search.ts";
import { formatExplanation } from "../../../src/surface/render/explanation.ts";
import { describeSearch } from "../../../src/surface/render/search-notes.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import { UsageError } from "../../base/usage-error.ts";
import { openIndexAt } from "../../open/open-index-at.ts";
import { type Command, EXIT, type Terminal } from "../command.ts";
import { indexOption, readCount, readIndexOption } from "./index-option.ts";

/** The command. */
export const searchCommand: Command = {
  name: "search",
  summary: "Search an index in a folder or on a web host.",
  positionals: ["<query>"],
  options: {
    index: indexOption,
    limit: { kind: "text", short: "n", placeholder: "N", description: `Documents to show. Default ${DEFAULT_LIMIT}.` },
    excerpts: {
      kind: "text",
      placeholder: "N",
      description: `Sections that show an excerpt. Default ${DEFAULT_EXCERPTS}.`,
    },
    collection: { kind: "text", placeholder: "NAME", description: "Only this collection." },
    ranking: {
      kind: "text",
      placeholder: "SETTINGS",
      description: "A preset, or settings as JSON: '{\"title_weight\": 4}'.",
    },
    explain: { kind: "flag", description: "Show what each score is made of." },
    "no-correct": { kind: "flag", description: "Search for every word as it is written." },
    json: { kind: "flag", description: "Print the whole answer as one JSON object." },
  },
  async run(input, terminal) {
    const query = input.positionals[0];
    if (query === undefined || query.trim() === "") throw new UsageError("say what to search for");
    const reader = await openIndexAt(readIndexOption(input));
    const collection = input.text("collection");
    const ranking = input.text("ranking");
    if (collection !== undefined) checkCollection(reader, collection);
    const answer = await search(
      reader,
      makeSearchRequest(query, {
        limit: readCount(input, "limit", DEFAULT_LIMIT),
        excerpts: readCount(input, "excerpts", DEFAULT_EXCERPTS),
        collections: collection === undefined ? [] : [collection],
        withFacetCounts: input.has("json"),
        ranking: ranking === undefined ? {} : readRanking(ranking),
        correct: !input.has("no-correct"),
        explain: input.has("explain"),
      }),
    );
    if (input.has("json")) terminal.print(JSON.stringify(answer));
    else printAnswer(answer, terminal);
    return EXIT.done;
  },
};

/** Pages may hold what moves a terminal's cursor; none of it is printed. */
function clean(text: string): string {
  return cleanText(text).text;
}

function printAnswer(answer: SearchAnswer, terminal: Terminal): void {
  terminal.print(`${answer.totalDocuments} documents, ${answer.hits.length} shown`);
  for (const note of describeSearch(answer)) terminal.print(clean(note));
  for (const hit of answer.hits) {
    terminal.print(clean(`${hit.path} (${hit.score.toFixed(2)}) ${hit.title}`));
    if (hit.explanation !== undefined) {
      for (const line of formatExplanation(hit.explanation)) terminal.print(`    ${line}`);
    }
    for (const section of hit.sections) {
      const heading = section.headingPath.slice(1).join(" > ");
      terminal.print(clean(`  ${section.nodeId}${heading === "" ? "" : ` ${heading}`}`));
      const excerpt = section.excerpt
        .map(({ text, marked }) => (marked && terminal.interactive ? `\u001b[1m${clean(text)}\u001b[0m` : clean(text)))
        .join("");
      if (excerpt !== "") terminal.print(`    ${excerpt}`);
    }
  }
  const { waves, reads, bytes } = answer.cost;
  terminal.warn(`${waves} waves, ${reads} reads, ${bytes} bytes`);
}
