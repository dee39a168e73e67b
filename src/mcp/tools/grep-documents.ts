/**
 * Tool `grep_documents`: the lines that hold a text or match a regular expression, with the lines around them.
 *
 * ```
 * guide/install.md (3 matches)
 * 11- ## Linux
 * 12: Use apt to install the package.
 * 13-
 * --
 * 40: …and then install it again
 * ```
 *
 * A block is a match with its context, so that an answer can be cut and continued between any two of them.
 */

import { checkCollection } from "../../core/docs/catalogue.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { type FileMatches, type GrepAnswer, grep, type LineMatch } from "../../core/search/grep.ts";
import { compileExpression, compileText } from "../../core/search/grep-pattern.ts";
import { splitPattern } from "../../core/search/grep-syntax.ts";
import { cutPlace, shortenText } from "../../core/text/short-text.ts";
import { compilePathGlob } from "../../surface/path-glob.ts";
import { type AnswerForm, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { foldLine, formatCount, formatNumber } from "../../surface/render/text.ts";
import { makeShownId } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const MAX_QUOTED_PATTERN = 80;
/** Characters shown of a line that matches, and of a line around it. */
const MAX_LINE_LENGTH = 240;
const MAX_CONTEXT_LENGTH = 160;
/** Characters of a long line that are shown before its match. */
const LEAD_LENGTH = 60;
/** A pattern that has one of these between other characters was perhaps meant as an expression. */
const LOOKS_LIKE_EXPRESSION = /\.\*|\\[wsdb]|\[[^\]]+\]|[^|]\|[^|]|^\^|\$$|\([^)]*\)[*+?]/;
/** What a cursor counts: matches to skip, behind so many documents to skip. */
const OF_DOCUMENT = 2 ** 32;
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
  async run(args, { reader, offset: position }) {
    const { pattern, regex, case_sensitive, collection, path_glob, filters, context, limit } = args;
    if (collection !== undefined) checkCollection(reader, collection);
    const from = Math.floor(position / OF_DOCUMENT);
    const offset = position % OF_DOCUMENT;
    const answer = await grep(reader, {
      pattern: regex ? compileExpression(pattern, case_sensitive) : compileText(pattern, case_sensitive),
      collection: collection ?? "",
      acceptsPath: path_glob === undefined ? () => true : compilePathGlob(path_glob),
      filter: filters ?? NO_FILTER,
      context,
      from,
      offset,
      limit,
    });
    const onPage = Math.min(limit, Math.max(0, answer.total - offset));
    const lines = splitPattern(pattern).length;
    const isOfAll = (collection ?? path_glob ?? filters) === undefined;
    const quoted = `${regex ? "the expression " : ""}${JSON.stringify(foldLine(pattern, MAX_QUOTED_PATTERN))}`;
    return {
      summary: summarizeGrep(answer, quoted),
      forms: grepForms(answer, makeShownId(reader)),
      notes: [
        ...(lines > 1 ? [`The pattern has ${lines} lines; each was looked for by itself, as grep does.`] : []),
        ...(answer.selectsNothing ? [NOTHING_SELECTED] : answer.total === 0 ? suggest(pattern, regex) : []),
      ],
      page: {
        offset,
        total: answer.total,
        items: "matches",
        positions: Array.from({ length: onPage + 1 }, (_, at) => position + at),
        beyond: answer.next === undefined ? undefined : answer.next * OF_DOCUMENT,
      },
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

/** `Found 12 matches in 4 files`, and what was not looked through. */
export function summarizeGrep({ total, files, candidates, scanned, next }: GrepAnswer, pattern: string): string {
  const isPart = scanned < candidates;
  const found = `Found ${isPart ? "at least " : ""}${formatCount(total, "match", "matches")} for ${pattern} in ${formatCount(files.length, "file")}.`;
  if (!isPart) return found;
  const [some, all] = [formatNumber(scanned), formatCount(candidates, "candidate file")];
  return `${found} Truncated: ${some} of ${all} scanned whole, in order of path; ${next === undefined ? "" : "the cursor goes on, or "}narrow with path_glob, filters or a longer pattern.`;
}

interface Hit {
  readonly file: FileMatches;
  readonly match: LineMatch;
  /** The match before it in the same document, on the same page. */
  readonly previous: LineMatch | undefined;
  readonly next: LineMatch | undefined;
}

/**
 * Matches with context, matches alone.
 *
 * @param shownId Name of a document: a path where there is one collection only.
 */
export function grepForms(answer: GrepAnswer, shownId: (documentId: string) => string): AnswerForm[] {
  const { total, files, candidates, scanned } = answer;
  const hits = files.flatMap((file) =>
    file.matches.map((match, at): Hit => ({ file, match, previous: file.matches[at - 1], next: file.matches[at + 1] })),
  );
  const toValue = (results: readonly JsonObject[]): JsonObject => ({
    total,
    files: files.length,
    truncated: scanned < candidates,
    candidateFiles: candidates,
    scannedFiles: scanned,
    results,
  });
  const formatHead = ({ id, count, url }: FileMatches): string =>
    `${shownId(id)} (${formatCount(count, "match", "matches")})${url === "" ? "" : ` ${url}`}`;
  const hasContext = hits.some(({ match }) => match.before.length + match.after.length > 0);
  const ofLevel = (hit: Hit, withContext: boolean): Hit =>
    withContext ? hit : { ...hit, match: { ...hit.match, before: [], after: [] } };
  const bare = ["matches without context", false, 1] as const;
  return listForms(hits, hasContext ? [["matches with context", true] as const, bare] : [bare], {
    joined: true,
    more: "Fewer matches: a longer pattern, path_glob, filters or limit.",
    text: (hit, withContext) => {
      const lines = formatHit(ofLevel(hit, withContext));
      return (hit.previous === undefined ? [formatHead(hit.file), ...lines] : lines).join("\n");
    },
    toJson: (shown, withContext) => {
      const byFile = Map.groupBy(shown, ({ file }) => file);
      return toValue(
        [...byFile].map(([file, own]) =>
          toResult(
            file,
            own.map((hit) => ofLevel(hit, withContext).match),
          ),
        ),
      );
    },
  });
}

function formatHit({ match, previous, next }: Hit): string[] {
  const { line, before, after, text } = match;
  const lines: string[] = [];
  const shownTo = previous === undefined ? 0 : previous.line + previous.after.length;
  const first = line - before.length;
  const isApart = before.length + after.length > 0 && previous !== undefined && first > shownTo + 1;
  if (isApart) lines.push("--");
  for (const [at, one] of before.entries()) {
    if (first + at > shownTo) lines.push(formatContext(first + at, one));
  }
  lines.push(`${line}: ${cutAround(text, match.column ?? 1)}`);
  for (const [at, one] of after.entries()) {
    const number = line + 1 + at;
    if (next === undefined || number < next.line) lines.push(formatContext(number, one));
  }
  return lines;
}

function formatContext(line: number, text: string): string {
  return text === "" ? `${line}-` : `${line}- ${shortenText(text, MAX_CONTEXT_LENGTH)}`;
}

/** A line, a long one from a little before its match on. */
function cutAround(text: string, column: number): string {
  if (text.length <= MAX_LINE_LENGTH) return text;
  const from = Math.max(0, Math.min(column - 1 - LEAD_LENGTH, text.length - MAX_LINE_LENGTH));
  const start = cutPlace(text, from) === from ? from : from + 1;
  return `${start > 0 ? "…" : ""}${shortenText(text.slice(start), MAX_LINE_LENGTH)}`;
}

function toResult({ id, path, url, count }: FileMatches, matches: readonly LineMatch[]): JsonObject {
  return {
    id,
    path,
    ...(url !== "" && { url }),
    count,
    matches: matches.map(({ line, column, text, before, after }) => ({
      line,
      ...(column !== undefined && { column }),
      text: cutAround(text, column ?? 1),
      before: before.map((one) => shortenText(one, MAX_CONTEXT_LENGTH)),
      after: after.map((one) => shortenText(one, MAX_CONTEXT_LENGTH)),
    })),
  };
}
