/**
 * The part of a section's text that answers a query, cut at its natural borders: paragraphs, items of a list, rows of a table
 * below its header, blocks of code.
 *
 * A piece is worth the words of the query that it holds, each once and rare ones more, prose before code. Pieces are taken while
 * they add something and there is room, with what leads to them: the sentence before a list, a table or code, and what
 * follows a sentence that ends in a colon. Pure. Long, because parting a text and choosing among its parts share what a piece is.
 */
import { type Analyzer, visitTerms } from "../text/analyze.ts";
import { cutWithDots } from "../text/short-text.ts";
import { dropTwins } from "../text/twins.ts";

interface PassageSource {
  readonly text: string;
  /** Line of the document that the text begins with. */
  readonly startLine: number;
  readonly isCode: boolean;
  readonly analyzer: Analyzer;
  /** Its headings: words of these weigh little in its text, as they are shown. */
  readonly headings: readonly string[];
  /** How good it is beside the others; any scale. */
  readonly score: number;
}

export interface CutPassage {
  /** Index of the section. */
  readonly source: number;
  /** Lines that are shown; `isApart` where some with text are left out before it. */
  readonly lines: readonly { readonly line: number; readonly text: string; readonly isApart: boolean }[];
}

interface Segment {
  /** Index of the line. */
  readonly at: number;
  /** Which sentence of it. */
  readonly part?: number;
  readonly text: string;
}

interface Range {
  readonly segments: readonly Segment[];
  readonly kind: "prose" | "code" | "row";
  /** The list or table that a row is of. */
  readonly group?: number;
  /** Line of the header of that table. */
  readonly header?: number;
  /** The same in fewer characters. */
  readonly short?: readonly Segment[];
  /** Whether it is all of a list or table. */
  readonly isWhole?: boolean;
  /** What rows are about: the first code, cell or term of each. */
  readonly names?: readonly string[];
}

type Worth = (text: string) => number;

interface Piece extends Range {
  /** Index of its section. */
  readonly source: number;
  readonly size: number;
  readonly shortSize: number;
  /** The piece that this one is a shorter form of. */
  readonly whole?: Piece;
  readonly terms: ReadonlySet<string>;
  /** Share of its worth: code says less than prose, and a list of names next to nothing. */
  readonly share: number;
  /** Whether it says what a default is. */
  readonly givesDefault: boolean;
  /** How surely what comes next belongs to it: a colon says so, and code behind prose mostly shows what that says. */
  readonly leads: number;
}

