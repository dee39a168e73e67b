/**
 * Instructions to models in texts that are written for people: prompt injection.
 *
 * How bad one is follows from evidence. What readers do not see and what tells a model to drop its instructions is an error. The same
 * in plain sight is a warning, and a note where it is quoted, stands in code, or near words about such attacks: documentation about
 * them holds many. Words further away do not count: one of them would disarm a whole page. Words that ordinary pages have count only
 * beside others, or where they are hidden.
 */

import { locateSpots } from "../../src/core/text/source-spots.ts";
import { findPhrases, type Phrase } from "./instruction-phrases.ts";
import type { ScanFinding, ScanKind, ScannedText } from "./scanned-text.ts";

const HIDING_STYLE =
  /display\s*:\s*["']?none|visibility\s*:\s*["']?hidden|font-?size\s*:\s*["']?0(?![.\d]*[1-9])|opacity\s*:\s*["']?0(?![.\d]*[1-9])|color\s*:\s*["']?(?:white|transparent|#fff(?:fff)?)\b|(?:^|\s)hidden(?=$|[\s=/])/i;

/** Elements that no browser shows. */
const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(["template", "noscript"]);

/** How far a hidden element reaches that has no end. */
const MAX_OPEN_ELEMENT = 5_000;

/** Phrases so close together belong together. */
const NEAR = 600;
/** Words about attacks on models. */
const ABOUT_ATTACKS = /prompt[- ]?injection|jailbreak|red[- ]team|guardrail|adversarial|indirect injection/i;

/** Characters of base64 that hold a phrase at least. */
const LEAST_BLOB = 40;
const MAX_BLOBS = 100;
/** Characters of a blob that are looked at. */
const MAX_BLOB = 8_000;

export const suspiciousInstructions: ScanKind = {
  rule: "suspicious-instruction",
  find: (scanned) => [...findWritten(scanned), ...findDisguised(scanned), ...findEncoded(scanned)],
};

function findWritten(scanned: ScannedText): ScanFinding[] {
  const { text, language } = scanned;
  const phrases = findPhrases(text);
  if (phrases.length === 0) return [];
  const places = placesOf(text, language, phrases);
  const judged = phrases.flatMap((phrase, at) => {
    const place = scanned.isBroken(phrase.start, phrase.end)
      ? ({ kind: "unseen", where: "broken up by characters that nobody sees" } as const)
      : (places[at] as Place);
    const isBacked = phrases.some((other) => other.does !== phrase.does && Math.abs(other.start - phrase.start) < NEAR);
    const isAboutAttacks = ABOUT_ATTACKS.test(text.slice(Math.max(0, phrase.start - NEAR), phrase.end + NEAR));
    const severity = judge(phrase, place, isBacked, isAboutAttacks);
    return severity === undefined ? [] : [{ phrase, place, severity }];
  });
  return judged.map(({ phrase, place, severity }) => ({
    offset: scanned.placeOf(phrase.start),
    rule: "suspicious-instruction",
    severity,
    message: describe(phrase, place),
  }));
}

/** The severity of a phrase, or undefined where it says nothing. */
function judge(
  { strength }: Phrase,
  place: Place,
  isBacked: boolean,
  isAboutAttacks: boolean,
): ScanFinding["severity"] | undefined {
  switch (place.kind) {
    case "unseen":
      if (strength === "strong") return "error";
      if (strength === "medium") return isBacked ? "error" : "warning";
      return isBacked ? "warning" : "info";
    case "prose":
    case "source-comment":
      if (isAboutAttacks) return strength === "strong" ? "info" : undefined;
      if (strength === "strong") return "warning";
      if (strength === "medium") return isBacked ? "warning" : place.kind === "prose" ? "info" : undefined;
      return undefined;
    case "quoted":
    case "source-string":
      return strength === "strong" ? "info" : undefined;
  }
}

/** The words are not repeated: who reads findings is who they were written for. */
function describe({ does }: Phrase, place: Place): string {
  const where = place.kind === "unseen" ? `, ${place.where}` : "";
  return `${does}${where}; read this line before you trust the file`;
}

/** Ways to write letters as others that keep a text's length, with what a text holds that is written so. */
const DISGUISES: readonly { readonly name: string; readonly hint: RegExp; readonly undo: (text: string) => string }[] =
  [
    {
      name: "in digits and signs that stand for letters",
      // `1gn0r3`, `f0rg3t`, `d1sr3g4rd`: such words with one letter in another's place at least.
      hint: /\b(?!ignore|forget|disregard)[i1!|][gq9]n[o0]r[e3]\b|\b(?!forget)f[o0]rg[e3][t7]\b|\b(?!disregard)d[i1!][s5$]r[e3]g[a4@]rd\b/i,
      undo: (text) => text.replace(/[01345789@$!|]/g, (sign) => LETTERS[sign] ?? sign),
    },
    {
      name: "in rot13",
      hint: /\b(?:vtaber|qvfertneq|sbetrg|bireevqr)\b/i,
      undo: (text) => text.replace(/[a-z]/gi, rotate),
    },
  ];
const LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "i",
};
const ALPHABET = 26;

