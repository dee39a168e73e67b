/**
 * The scan of a file for what should not stand in what agents read: instructions to models, hidden text, secrets.
 *
 * It looks at the whole text of a file, with frontmatter, comments and strings, and at its path. It changes nothing and hides nothing:
 * what it finds becomes diagnostics, and `--fail-on` makes a build fail.
 */
import { SCAN_SOURCE } from "../../src/core/format/build-log.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { withoutMark } from "../../src/core/text/lines.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { compileGlobs } from "../base/globs.ts";
import type { TreelineConfig } from "../config/config.ts";
import { collectGrams, type Grams } from "../parse/grams.ts";
import { type ScanFinding, type ScanKind, type ScannedText, scannedText } from "./scanned-text.ts";
import { secrets } from "./secrets.ts";
import { findPhrases, suspiciousInstructions } from "./suspicious-instructions.ts";

/** A black flag, letters or digits as tags, the end of tags: how flags of regions are written. */
const REGION_FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu;

const TAGS = /[\u{e0001}\u{e0020}-\u{e007f}]+/gu;

const TAG_BASE = 0xe0000;

/** Four selectors in a row mean nothing; each of 256 can stand for a byte. */
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu;

/** Eight are a letter in binary. Shorter runs come from editors. */
const ZERO_WIDTH = /[\u200b-\u200f\u2060-\u2064\ufeff]{8,}/g;

const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;

const POP_EMBEDDING = "\u202c";

const POP_ISOLATE = "\u2069";

const OVERRIDES = "\u202d\u202e";

const ISOLATES = "\u2066\u2067\u2068";

/**
 * Text that nobody sees: tag characters and runs of zero-width characters or variation selectors, which can spell words to a
 * model, and bidi controls, which show source code in another order than it has (Trojan Source, CVE-2021-42574).
 *
 * Single joiners, marks of direction and emoji with their selectors are part of ordinary writing and not reported; neither
 * are the flags that tags spell (Scotland, Wales, England).
 */
const hiddenText: ScanKind = {
  rule: "hidden-text",
  find(scanned) {
    const { original, hasUnseen } = scanned;
    if (!hasUnseen) return [];
    return [...findTags(original), ...findSelectors(original), ...findZeroWidth(original), ...findBidi(scanned)];
  },
};

const MAX_SPELLED = 4_000;

const KINDS: readonly ScanKind[] = [secrets, suspiciousInstructions, hiddenText];
/** Findings of one rule in one file; further ones tell nothing new. */
const MAX_FINDINGS = 20;

/** Findings in a file's text and path, in the order of their places. @param grams Those of the text, where they are known. */
export function scanDocument(
  { path, text }: { readonly path: string; readonly text: string },
  grams?: Grams,
): Diagnostic[] {
  const content = withoutMark(text);
  const ofText = findAll(scannedText(content, codeLanguageOf(path), path, grams));
  const ofPath = findAll(scannedText(path, undefined, path, collectGrams(path)));
  return [
    ...ofPath.map((finding) => toDiagnostic(finding, path, { line: 0 })),
    ...withPlaces(content, ofText).map(([finding, place]) => toDiagnostic(finding, path, place)),
  ];
}

/** The first findings; the last of them says how many are left out. */
function summarize(found: readonly ScanFinding[], most: number): ScanFinding[] {
  const shown = found.slice(0, most);
  const last = shown.at(-1);
  if (last === undefined || found.length <= most) return shown;
  return [...shown.slice(0, -1), { ...last, message: `${last.message}; ${found.length - most} more in this file` }];
}

function findAll(scanned: ScannedText): ScanFinding[] {
  return KINDS.flatMap(({ find }) => {
    const found = [...find(scanned)].sort((a, b) => a.offset - b.offset);
    // One note says what twenty do: they are examples and tests for the most part.
    const notes = found.filter(({ severity, rule }) => severity === "info" && rule === "secret");
    const others = found.filter((finding) => !notes.includes(finding)).sort((a, b) => rankOf(a) - rankOf(b));
    return [...summarize(others, MAX_FINDINGS), ...summarize(notes, 1)];
  }).sort((a, b) => a.offset - b.offset);
}

function rankOf({ severity }: ScanFinding): number {
  return severity === "error" ? 0 : severity === "warning" ? 1 : 2;
}

interface Place {
  readonly line: number;
  readonly column?: number;
}

