/**
 * The scan of a file for what should not stand in what agents read: instructions to models, hidden text, secrets.
 *
 * It looks at the whole text of a file, with frontmatter, comments and strings, and at its path. It changes nothing and
 * hides nothing: what it finds becomes diagnostics, and `--fail-on` makes a build fail. Pure.
 */
import { SCAN_SOURCE } from "../../src/core/format/build-log.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { withoutMark } from "../../src/core/text/lines.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { hiddenText } from "./hidden-text.ts";
import { type ScanFinding, type ScanKind, type ScannedText, scannedText } from "./scanned-text.ts";
import { secrets } from "./secrets.ts";
import { suspiciousInstructions } from "./suspicious-instructions.ts";

const KINDS: readonly ScanKind[] = [secrets, suspiciousInstructions, hiddenText];
/** Findings of one rule in one file; further ones tell nothing new. */
const MAX_FINDINGS = 20;

/** Findings in a file's text and path, in the order of their places. */
export function scanDocument({ path, text }: { readonly path: string; readonly text: string }): Diagnostic[] {
  const content = withoutMark(text);
  const ofText = findAll(scannedText(content, codeLanguageOf(path), path));
  const ofPath = findAll(scannedText(path, undefined, path));
  return [
    ...ofPath.map((finding) => toDiagnostic(finding, path, { line: 0 })),
    ...withPlaces(content, ofText).map(([finding, place]) => toDiagnostic(finding, path, place)),
  ];
}

function findAll(scanned: ScannedText): ScanFinding[] {
  return KINDS.flatMap(({ find }) => {
    const found = [...find(scanned)].sort((a, b) => a.offset - b.offset);
    const left = found.length - MAX_FINDINGS;
    if (left <= 0) return found;
    // The worst of them stay; of equals the first.
    const worst = [...found].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_FINDINGS);
    const last = worst.at(-1) as ScanFinding;
    return [...worst.slice(0, -1), { ...last, message: `${last.message}; ${left} more in this file` }];
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
