/**
 * Lines that match a pattern, as text and as JSON.
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
 * A block is a match with its context, so that an answer can be cut and continued between any two of them; the first one of a
 * document carries the document's line. Context that two matches share is shown once.
 *
 * Pure: an answer of grep in, forms of an answer out.
 */
import type { FileMatches, GrepAnswer, LineMatch } from "../../core/search/grep.ts";
import { cutPlace, shortenText } from "../../core/text/short-text.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount, formatNumber } from "./numbers.ts";

/** Characters shown of a line that matches, and of a line around it. */
const MAX_LINE_LENGTH = 240;
const MAX_CONTEXT_LENGTH = 160;
/** Characters of a long line that are shown before its match. */
const LEAD_LENGTH = 60;

/** How documents are named. */
interface GrepTextOptions {
  /** The document's id as shown: a path where there is one collection only. */
  readonly shownId: (documentId: string) => string;
}

interface Hit {
  readonly file: FileMatches;
  readonly match: LineMatch;
  /** The match before it in the same document, on the same page. */
  readonly previous: LineMatch | undefined;
  readonly next: LineMatch | undefined;
}

/** Matches with context, matches alone, documents with their numbers of matches. */
export function grepForms(answer: GrepAnswer, options: GrepTextOptions): [AnswerForm, ...AnswerForm[]] {
  const hits = answer.files.flatMap((file) =>
    file.matches.map((match, at): Hit => ({ file, match, previous: file.matches[at - 1], next: file.matches[at + 1] })),
  );
  const counts = { total: answer.total, files: answer.files.length, ...describeScan(answer) };
  const more = "Fewer matches: a longer pattern, path_glob, filters or limit.";
  const withoutContext = (hit: Hit): Hit => ({ ...hit, match: { ...hit.match, before: [], after: [] } });
  const hasContext = hits.some(({ match }) => match.before.length + match.after.length > 0);
  const full: AnswerForm = {
    detail: "matches with context",
    blocks: () => hits.map((hit) => formatHit(hit, options)),
    json: (shown) => ({ ...counts, results: toResults(hits.slice(0, shown)) }),
    joined: true,
    more,
  };
  const bare: AnswerForm = {
    ...full,
    detail: "matches without context",
    blocks: () => hits.map((hit) => formatHit(withoutContext(hit), options)),
    json: (shown) => ({ ...counts, results: toResults(hits.slice(0, shown).map(withoutContext)) }),
    keepAtLeast: 1,
  };
  const files: AnswerForm = {
    detail: "documents",
    blocks: () => answer.files.map((file) => formatHead(file, options)),
    json: (shown) => ({ ...counts, results: answer.files.slice(0, shown).map((file) => toResult(file, [])) }),
    joined: true,
    perItem: false,
    more,
  };
  const none: AnswerForm = {
    detail: "counts",
    blocks: () => [],
    json: () => ({ ...counts, results: [] }),
    perItem: false,
    more,
  };
  return hasContext ? [full, bare, files, none] : [bare, files, none];
}

/** What was looked through, where it was not everything. */
function describeScan({ candidates, scanned }: GrepAnswer): JsonObject {
  return { truncated: scanned < candidates, candidateFiles: candidates, scannedFiles: scanned };
}

function formatHit({ file, match, previous, next }: Hit, options: GrepTextOptions): string {
  const { line, before, after, text } = match;
  const lines: string[] = [];
  if (previous === undefined) lines.push(formatHead(file, options));
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
  return lines.join("\n");
}

function formatHead({ id, count, url }: FileMatches, { shownId }: GrepTextOptions): string {
  return `${shownId(id)} (${formatCount(count, "match", "matches")})${url === "" ? "" : ` ${url}`}`;
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

/** Matches under their documents, in order. */
function toResults(hits: readonly Hit[]): JsonObject[] {
  const byFile = new Map<FileMatches, LineMatch[]>();
  for (const { file, match } of hits) byFile.set(file, [...(byFile.get(file) ?? []), match]);
  return [...byFile].map(([file, matches]) => toResult(file, matches));
}

function toResult({ id, path, url, contentHash, count }: FileMatches, matches: readonly LineMatch[]): JsonObject {
  return {
    id,
    path,
    ...(url !== "" && { url }),
    contentHash,
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

/** `Found 12 matches in 4 files`, and what was not looked through. */
export function summarizeGrep({ total, files, candidates, scanned }: GrepAnswer, pattern: string): string {
  const isPart = scanned < candidates;
  const found = `Found ${isPart ? "at least " : ""}${formatCount(total, "match", "matches")} for ${pattern} in ${formatCount(files.length, "file")}.`;
  if (!isPart) return found;
  const [some, all] = [formatNumber(scanned), formatCount(candidates, "candidate file")];
  return `${found} Truncated: ${some} of ${all} scanned whole, in order of path; narrow with path_glob, filters or a longer pattern.`;
}