/** What further mentions of a word count, and words that the headings have. */
const AGAIN = 0.15;
const IN_HEADING = 0.35;
/** Least weight of a word beside that of the rarest one. */
const LEAST_WEIGHT = 0.5;
/** The first piece of a section is worth so many times as much. */
const FIRST = 1.15;
const CODE_SHARE = 0.8;
const LIST_SHARE = 0.3;
/** Share of the room that must be left for an example. */
const EXAMPLE_SHARE = 0.5;
/** A list or table tells one choice from the others, which is what is mostly asked. */
const WHOLE_LIST = 1.2;
/** Characters that a piece costs beside its own when pieces are compared. */
const AROUND = 55;
/** What stands beside a chosen piece is worth so many times as much; what a chosen piece leads to this share of the best. */
const BESIDE = 1.6;
const LED = 0.5;
/** A further piece must be worth at least this share of the best one. */
const LEAST_GAIN = 0.1;
/** How much better sections count more, how much the better one of docs and code does, and how much shorter pieces do. */
const SCORE_POWER = 2;
const SIZE_POWER = 0.25;
const KIND_POWER = 1;
/** Who asks for a default wants the place that gives it: such a piece is worth so many times as much. */
const DEFAULT_TERM = "default";
const DEFAULT_GIVEN = 1.5;
/** A default of something that the query does not name, where the headings do not hold so much of it. */
const MOST_NAMED = 0.6;
const DEFAULT_ALONE = 0.2;
const GIVES_DEFAULT =
  /\bdefaults?\b[^.\n]{0,40}?(?:\bis\b|\bto\b|:|=)\s*\S|\(default\)|[`'"\d]\)? (?:is the|by) default/i;
/** Prose is parted behind a sentence when it is so long. */
const LEAST_PROSE = 80;
const LONG_LINE = 200;
/** A list or table is shown whole, each row cut, where that takes at most so many characters. */
const MAX_GROUP = 560;
const MAX_ROWS = 7;
const MAX_ROW = 160;
const MIN_ROW = 56;
const MIN_SENTENCE = 24;
/** Characters of the names of further rows. */
const MAX_NAMES = 120;
const MAX_NAMED = 12;
/** A block of code is one piece up to so many characters, else some lines. */
const MAX_CODE = 420;
const MAX_LONG_CODE = 640;
const MAX_SOURCE = 140;
const CODE_LINES = 8;
const MAX_LINE = 240;

const CODE_TAG = /^\s*\{\{[<%]\s*((?:code|highlight)[\w-]*)\b(?!.*\/[>%]\}\})/;
const FENCE = new RegExp(`^\\s*(?:\`{3,}|~{3,})|${CODE_TAG.source}`);
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const DEFINITION = /^:\s+\S/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const SENTENCE_START = /(?<=[.!?]["')*`\]]*)\s+(?=["'(*`[A-Z])/;
const SENTENCE_END = /[.!?:]["')*`\]]*\s*$/;
/** Code, and tags of HTML and components: no `<word>` that stands for something, no `List<Type>`. */
const TAG =
  /(`+[^`]*`+)|<(?:\/[A-Za-z][\w.:-]*|(?:(?<![\w$]<)[A-Z][\w.]*|(?:a|b|br|code|del|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|span|strong|sub|summary|sup|t[dhr]|table|ul|video|wbr)\b)(?:\s+[\w:@.-]+(?:=(?:"[^"]{0,300}"|'[^']{0,300}'|\{[^{}]{0,300}\}|[^\s"'>]{1,300}))?)*\s*\/?)>/g;
/** Lines that show nothing: tags alone, imports of MDX, rules, marks of admonitions and of templates. */
const EMPTY =
  /^\s*(?:<\/?[\w.]+(?:\s[^<>]*)?\/?>|import\s.+\sfrom\s.+|:{3,}.*|[-*_=]{3,}|\{\/\*.*\*\/\}|<!--.*-->|\{\{[<%].*[%>]\}\}|\[[^\]]+\]:\s.*)?\s*$/;

/**
 * The best lines of some sections, given best first, within so many characters; sections of which nothing is shown are left
 * out.
 */
export function cutPassages(
  sources: readonly PassageSource[],
  given: ReadonlyMap<string, number>,
  room: number,
): CutPassage[] {
  // Frequent words of a question (default, limit) say little of where to look, and much of what to show.
  const least = Math.max(0, ...given.values()) * LEAST_WEIGHT;
  const weights = new Map([...given].map(([term, weight]) => [term, Math.max(weight, least)]));
  const texts = sources.map(({ text, isCode }) => (isCode ? readLines(text) : withoutTwins(text)));
  const pieces = sources.flatMap((source, at) => {
    const lines = texts[at] ?? [];
    const worth: Worth = (text) =>
      sum([...termsOf(text, weights, source.analyzer)].map((term) => weights.get(term) ?? 0));
    const ranges = source.isCode ? codeRanges(lines, worth) : joinGroups(docsRanges(lines, worth), worth);
    return ranges.map((range) => toPiece(range, lines, source, at, weights));
  });
  const chosen = choose(pieces, sources, weights, room);
  return sources.flatMap((section, source) => {
    const own = chosen.filter((piece) => piece.source === source);
    if (own.length === 0) return [];
    const left = pieces.filter(
      (piece) => piece.source === source && !chosen.some((one) => one === piece || one.whole === piece),
    );
    return [{ source, lines: linesOf(own, left, texts[source] ?? [], section) }];
  });
}

function readLines(text: string): string[] {
  return text.split("\n").map((line) => line.trimEnd());
}

/** Lines of a page, empty where the same code stands there once more in another language. */
function withoutTwins(text: string): string[] {
  const lines = readLines(text);
  const kept = new Set(dropTwins(text).lines.map(({ at }) => at));
  return lines.map((line, at) => (kept.has(at) ? line : ""));
}

function linesOf(
  chosen: readonly Piece[],
  left: readonly Piece[],
  lines: readonly string[],
  { isCode, startLine }: PassageSource,
): CutPassage["lines"] {
  const shown = new Map<number, string>();
  const parts = new Map<number, number>();
  for (const { header, kind, segments } of chosen) {
    if (header !== undefined) shown.set(header, showLine(lines[header] ?? "", false));
    for (const { at, part = 0, text } of segments) {
      const own = showLine(text, isCode || kind === "code");
      if (own === "") continue;
      const gap = part === (parts.get(at) ?? -1) + 1 ? "" : "… ";
      parts.set(at, part);
      shown.set(at, shown.has(at) ? `${shown.get(at)} ${gap}${own}` : `${gap}${own}`);
    }
  }
  for (const [index, piece] of chosen.entries()) {
    const isLast = chosen[index + 1]?.group !== piece.group || piece.group === undefined;
    const next = left.find(({ segments }) => (segments[0]?.at ?? 0) > (piece.segments.at(-1)?.at ?? 0));
    const group =
      piece.kind === "row" ? piece.group : piece.leads >= LED && next?.kind === "row" ? next.group : undefined;
    if (group === undefined || (piece.kind === "row" && !isLast)) continue;
    const others = nameRows(left.filter((other) => other.kind === "row" && other.group === group));
    const at = piece.segments.at(-1)?.at ?? 0;
    if (others !== "") shown.set(at, `${shown.get(at) ?? ""}\n… ${piece.kind === "row" ? "also " : ""}${others}`);
  }
  const isSaid = (line: string): boolean => !EMPTY.test(line) && !FENCE.test(line) && !TABLE_RULE.test(line);
  let end = -1;
  return [...shown]
    .sort(([a], [b]) => a - b)
    .map(([at, text]) => {
      const isApart = end >= 0 && lines.slice(end + 1, at).some(isSaid);
      end = at;
      return { line: startLine + at, text, isApart };
    });
}

/** Names of the rows of a list or table that are not shown; `""` for many, or where few have one. */
function nameRows(rows: readonly Piece[]): string {
  const names = rows.flatMap((row) => row.names ?? []);
  if (names.length === 0 || names.length > MAX_NAMED) return "";
  return cutWithDots(names.join(", "), MAX_NAMES);
}

/** The first code, cell or term of a row. */
function nameOf(row: string): string[] {
  const [, code, cell, term] =
    /^[^`]{0,8}`([^`]{1,40})`|^\s*\|\s*([^|]{1,40}?)\s*\||^\s*[-*+]\s+\*\*([^*]{1,40})\*\*/.exec(row) ?? [];
  const name = code ?? cell ?? term;
  return name === undefined ? [] : [name];
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** A line as it is shown: in prose without what only styles or links. */
function showLine(line: string, isCode: boolean): string {
  if (isCode) return cutWithDots(line, MAX_LINE);
  const text = line
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/\[([^[\]]+)\]\[[^[\]]*\]/g, "$1")
    .replace(TAG, (_, code: string | undefined) => code ?? "")
    .replace(/(?<![\w`*'"/])\*\*(?=\S)([^*`\n]+?)(?<=\S)\*\*(?![\w*])/g, "$1")
    .replace(/\s*\{#[\w-]+\}\s*$/, "")
    .replace(/[ \t]{2,}\|/g, " |");
  return text.trim() === "" ? "" : text;
}

function docsRanges(lines: readonly string[], worth: Worth): Range[] {
  const ranges: Range[] = [];
  let at = /^\ufeff?---\s*$/.test(lines[0] ?? "") ? skipFrontmatter(lines) : 0;
  let group = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (HEADING.test(line) || (EMPTY.test(line) && !FENCE.test(line))) {
      at++;
      // Items with a blank line between them are one list.
      if (!EMPTY.test(lines[at] ?? "") && !ITEM.test(lines[at] ?? "") && !isTerm(lines, at)) group++;
    } else if (FENCE.test(line)) {
      const [, name] = CODE_TAG.exec(line) ?? [];
      const isEnd = (other: string): boolean =>
        name === undefined ? other.trim().startsWith(line.trim().slice(0, 3)) : other.includes(`/${name}`);
      let end = at + 1;
      while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
      ranges.push(...codeBlocks(lines, at + 1, Math.min(end, lines.length) - 1, worth));
      at = end + 1;
      group++;
    } else if (beginsTable(lines, at)) {
      let end = at;
      while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
      const header = TABLE_RULE.test(lines[at + 1] ?? "") ? at : undefined;
      for (let row = header === undefined ? at : at + 2; row < end; row++) {
        const segments = [{ at: row, text: lines[row] ?? "" }];
        const names = nameOf(lines[row] ?? "");
        ranges.push({ segments, kind: "row", group, names, ...(header !== undefined && { header }) });
      }
      at = end;
      group++;
    } else {
      const isItem = ITEM.test(line) || isTerm(lines, at);
      let end = at + 1;
      while (end < lines.length && goesOn(lines[end] ?? "") && !isTerm(lines, end)) end++;
      const segments = lines.slice(at, end).flatMap((text, index) => sentencesOf(text, at + index));
      if (isItem) ranges.push({ segments, kind: "row", group, names: nameOf(line) });
      else {
        ranges.push(...proseRanges(segments));
        group++;
      }
      at = end;
    }
  }
  return ranges;
}

/**
 * Lists and tables that are short as one, since a row says little without those beside it: each row cut to its share, to its
 * beginning and what it says of the query.
 */
function joinGroups(ranges: readonly Range[], worth: Worth): Range[] {
  return ranges.flatMap((range) => {
    const rows =
      range.kind === "row" ? ranges.filter(({ kind, group }) => kind === "row" && group === range.group) : [];
    if (rows.length < 2 || rows.length > MAX_ROWS) return [range];
    if (rows[0] !== range) return [];
    const whole = rows.reduce(
      (size, { segments }) => size + segments.reduce((sum, { text }) => sum + text.length, 0),
      0,
    );
    const shares = [MAX_GROUP, MAX_GROUP / 2].map((room) => Math.max(MIN_ROW, Math.min(MAX_ROW, room / rows.length)));
    const [cut = [], short = []] = shares.map((most) => rows.flatMap(({ segments }) => cutRow(segments, most, worth)));
    const names = rows.flatMap((row) => row.names ?? []);
    return [
      {
        ...range,
        names,
        isWhole: true,
        segments: whole <= MAX_GROUP ? rows.flatMap(({ segments }) => segments) : cut,
        short,
      },
    ];
  });
}

/** The beginning of a row, and of its sentences those that say most of the query. */
function cutRow(segments: readonly Segment[], most: number, worth: Worth): Segment[] {
  const sentences = segments.flatMap(({ at, text }) =>
    text.split(SENTENCE_START).map((sentence, part) => ({ at, part, text: showLine(sentence, false) })),
  );
  const [first, ...others] = sentences.filter(({ text }) => text !== "");
  if (first === undefined) return [];
  const cells = segments.length === 1 ? cellsOf(segments[0]?.text ?? "") : [];
  if (cells.length > 1) return [{ at: first.at, text: cutCells(cells, most) }];
  const isShort = sum(sentences.map(({ text }) => text.length + 1)) <= most;
  const kept = new Map([[first, isShort ? first.text : cutWithDots(first.text, Math.max(MIN_SENTENCE, most / 2))]]);
  let left = most - (kept.get(first) ?? "").length;
  const byWorth = others
    .map((sentence) => ({ sentence, value: worth(sentence.text) }))
    .sort((a, b) => b.value - a.value);
  for (const { sentence, value } of byWorth) {
    if (!isShort && (left < MIN_SENTENCE || (value === 0 && kept.size > 1))) break;
    const text = isShort ? sentence.text : cutWithDots(sentence.text, left);
    left -= text.length + 1;
    kept.set(sentence, text);
  }
  return sentences.flatMap((sentence) => {
    const text = kept.get(sentence);
    return text === undefined ? [] : [{ at: sentence.at, part: sentence.part, text }];
  });
}

function cellsOf(row: string): string[] {
  return TABLE_ROW.test(row)
    ? row
        .trim()
        .slice(1, -1)
        .split("|")
        .map((cell) => showLine(cell, false).trim())
    : [];
}

/** The cells of a row, long ones cut: the last ones, which are mostly notes, have what the others leave. */
function cutCells(cells: readonly string[], most: number): string {
  let left = most;
  const shown = cells.map((cell, at) => {
    const text = cutWithDots(
      cell,
      Math.max(at === 0 ? MIN_SENTENCE : 0, Math.min(left, at < cells.length - 1 ? most / 2 : left)),
    );
    left -= text.length + 3;
    return text;
  });
  return `| ${shown.join(" | ").replace(/(?: \| )+$/, "")} |`;
}

function skipFrontmatter(lines: readonly string[]): number {
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

function beginsTable(lines: readonly string[], at: number): boolean {
  const [line = "", next = ""] = lines.slice(at, at + 2);
  return TABLE_ROW.test(line) || (line.includes("|") && next.includes("|") && TABLE_RULE.test(next));
}

/** Whether a line is the term of a definition list: its definition comes next, behind a colon. */
function isTerm(lines: readonly string[], at: number): boolean {
  return DEFINITION.test(lines[at + 1] ?? "") && !DEFINITION.test(lines[at] ?? "");
}

/** Whether a line belongs to the paragraph or item before it. */
function goesOn(line: string): boolean {
  return ![EMPTY, FENCE, HEADING, ITEM, TABLE_ROW].some((pattern) => pattern.test(line));
}

/** A line, a long one by its sentences. */
function sentencesOf(line: string, at: number): Segment[] {
  const texts = line.length > LONG_LINE ? line.split(SENTENCE_START) : [line];
  return texts.map((text, part) => ({ at, part, text }));
}

/** Sentences, short ones together. */
function proseRanges(segments: readonly Segment[]): Range[] {
  const ranges: Range[] = [];
  let own: Segment[] = [];
  let size = 0;
  for (const segment of segments) {
    own.push(segment);
    size += segment.text.length;
    if (size < LEAST_PROSE || !SENTENCE_END.test(segment.text)) continue;
    ranges.push({ segments: own, kind: "prose" });
    own = [];
    size = 0;
  }
  return own.length === 0 ? ranges : [...ranges, { segments: own, kind: "prose" }];
}

/** A block of code whole, of a long one what holds words of the query, and its beginning. */
function codeBlocks(lines: readonly string[], first: number, last: number, worth: Worth, whole = MAX_CODE): Range[] {
  const all = lines.slice(first, last + 1).map((text, index) => ({ at: first + index, text }));
  const own = all.filter(({ text }) => text.trim() !== "" && !IMPORT.test(text));
  const segments = own.length > 0 ? own : all.filter(({ text }) => text.trim() !== "");
  const size = sum(segments.map(({ text }) => text.length + 1));
  if (size <= whole) return size === 0 ? [] : [{ segments, kind: "code" }];
  const holding = segments.map(({ text }) => worth(text) > 0);
  const isKept = (at: number): boolean =>
    (at === 0 && !holding.includes(true)) || holding[at] === true || holding[at - 1] === true;
  const ranges: Segment[][] = [];
  for (const [at, segment] of segments.entries()) {
    const before = ranges.at(-1);
    if (!isKept(at)) continue;
    if (before !== undefined && isKept(at - 1) && before.length < CODE_LINES) before.push(segment);
    else ranges.push([segment]);
  }
  // What fits whole is shown so, else by the lines that hold words of the query.
  if (whole === MAX_CODE && size <= MAX_LONG_CODE) return [{ segments, kind: "code", short: ranges.flat() }];
  return ranges.map((piece) => ({ segments: piece, kind: "code" }));
}

/** Lines of code that only bring names in. */
const IMPORT =
  /^\s*(?:use\s[\w:]+|import\s|from\s\S+\simport\s|#include\b|package\s[\w.]+;?$|using\s[\w.]+;$|const\s.+=\s*require\()/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[|!?include|define)|--)/;

/** Source code: comments apart from what they are about. */
function codeRanges(lines: readonly string[], worth: Worth): Range[] {
  const ranges: Range[] = [];
  let begin = 0;
  const code = lines.map((text, at) => ({ at, text })).filter(({ text }) => text.trim() !== "");
  const bare = code.filter(({ text }) => !COMMENT.test(text));
  const sizeOf = (own: readonly Segment[]): number => own.reduce((size, { text }) => size + text.length + 1, 0);
  if (sizeOf(bare) <= MAX_CODE) return [{ segments: code, kind: "code", short: bare }];
  const isCommented = (at: number): boolean => COMMENT.test(lines[at] ?? "");
  for (let at = 1; at <= lines.length; at++) {
    const isComment = isCommented(begin);
    // A comment of one line goes with the code around it.
    const isSwitch = isCommented(at) !== isComment && (isComment || isCommented(at + 1));
    if (at < lines.length && !isSwitch) continue;
    if (!isComment) ranges.push(...codeBlocks(lines, begin, at - 1, worth, MAX_SOURCE));
    else {
      const segments = lines.slice(begin, at).map((text, index) => ({ at: begin + index, text }));
      ranges.push({
        segments: segments.filter(({ text }) => !/^\s*(?:\/\*+|\*+\/?|\/\/)?\s*$/.test(text)),
        kind: "prose",
      });
    }
    begin = at;
  }
  return ranges.filter(({ segments }) => segments.length > 0);
}

function toPiece(
  range: Range,
  lines: readonly string[],
  { isCode, analyzer }: PassageSource,
  source: number,
  weights: ReadonlyMap<string, number>,
): Piece {
  const { segments, kind, header, short, isWhole } = range;
  const text = segments.map((segment) => segment.text).join("\n");
  const sizeOf = (own: readonly Segment[]): number =>
    own.reduce((length, segment) => length + showLine(segment.text, isCode || kind === "code").length + 1, 0);
  return {
    ...range,
    source,
    size: sizeOf(segments),
    shortSize: sizeOf(short ?? segments),
    terms: termsOf(header === undefined ? text : `${lines[header]}\n${text}`, weights, analyzer),
    givesDefault: GIVES_DEFAULT.test(text),
    share: kind !== "code" ? (isWhole === true ? WHOLE_LIST : 1) : isNameList(segments) ? LIST_SHARE : CODE_SHARE,
    leads:
      isCode && kind === "prose"
        ? LED
        : kind === "code"
          ? /[[({=,]\s*$/.test(text)
            ? LED
            : 0
          : /:\s*\**$/.test(text.trimEnd())
            ? LED
            : LED / 2,
  };
}

/** Whether most of the lines are names in quotes, as in a list of exports. */
function isNameList(segments: readonly Segment[]): boolean {
  const names = segments.filter(({ text }) => /^\s*(["'`])[\w.$/-]*\1\s*(?::\s*(["'`])[\w.$/-]*\2\s*)?,?$/.test(text));
  return names.length > 2 && names.length > segments.length / 2;
}

/** Terms of the query in a text. */
function termsOf(text: string, weights: ReadonlyMap<string, number>, analyzer: Analyzer): Set<string> {
  const found = new Set<string>();
  visitTerms(text, (term) => weights.has(term) && found.add(term), analyzer);
  return found;
}

function choose(
  pieces: readonly Piece[],
  sources: readonly PassageSource[],
  weights: ReadonlyMap<string, number>,
  room: number,
): Piece[] {
  const chosen = new Map<number, Piece>();
  const held = new Set<string>();
  const headers = new Set<Range["header"]>();
  const begun = new Set<number>();
  const best = Math.max(...sources.map(({ score }) => score));
  const bestOf = (kind: boolean): number =>
    Math.max(0, ...sources.map(({ score, isCode }) => (isCode === kind ? score : 0)));
  const sumOf = (terms: Iterable<string>): number =>
    sum([...terms].map((term) => (term === DEFAULT_TERM ? 0 : (weights.get(term) ?? 0))));
  const named = sumOf(weights.keys());
  const facts = sources.map(({ headings, analyzer, score, isCode }) => {
    const inHeadings = termsOf(headings.join("\n"), weights, analyzer);
    return {
      inHeadings,
      isOfHeading: sumOf(inHeadings) >= named * MOST_NAMED,
      // Docs and code say the same in other words: the best of either is measured by its own kind.
      share: (score / bestOf(isCode)) ** SCORE_POWER * (bestOf(isCode) / best) ** KIND_POWER,
    };
  });
  let left = room;
  const isNear = (at: number, other: number): boolean =>
    pieces[at]?.source === pieces[other]?.source && chosen.has(other);
  const asksForDefault = weights.has(DEFAULT_TERM);
  const worth = ({ terms, share: own, source, givesDefault }: Piece): number => {
    const { inHeadings, share, isOfHeading } = facts[source] as (typeof facts)[number];
    const shareOf = (term: string): number =>
      held.has(term) && !(term === DEFAULT_TERM && givesDefault) ? AGAIN : inHeadings.has(term) ? IN_HEADING : 1;
    const value = sum([...terms].map((term) => (weights.get(term) ?? 0) * shareOf(term)));
    // What headings say counts once for the section, with the first of its pieces.
    const ofHeadings = begun.has(source)
      ? 0
      : sum([...inHeadings].map((term) => (held.has(term) ? 0 : (weights.get(term) ?? 0) * (1 - IN_HEADING))));
    const isMeant = terms.size > 1 || isOfHeading;
    const ofDefault = !asksForDefault ? 1 : !isMeant ? DEFAULT_ALONE : givesDefault ? DEFAULT_GIVEN : 1;
    return (value + ofHeadings) * share * own * ofDefault;
  };
  const costOf = ({ header, source }: Piece, size: number): number =>
    size + (header === undefined || headers.has(header) ? 0 : AROUND) + (begun.has(source) ? 0 : AROUND);
  const take = (at: number): void => {
    const whole = pieces[at] as Piece;
    const isShort = costOf(whole, whole.size) > left && whole.short !== undefined;
    const piece = isShort ? { ...whole, segments: whole.short ?? [], size: whole.shortSize, whole } : whole;
    left -= costOf(piece, piece.size);
    chosen.set(at, piece);
    headers.add(piece.header);
    begun.add(piece.source);
    for (const term of piece.terms) if (term !== DEFAULT_TERM || piece.givesDefault) held.add(term);
  };
  const whole = sum(weights.values());
  const coverage = (): number => (whole === 0 ? 1 : sum([...held].map((term) => weights.get(term) ?? 0)) / whole);
  let top = 0;
  for (;;) {
    let next = -1;
    let highest = 0;
    for (const [at, piece] of pieces.entries()) {
      if (chosen.has(at) || (costOf(piece, piece.shortSize) > left && chosen.size > 0)) continue;
      const isBeside = isNear(at, at - 1) || isNear(at, at + 1);
      const isFirst = pieces[at - 1]?.source !== piece.source;
      const before = isNear(at, at - 1) ? (pieces[at - 1]?.leads ?? 0) : 0;
      const led = before >= LED || piece.kind === "code" ? before * top * coverage() : 0;
      const value =
        (worth(piece) / (costOf(piece, piece.size) + AROUND) ** SIZE_POWER) *
          (isBeside ? BESIDE : 1) *
          (isFirst ? FIRST : 1) +
        led;
      if (value > highest) {
        highest = value;
        next = at;
      }
    }
    // A section that holds no word of the query itself is shown from its beginning.
    if (next < 0 && chosen.size === 0 && pieces.length > 0) next = 0;
    if (next < 0 || (chosen.size > 0 && highest < top * LEAST_GAIN)) break;
    top = Math.max(top, highest);
    take(next);
    for (const term of facts[pieces[next]?.source ?? 0]?.inHeadings ?? []) held.add(term);
    const lead = pieces[next - 1];
    if (
      lead !== undefined &&
      lead.leads >= LED &&
      lead.source === pieces[next]?.source &&
      !chosen.has(next - 1) &&
      lead.size <= left
    )
      take(next - 1);
  }
  // Who is told what a thing does wants to see how: the best code, where there is room and none yet.
  const isTold =
    chosen.size > 0 && left > room * EXAMPLE_SHARE && ![...chosen.values()].some(({ kind }) => kind === "code");
  if (isTold) {
    const examples = [...pieces.entries()].filter(
      ([at, piece]) =>
        piece.kind === "code" && !chosen.has(at) && costOf(piece, piece.shortSize) <= left && piece.terms.size > 0,
    );
    const [best] = examples.sort(([, a], [, b]) => worth(b) - worth(a));
    if (best !== undefined) take(best[0]);
  }
  return [...chosen].sort(([a], [b]) => a - b).map(([, piece]) => piece);
}
