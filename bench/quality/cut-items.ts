/**
 * Known items: pieces cut out of Markdown pages by line patterns, without Treeline's parser.
 */
import { createHash } from "node:crypto";

/** Kinds of known items. */
export const ITEM_KINDS = ["heading", "prose", "introduction", "identifier"] as const;

/** A query whose answer is the section that contains the line it was cut from. */
export interface KnownItem {
  readonly kind: (typeof ITEM_KINDS)[number];
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly query: string;
}

const PROSE_WORDS = 8;
const INTRODUCTION_WORDS = 14;

/**
 * Cuts headings that occur once (after the page title), eight words of prose, introductions, and identifiers in code
 * fences that occur once.
 */
export function cutItems(pages: ReadonlyMap<string, readonly string[]>): KnownItem[] {
  const headings = new Map<string, KnownItem[]>();
  const identifiers = new Map<string, KnownItem[]>();
  const prose: KnownItem[] = [];
  for (const [path, lines] of pages) {
    const body = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
    let title = (lines.slice(0, body).find((line) => line.startsWith("title:")) ?? "").slice("title:".length);
    let isFenced = false;
    let hasIntroduction = false;
    for (const [at, line] of lines.entries()) {
      if (at < body) continue;
      const place = { path, line: at + 1 };
      if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
      else if (isFenced) {
        for (const [word] of line.matchAll(/[A-Za-z_$][\w$]*(?:[._-][A-Za-z_$][\w$]*)*/g)) {
          if (/[a-z][A-Z]|_|\./.test(word) && word.length >= 6)
            push(identifiers, word.toLowerCase(), { kind: "identifier", ...place, query: word });
        }
      } else if (/^#{1,6} /.test(line)) {
        const heading = line.replace(/^#+ /, "");
        if (line.startsWith("# ")) title ||= heading;
        else push(headings, heading.toLowerCase(), { kind: "heading", ...place, query: plain(`${title} ${heading}`) });
      } else if (/^[A-Z][^|<>{}]{60,}/.test(line)) {
        const words = plain(line).split(" ");
        if (words.length < PROSE_WORDS) continue;
        const start = hasIntroduction ? hashOf(line) % (words.length - PROSE_WORDS + 1) : 0;
        const length = hasIntroduction ? PROSE_WORDS : INTRODUCTION_WORDS;
        const query = words.slice(start, start + length).join(" ");
        prose.push({ kind: hasIntroduction ? "prose" : "introduction", ...place, query });
        hasIntroduction = true;
      }
    }
  }
  const once = (map: Map<string, KnownItem[]>) => [...map.values()].filter((list) => list.length === 1).flat();
  return [...prose, ...once(headings), ...once(identifiers)];
}

/** Draws up to `count` values by the hashes of their keys, so that an edit of one value leaves the others drawn. */
export function drawByHash<T>(values: readonly T[], count: number, keyOf: (value: T) => string): T[] {
  return values
    .map((value) => [hashOf(keyOf(value)), value] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, value]) => value);
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE();
}

/** Markdown without markup and punctuation that the query language reads. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]{1,3}/g, "")
    .replace(/[.!?,;:()"']+(?=\s|$)|(?<=^|\s)[("']+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function push(map: Map<string, KnownItem[]>, key: string, item: KnownItem): void {
  map.set(key, [...(map.get(key) ?? []), item]);
}
