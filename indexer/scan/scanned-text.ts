/**
 * A text as the kinds of the scan look at it: without its invisible characters, with the way back to the places in the file.
 *
 * Words that are broken up by characters which nobody sees are still words to a model, so patterns are matched on
 * the text without them. Most texts hold none, and are looked at as they are.
 */
import { type Need, wantedOf } from "../../src/core/search/grep-needs.ts";
import { parsePattern } from "../../src/core/search/grep-syntax.ts";
import type { Grams } from "../parse/grams.ts";

export type ScannedText = ReturnType<typeof scannedText>;

export interface ScanFinding {
  /** Offset in the file's text. */
  readonly offset: number;
  readonly rule: ScanRule;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** Rules of the scan: codes of its diagnostics. */
export const SCAN_RULES = ["secret", "suspicious-instruction", "hidden-text"] as const;
type ScanRule = (typeof SCAN_RULES)[number];

/**
 * A kind of thing to look for. Another one is a file beside this that exports a `ScanKind`, its line in the list of
 * `scan-document.ts`, and its rule in `SCAN_RULES`.
 */
export interface ScanKind {
  readonly rule: ScanRule;
  /** What is found in a text, in any order. Takes time in proportion to the text, and hardly any where nothing is found. */
  readonly find: (scanned: ScannedText) => readonly ScanFinding[];
}

/** What breaks up words unseen: soft hyphens, joiners, zero-width and bidi controls, variation selectors, tags. */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for on its own.
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}]+/gu;

/** Finds out what a text must hold for an expression to match in it; it knows the syntax of `grep`. */
export function needOf(expression: string): Need {
  return wantedOf(parsePattern(expression));
}

/** A text made ready to be looked at. @param grams Those of the text; undefined where nobody collected them. */
export function scannedText(original: string, language: string | undefined, path: string, grams?: Grams) {
  /** Where unseen runs stood: their offset in `text`, and how many units are missing up to and with each. */
  const gaps: { readonly at: number; readonly missing: number }[] = [];
  let text = original;
  if (original.search(UNSEEN) >= 0) {
    let missing = 0;
    text = original.replace(UNSEEN, (run, at: number) => {
      gaps.push({ at: at - missing, missing: missing + run.length });
      missing += run.length;
      return "";
    });
  }
  /** Number of gaps before an offset, those at it included. */
  const gapsUpTo = (offset: number): number => gaps.findLastIndex(({ at }) => at <= offset) + 1;
  return {
    /** The text as it is. */
    original,
    /** The text without invisible characters, and whether it is another one. */
    text,
    hasUnseen: gaps.length > 0,
    /** Grams of the original. */
    grams,
    /** Language of a source file; undefined for pages. */
    language,
    /** Path of the file in its collection. */
    path,
    /** Offset in `original` of an offset in `text`. */
    placeOf: (offset: number): number => offset + (gaps[gapsUpTo(offset) - 1]?.missing ?? 0),
    /** Whether characters that nobody sees stand inside a range of `text`. */
    isBroken: (start: number, end: number): boolean => gapsUpTo(end - 1) > gapsUpTo(start),
  };
}