function rotate(letter: string): string {
  const first = letter <= "Z" ? 0x41 : 0x61;
  return String.fromCharCode(first + ((letter.charCodeAt(0) - first + ALPHABET / 2) % ALPHABET));
}

/** Orders in a spelling that people can read if they try, and that filters do not. */
function findDisguised({ text, placeOf }: ScannedText): ScanFinding[] {
  return DISGUISES.flatMap(({ name, hint, undo }) => {
    if (!hint.test(text)) return [];
    const written = new Set(findPhrases(text).map(({ start }) => start));
    return findPhrases(undo(text))
      .filter(({ strength, start }) => strength === "strong" && !written.has(start))
      .map(
        ({ start, does }): ScanFinding => ({
          offset: placeOf(start),
          rule: "suspicious-instruction",
          severity: "error",
          message: `${does}, written ${name}; read this line before you trust the file`,
        }),
      );
  });
}

/** Instructions that are encoded: nobody reads them but a model that is told to, or that decodes what it sees. */
function findEncoded({ original }: ScannedText): ScanFinding[] {
  const findings: ScanFinding[] = [];
  let looked = 0;
  for (const { start, end } of longRuns(original)) {
    const run = original.slice(start, Math.min(end, start + MAX_BLOB));
    const isHex = HEX.test(run);
    const decoded = isHex ? decodeHex(run) : decodeText(run);
    if (decoded === undefined) continue;
    if (++looked > MAX_BLOBS) break;
    const phrase = findPhrases(decoded).find(({ strength }) => strength !== "weak");
    if (phrase === undefined) continue;
    const message = `${phrase.does}, encoded in ${isHex ? "hexadecimal digits" : "base64"}; read this line before you trust the file`;
    findings.push({ offset: start, rule: "suspicious-instruction", severity: "error", message });
  }
  return findings;
}

/** Runs of `LEAST_BLOB` and more characters of base64. Each holds one of every so many places, so only these are looked at. */
function* longRuns(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = LEAST_BLOB - 1; at < text.length; at += LEAST_BLOB) {
    if (!isBase64(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isBase64(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    if (end - start >= LEAST_BLOB) yield { start, end };
    at = Math.max(at, end - 1);
  }
}

function isBase64(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2f
  );
}

/** Runs of such digits alone are no base64. */
const HEX = /^[0-9a-f]+$/i;

/** The text that pairs of hexadecimal digits stand for; undefined where it is none. */
function decodeHex(digits: string): string | undefined {
  const text = Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), "hex").toString("utf8");
  return isText(text) ? text : undefined;
}

/** The text that base64 stands for; undefined where it is none. */
function decodeText(base64: string): string | undefined {
  // The first bytes tell most hashes and images from text.
  if (!isText(atob(base64.slice(0, 16)))) return undefined;
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  const bytes = Uint8Array.from(atob(whole), (unit) => unit.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  return isText(text) ? text : undefined;
}

function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text.
  return !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text);
}

/** What a place is. `unseen`: readers of the page do not see it; `where` says in words how it is hidden. */
type Place =
  | { readonly kind: "prose" | "quoted" | "source-string" | "source-comment" }
  | { readonly kind: "unseen"; readonly where: string };

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The place of each range of a text to a reader: prose, code or a quotation, or hidden. The ranges ascend by their starts.
 *
 * Worked out only for texts in which something was found, in time in proportion to the text. It knows how Markdown, MDX and HTML hide
 * text, and is a guess beyond that.
 */
function placesOf(text: string, language: string | undefined, ranges: readonly Range[]): Place[] {
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
