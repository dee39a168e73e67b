/**
 * What a place in a text is to somebody who reads it: prose, code or a quotation, or hidden from them.
 *
 * Worked out only for texts in which something was found, in time in proportion to the text. It knows how Markdown, MDX
 * and HTML hide text, and is a guess beyond that. Pure.
 */
import { locateSpots } from "../../src/core/text/source-spots.ts";

/** What a place is. `unseen`: readers of the page do not see it; `where` says in words how it is hidden. */
export type Place =
  | { readonly kind: "prose" | "quoted" | "source-string" | "source-comment" }
  | { readonly kind: "unseen"; readonly where: string };

interface Range {
  readonly start: number;
  readonly end: number;
}

const HIDING_STYLE =
  /display\s*:\s*["']?none|visibility\s*:\s*["']?hidden|font-?size\s*:\s*["']?0(?![.\d]*[1-9])|opacity\s*:\s*["']?0(?![.\d]*[1-9])|color\s*:\s*["']?(?:white|transparent|#fff(?:fff)?)\b|(?:^|\s)hidden(?=$|[\s=/])/i;
/** Elements that no browser shows. */
const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(["template", "noscript"]);
/** How far a hidden element reaches that has no end. */
const MAX_OPEN_ELEMENT = 5_000;

/** The place of each range of a text; the ranges ascend by their starts. */
export function placesOf(text: string, language: string | undefined, ranges: readonly Range[]): Place[] {
  if (language !== undefined) {
    const spots = locateSpots(
      text,
      language,
      ranges.map(({ start }) => start),
    );
    return spots.map(({ within }) => ({ kind: within === "comment" ? "source-comment" : "source-string" }));
  }
  const fences = fenceRanges(text);
  const hiding: readonly { readonly where: string; readonly ranges: readonly Range[] }[] = [
    { where: "in a comment", ranges: [...betweenMarks(text, "<!--", "-->"), ...betweenMarks(text, "{/*", "*/}")] },
    {
      where: "in a link definition that shows nothing",
      ranges: matches(text, /^ {0,3}\[(?:\/\/|comment|#|_)\]:.*$/gim),
    },
    { where: "in an element that is not shown", ranges: hiddenElements(text) },
    {
      where: "in a text that stands for an image",
      ranges: [
        ...matches(text, /!\[[^\]\n]{1,2000}\]/g),
        ...matches(
          text,
          /\s(?:alt|aria-label|aria-description|data-[\w-]{1,40})\s?=\s?(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}')/gi,
        ),
      ],
    },
  ];
  return ranges.map(({ start, end }): Place => {
    const inside = ({ start: from, end: to }: Range): boolean => from <= start && end <= to;
    if (fences.some(inside)) return { kind: "quoted" };
    const hidden = hiding.find((one) => one.ranges.some(inside));
    if (hidden !== undefined) return { kind: "unseen", where: hidden.where };
    return { kind: isQuoted(text, start) ? "quoted" : "prose" };
  });
}

/** Whether a place stands in code or between quotes on its line. */
function isQuoted(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf("\n", at - 1) + 1, at - 1_000), at);
  const count = (mark: string): number => before.split(mark).length - 1;
  if (count("`") % 2 === 1 || count('"') % 2 === 1) return true;
  return (
    before.lastIndexOf("“") > before.lastIndexOf("”") ||
    before.lastIndexOf("«") > before.lastIndexOf("»") ||
    /(?:^|[\s(*_])['‘„]$/.test(before)
  );
}

/** Lines of code blocks, the fences included. What has no end is one to the end of the text. */
function fenceRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: { readonly start: number; readonly mark: string } | undefined;
  for (const match of text.matchAll(/^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})(.*)$/gm)) {
    const [line, mark = "", rest = ""] = match;
    if (open === undefined) {
      if (!(mark.startsWith("`") && rest.includes("`"))) open = { start: match.index, mark };
    } else if (mark.startsWith(open.mark) && rest.trim() === "") {
      ranges.push({ start: open.start, end: match.index + line.length });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push({ start: open.start, end: text.length });
  return ranges;
}

function betweenMarks(text: string, opening: string, closing: string): Range[] {
  const ranges: Range[] = [];
  for (let start = text.indexOf(opening); start >= 0; ) {
    const end = text.indexOf(closing, start + opening.length);
    ranges.push({ start, end: end < 0 ? text.length : end + closing.length });
    if (end < 0) break;
    start = text.indexOf(opening, end);
  }
  return ranges;
}

function hiddenElements(text: string): Range[] {
  const ranges: Range[] = [];
  let passed = 0;
  for (const match of text.matchAll(/<([a-z][\w-]{0,40})((?:\s[^<>]{0,1000})?)>/gi)) {
    const [tag, name = "", attributes = ""] = match;
    if (match.index < passed || tag.endsWith("/>")) continue;
    if (!UNSEEN_ELEMENTS.has(name.toLowerCase()) && !HIDING_STYLE.test(attributes)) continue;
    const within = text.slice(match.index, match.index + MAX_OPEN_ELEMENT);
    const end = within.indexOf(`</${name}`);
    passed = match.index + (end < 0 ? within.length : end);
    ranges.push({ start: match.index, end: passed });
  }
  return ranges;
}

function matches(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}
