/**
 * The title of a page: where it comes from, and when a heading merely repeats it.
 *
 * Pure: text in, text out. No I/O, no clock.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";

const UNTITLED = "Untitled";
const FOLDER_PAGES = new Set(["index", "readme", "_index"]);
const ORDER_PREFIX = /^(?:\d{4}-\d{2}-\d{2}[-_ ]|\d+[-_. ]+(?=\D))/;

/** The title that frontmatter gives, folded to one line; `""` when it gives none. */
export function readFrontmatterTitle(frontmatter: Readonly<Record<string, unknown>>): string {
  const title = frontmatter["title"];
  if (typeof title === "number") return String(title);
  return typeof title === "string" ? foldWhitespace(title) : "";
}

/** The description that frontmatter gives (`description`, else `summary`), folded to one line; `""` when it gives none. */
export function readFrontmatterDescription(frontmatter: Readonly<Record<string, unknown>>): string {
  for (const value of [frontmatter["description"], frontmatter["summary"]]) {
    const text = typeof value === "string" ? foldWhitespace(value) : "";
    if (text !== "") return text;
  }
  return "";
}

/**
 * A file's name in words: `01-getting-started.md` is "Getting started".
 *
 * `index` and `readme` stand for their folder; numbers and dates that only order files are dropped.
 */
export function nameInWords(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const file = parts.at(-1) ?? "";
  const name = file.replace(/\.[^.]*$/, "");
  const folder = parts.at(-2);
  const source = FOLDER_PAGES.has(name.toLowerCase()) && folder !== undefined ? folder : name;
  const words = foldWhitespace(source.replace(ORDER_PREFIX, "").replace(/[-_]+/g, " ")) || foldWhitespace(source);
  if (words === "") return UNTITLED;
  const first = String.fromCodePoint(words.codePointAt(0) ?? 0);
  return first.toUpperCase() + words.slice(first.length);
}

/** Whether two titles say the same, whatever their case, spaces, punctuation and markup. */
export function areSameTitle(a: string, b: string): boolean {
  const left = reduceTitle(a);
  const right = reduceTitle(b);
  // Titles without any letter or digit (`???`) are compared as written.
  return left === "" && right === "" ? foldWhitespace(a) === foldWhitespace(b) : left === right;
}

function reduceTitle(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}
