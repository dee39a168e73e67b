/** Texts of a page: the normalised source, titles, summaries, word counts, info strings of fences. */
import { cutText, foldWhitespace } from "../../../src/core/text/short-text.ts";

const BYTE_ORDER_MARK = 0xfeff;
const REPLACEMENT = "\ufffd";
const SURROGATE = /[\ud800-\udfff]/;
// With the `u` flag a surrogate pair is one character, so only lone halves match.
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The text without byte order mark and with `\n` as its only line end.
 *
 * Only `\r\n` and `\n` end a line; a lone `\r` becomes a space. NUL characters and lone
 * surrogates become U+FFFD, because the index stores UTF-8.
 */
export function normalizeSource(text: string): string {
  let source = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  if (source.includes("\r")) {
    source = source.replace(/\r\n|\r/g, (end) => (end === "\r" ? " " : "\n"));
  }
  if (source.includes("\0")) source = source.replaceAll("\0", REPLACEMENT);
  if (SURROGATE.test(source)) source = source.replace(LONE_SURROGATE, REPLACEMENT);
  return source;
}

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

/** A summary stands beside a title in outlines; two lines of a terminal are enough. */
const MAX_SUMMARY_CHARS = 160;

/** How far a sentence end is looked for: beyond it the summary is cut anyway. */
const SENTENCE_WINDOW_CHARS = MAX_SUMMARY_CHARS + 1;

/** A full stop after one of these never ends a sentence. */
const NEVER_FINAL = new Set(["e.g", "i.e", "cf", "vs", "viz", "approx", "resp", "dr", "mr", "mrs", "ms", "prof", "st"]);

/** A full stop after one of these ends a sentence only before a capital letter. */
const SOMETIMES_FINAL = new Set([
  "etc",
  "al",
  "no",
  "fig",
  "eq",
  "sec",
  "inc",
  "ltd",
  "co",
  "corp",
  "jr",
  "sr",
  "a.k.a",
]);

const SENTENCE_END = /[.!?\u2026]+["'\u2019\u201d)\]]*(?=\s|$)|[\u3002\uff01\uff1f]/g;
const LAST_WORD = /[\p{L}\p{N}.]+$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const NON_ASCII = /[^\0-\x7f]/;

/** The first sentence of the text, at most 160 characters; a longer one is cut after a word and marked with `…`. */
export function summarize(text: string): string {
  const window = text.slice(0, SENTENCE_WINDOW_CHARS);
  SENTENCE_END.lastIndex = 0;
  for (let match = SENTENCE_END.exec(window); match !== null; match = SENTENCE_END.exec(window)) {
    const end = match.index + match[0].length;
    if (end > MAX_SUMMARY_CHARS) break;
    if (endsSentence(window, match.index, end)) return window.slice(0, end);
  }
  return cutAtWord(text, MAX_SUMMARY_CHARS);
}

/** At most `limit` characters of the text, cut after a word and marked with `…` when something is missing. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = cutText(text, limit - 1);
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  // A first "word" of nearly the whole length (Chinese, a long URL) is cut inside.
  const kept = space > limit / 2 ? head.slice(0, space) : head;
  return `${kept.replace(/[\s,;:(\u2013\u2014-]+$/, "")}…`;
}

export function countWords(text: string): number {
  if (NON_ASCII.test(text)) return text.match(WORD)?.length ?? 0;
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isWordPart = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (isWordPart && !inWord) words++;
    inWord = isWordPart;
  }
  return words;
}

function endsSentence(text: string, stop: number, end: number): boolean {
  if (text[stop] !== ".") return true;
  const rest = text.slice(end).trimStart();
  if (rest === "") return true;
  const nextIsLower = /^\p{Ll}/u.test(rest);
  // An ellipsis before a small letter is a pause.
  if (text[stop + 1] === ".") return !nextIsLower;
  const word = LAST_WORD.exec(text.slice(0, stop))?.[0].toLowerCase() ?? "";
  if (NEVER_FINAL.has(word)) return false;
  if (SOMETIMES_FINAL.has(word)) return !nextIsLower && !/^\p{N}/u.test(rest);
  // An initial (`J. Smith`), or the number of a list item (`1. Install`).
  return !/^\p{L}$/u.test(word) && !(/^\p{N}+$/u.test(word) && word.length === stop);
}

interface FenceInfo {
  /** First word in lower case, without what some tools attach to it (`{1,3}`, `:file.ts`); `""` when there is none. */
  readonly language: string;
  /** File name or title that is shown above the code; `""` when there is none. */
  readonly title: string;
}

/** Longer info strings and words are accidents, such as prose behind three backticks. */
const MAX_INFO_CHARS = 1_000;
const MAX_LANGUAGE_CHARS = 40;

const LANGUAGE = /^\{?\.?([A-Za-z0-9_][\w+#.-]*)/;
const TITLE = /(?:^|[\s{,])(?:file(?:_?name)?|title)=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))/i;

export function readFenceInfo(info: string): FenceInfo {
  const text = info.slice(0, MAX_INFO_CHARS).trim();
  const title = TITLE.exec(text);
  const word = LANGUAGE.exec(text);
  // `title=…` without a language before it.
  const isAttribute = word !== null && text[word[0].length] === "=";
  const language = word === null || isAttribute ? "" : (word[1] ?? "").toLowerCase();
  return {
    language: language.length > MAX_LANGUAGE_CHARS ? "" : language,
    title: (title?.[1] ?? title?.[2] ?? title?.[3] ?? "").trim(),
  };
}

const HEADING_ID = /^:?\s*#([^\s{}]+)(?:\s[^{}]*)?$/;
const COMMENT_ID = /^\/\*(?:\s*#([^\s*]+)\s*|([\w.-]+))\*\/$/;

/**
 * Takes the explicit id off the end of a heading's content: `{#install}`, `{: #install}` and, as a comment for MDX, `{/* #install *\/}`
 * or `{/*install*\/}` (the form of react.dev: one word and no spaces). The id is `""` when there is none.
 */
export function splitHeadingId(content: string): { readonly text: string; readonly id: string } {
  const trimmed = content.trimEnd();
  if (!trimmed.endsWith("}")) return { text: content, id: "" };
  const open = trimmed.lastIndexOf("{");
  if (open < 0) return { text: content, id: "" };
  const inner = trimmed.slice(open + 1, -1).trim();
  const comment = COMMENT_ID.exec(inner);
  const id = HEADING_ID.exec(inner)?.[1] ?? comment?.[1] ?? comment?.[2] ?? "";
  return id === "" ? { text: content, id } : { text: trimmed.slice(0, open).trimEnd(), id };
}