/** Findings, which ascend, with their lines and columns. */
function withPlaces(text: string, findings: readonly ScanFinding[]): [ScanFinding, Place][] {
  let line = 1;
  let start = 0;
  return findings.map((finding) => {
    for (let end = text.indexOf("\n", start); end >= 0 && end < finding.offset; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    return [finding, { line, column: finding.offset - start + 1 }];
  });
}

function toDiagnostic({ severity, rule, message }: ScanFinding, path: string, place: Place): Diagnostic {
  return {
    severity,
    code: rule,
    message: place.line === 0 ? `in its path: ${message}` : message,
    path,
    ...place,
    tool: SCAN_SOURCE,
  };
}

function findTags(text: string): ScanFinding[] {
  const withoutFlags = text.replace(REGION_FLAG, (flag) => " ".repeat(flag.length));
  return [...withoutFlags.matchAll(TAGS)].map(({ 0: run, index }) => {
    const spelled = [...run].map((tag) => String.fromCharCode((tag.codePointAt(0) as number) - TAG_BASE)).join("");
    return toFinding(index, `${[...run].length} tag characters, which nobody sees`, spelled);
  });
}

function findSelectors(text: string): ScanFinding[] {
  return [...text.matchAll(SELECTORS)].map(({ 0: run, index }) => {
    const bytes = [...run].map((selector) => {
      const code = selector.codePointAt(0) as number;
      return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
    });
    const what = `${bytes.length} variation selectors in a row, which nobody sees`;
    return toFinding(index, what, String.fromCharCode(...bytes.slice(0, MAX_SPELLED)));
  });
}

function findZeroWidth(text: string): ScanFinding[] {
  return [...text.matchAll(ZERO_WIDTH)].map(({ 0: run, index }) => {
    const [zero = "", one = ""] = [...new Set(run)].filter((char) => char !== "\ufeff").sort();
    const bits = [...run.slice(0, MAX_SPELLED * 8)].filter((char) => char === zero || char === one);
    const read = (ofOne: string): string => {
      const binary = bits.map((char) => (char === ofOne ? "1" : "0")).join("");
      return (binary.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
    };
    const spelled = [read(one), read(zero)].find(isReadable) ?? "";
    return toFinding(index, `${run.length} zero-width characters in a row, which nobody sees`, spelled);
  });
}

/** What a run spells is not repeated: who reads findings is who it was written for. */
function toFinding(offset: number, what: string, spelled: string): ScanFinding {
  if (findPhrases(spelled).some(({ strength }) => strength !== "weak")) {
    const message = `${what}; they spell instructions to a model. Take them out`;
    return { offset, rule: "suspicious-instruction", severity: "error", message };
  }
  const spells = isReadable(spelled) ? "; they spell words" : "";
  return { offset, rule: "hidden-text", severity: "warning", message: `${what}${spells}. Take them out` };
}

function isReadable(text: string): boolean {
  return text.length >= 2 && /^[\t\n\r\u0020-\u007e\u00a0-\u00ff]+$/.test(text) && /[a-z]{2}/i.test(text);
}

/**
 * In source code all overrides, and what is still open where a line ends. In pages overrides alone: embeddings and isolates
 * are how right-to-left text is written.
 */
function findBidi({ original, language }: ScannedText): ScanFinding[] {
  const findings: ScanFinding[] = [];
  let line: RegExpExecArray[] = [];
  const endLine = (): void => {
    const [first] = line;
    if (first !== undefined) {
      const chars = line.map(([char]) => char);
      const override = line.find(([char]) => OVERRIDES.includes(char));
      const at = (override ?? first).index;
      if (language !== undefined && isLeftOpen(chars)) {
        findings.push(
          bidi(at, "error", "a bidi control that is not closed on its line: the code is shown in another order"),
        );
      } else if (override !== undefined) {
        findings.push(bidi(at, "warning", "a bidi override: text is shown in another order than it has"));
      } else if (language !== undefined) {
        findings.push(bidi(at, "info", "bidi controls in source code"));
      }
    }
    line = [];
  };
  for (const match of original.matchAll(BIDI)) {
    const last = line.at(-1);
    if (last !== undefined && original.slice(last.index, match.index).includes("\n")) endLine();
    line.push(match);
  }
  endLine();
  return findings;
}

function bidi(offset: number, severity: ScanFinding["severity"], message: string): ScanFinding {
  return { offset, rule: "hidden-text", severity, message };
}

/** Whether an embedding, override or isolate has no end among the controls of a line. */
function isLeftOpen(controls: readonly string[]): boolean {
  let isolates = 0;
  let embeddings = 0;
  for (const control of controls) {
    if (control === POP_ISOLATE) isolates = Math.max(0, isolates - 1);
    else if (control === POP_EMBEDDING) embeddings = Math.max(0, embeddings - 1);
    else if (ISOLATES.includes(control)) isolates++;
    else embeddings++;
  }
  return isolates + embeddings > 0;
}

/**
 * Whether a finding is to be reported: the configuration allows test keys, and pages that quote attacks.
 *
 * Only the configuration can allow them: a mark inside a file could be set by its author, whom the scan is about. The parse cache holds
 * all findings, so allowing one parses nothing anew.
 */
export function findingFilter({ ignore }: TreelineConfig["scan"]): (finding: Diagnostic) => boolean {
  const rules = ignore.map(({ rule, path }) => ({ rule, matches: compileGlobs([path], []).selects }));
  return ({ tool, code, path }) =>
    tool !== SCAN_SOURCE || !rules.some(({ rule, matches }) => (rule === "" || rule === code) && matches(path));
}
