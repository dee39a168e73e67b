/**
 * Tool `grep_documents`: the lines that hold a text or match a regular expression, with the lines around them.
 */

import { checkCollection } from "../../core/docs/catalogue.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { grep } from "../../core/search/grep.ts";
import { compileExpression, makeLiteralPattern } from "../../core/search/grep-pattern.ts";
import { splitPattern } from "../../core/search/grep-syntax.ts";
import { compilePathGlob } from "../../surface/path-glob.ts";
import { grepForms, summarizeGrep } from "../../surface/render/grep.ts";
import { foldLine } from "../../surface/render/text.ts";
import { makeShownId } from "../find-documents.ts";
import { defineTool } from "../tool.ts";

const MAX_QUOTED_PATTERN = 80;
/** A pattern that has one of these between other characters was perhaps meant as an expression. */
const LOOKS_LIKE_EXPRESSION = /\.\*|\\[wsdb]|\[[^\]]+\]|[^|]\|[^|]|^\^|\$$|\([^)]*\)[*+?]/;
const NOTHING_SELECTED =
  "No document was looked into: path_glob, collection and filters together select none. list_documents shows the paths.";

export const grepDocumentsTool = defineTool({
  name: "grep_documents",
  description:
    "Lines with an exact text or regex (grep -E, no look-around). Use for identifiers, error texts, options; for questions search_documents. Next get_node_content with doc_id and lines.",
  parameters: {
    pattern: { kind: "text", required: true, aliases: ["query", "q", "text", "search", "regexp"] },
    regex: { kind: "boolean", default: false, aliases: ["is_regex", "use_regex"] },
    case_sensitive: { kind: "boolean", default: false },
    collection: { kind: "text" },
    path_glob: { kind: "text", aliases: ["glob", "path", "include", "file_pattern"] },
    filters: { kind: "filter" },
    context: { kind: "integer", default: 1, minimum: 0, maximum: 5, aliases: ["context_lines"] },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: { pattern: "max_tokens", path_glob: "guide/**" },
  isKept: true,
  quotes: true,
  async run(args, { reader, offset }) {
    const { pattern, regex, case_sensitive, collection, path_glob, filters, context, limit } = args;
    if (collection !== undefined) checkCollection(reader, collection);
    const answer = await grep(reader, {
      pattern: regex ? compileExpression(pattern, case_sensitive) : makeLiteralPattern(pattern, case_sensitive),
      collection: collection ?? "",
      acceptsPath: path_glob === undefined ? () => true : compilePathGlob(path_glob),
      filter: filters ?? NO_FILTER,
      context,
      offset,
      limit,
    });
    const lines = splitPattern(pattern).length;
    const isOfAll = (collection ?? path_glob ?? filters) === undefined;
    const quoted = `${regex ? "the expression " : ""}${JSON.stringify(foldLine(pattern, MAX_QUOTED_PATTERN))}`;
    return {
      summary: summarizeGrep(answer, quoted),
      forms: grepForms(answer, { shownId: makeShownId(reader) }),
      notes: [
        ...(lines > 1 ? [`The pattern has ${lines} lines; each was looked for by itself, as grep does.`] : []),
        ...(answer.selectsNothing ? [NOTHING_SELECTED] : answer.total === 0 ? suggest(pattern, regex) : []),
      ],
      page: { offset, total: answer.total, items: "matches" },
      ...(answer.total === 0 &&
        answer.scanned === answer.candidates &&
        isOfAll && { unanswered: { query: pattern, kind: "no-line" } }),
    };
  },
});

/** What to try where nothing was found. */
function suggest(pattern: string, regex: boolean): string[] {
  const tips = ["search_documents finds words in other forms and other order."];
  if (!regex && LOOKS_LIKE_EXPRESSION.test(pattern))
    tips.unshift("The pattern was taken as plain text; regex: true takes it as an expression.");
  return tips;
}
