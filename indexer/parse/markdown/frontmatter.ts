/**
 * Frontmatter: the YAML block between two fences at the very start of a file.
 *
 * The opening fence is `---` on the first line, the closing one `---` or `...`. Without a
 * closing fence the first line is a thematic break and there is no frontmatter. The result is
 * plain data: dates stay text, a number that JSON has no name for becomes null, and hostile
 * YAML (alias bombs, endless nesting, huge blocks) is reported instead of being built.
 */
import { LineCounter, parseDocument } from "yaml";
import { toWellFormed } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";

/** YAML takes far more time and memory than its bytes; real frontmatter has a few hundred. */
const MAX_FRONTMATTER_CHARS = 64 * 1024;

/** How often an alias may repeat what it stands for; bounds the size of the result. */
const MAX_ALIASES = 100;

/** Deeper values would overflow the stack of whoever walks or serialises them. */
const MAX_DEPTH = 64;

const OPENING_FENCE = /^---[ \t]*(?:\n|$)/;
const CLOSING_FENCE = /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/g;

/** What stood before the body. */
export interface Frontmatter {
  readonly values: Readonly<Record<string, unknown>>;
  /** 1-based line where the body begins; 1 without frontmatter. */
  readonly bodyStartLine: number;
  /** Offset in the source where the body begins; 0 without frontmatter. */
  readonly bodyOffset: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The frontmatter of a normalised source. Whatever is wrong with it is a diagnostic, never an error. */
export function parseFrontmatter(source: string, path: string): Frontmatter {
  const opening = OPENING_FENCE.exec(source);
  if (opening === null) return { values: {}, bodyStartLine: 1, bodyOffset: 0, diagnostics: [] };
  // The newline of the opening fence may already be the one before the closing fence.
  CLOSING_FENCE.lastIndex = Math.max(0, opening[0].length - 1);
  const closing = CLOSING_FENCE.exec(source);
  if (closing === null) return { values: {}, bodyStartLine: 1, bodyOffset: 0, diagnostics: [] };

  const yaml = source.slice(opening[0].length, Math.max(closing.index + 1, opening[0].length));
  const bodyOffset = Math.min(source.length, closing.index + closing[0].length + 1);
  const bodyStartLine = 3 + countNewlines(yaml);
  const result = parseYaml(yaml, path);
  return { ...result, bodyStartLine, bodyOffset };
}

function parseYaml(yaml: string, path: string): Pick<Frontmatter, "values" | "diagnostics"> {
  if (yaml.length > MAX_FRONTMATTER_CHARS) {
    const message = `frontmatter has ${yaml.length} characters, the limit is ${MAX_FRONTMATTER_CHARS}; it is ignored`;
    return { values: {}, diagnostics: [{ severity: "error", code: "invalid-yaml", message, path, line: 1 }] };
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: "silent" });
    const error = document.errors[0];
    if (error !== undefined) {
      const line = Math.max(1, lines.linePos(error.pos[0]).line) + 1;
      return { values: {}, diagnostics: [describeInvalid(error.message, path, line)] };
    }
    const value = toPlainData(document.toJS({ maxAliasCount: MAX_ALIASES }), 0);
    if (isRecord(value)) return { values: value, diagnostics: [] };
    if (value === null) return { values: {}, diagnostics: [] };
    const message = "frontmatter is not a mapping of names to values; it is ignored";
    return {
      values: {},
      diagnostics: [{ severity: "warning", code: "frontmatter-not-a-mapping", message, path, line: 1 }],
    };
  } catch (error) {
    // Thrown for too many aliases and for nesting that overflows the YAML parser's stack.
    const reason = error instanceof Error ? error.message : String(error);
    return { values: {}, diagnostics: [describeInvalid(reason, path, 1)] };
  }
}

function describeInvalid(reason: string, path: string, line: number): Diagnostic {
  const firstLine = reason.split("\n", 1)[0] ?? reason;
  const message = `frontmatter is not valid YAML and is ignored: ${firstLine}`;
  return { severity: "error", code: "invalid-yaml", message, path, line };
}

/** A copy of the value that JSON can hold. @throws {RangeError} when it is nested too deeply. */
function toPlainData(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError(`values are nested more than ${MAX_DEPTH} levels deep`);
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  // An escape can write half a character ("\uD800"): as keys of the index all of these would be one.
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => toPlainData(entry, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, entry]) => [toWellFormed(key), toPlainData(entry, depth + 1)] as const,
    );
    // Unlike assignment, this makes `__proto__` an ordinary key.
    return Object.fromEntries(entries);
  }
  return String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
