/**
 * Keys of concepts: one for all ways of writing the same thing, so that `Server Components`, `server component` and
 * `server-component` are one concept. Build and query share it. Pure.
 */
import type { ConceptType } from "../format/concept-entry.ts";
import type { Analyzer } from "../text/analyze.ts";
import { foldSpelling } from "../text/normalize.ts";

const PLAIN_WORD = /^[\p{L}\p{N}\p{M}]+$/u;
const APOSTROPHES = /['’]/g;
const BETWEEN_WORDS = /[\s\-‐‑]+/;

/** The key of a concept as somebody writes it; `""` for a text without letters and digits. */
export function conceptKey(text: string, analyzer: Analyzer): string {
  const bare = bareCode(text);
  const words = bare.replace(APOSTROPHES, "").split(BETWEEN_WORDS).filter(Boolean);
  if (!words.every((word) => PLAIN_WORD.test(word))) return /[\p{L}\p{N}]/u.test(bare) ? foldSpelling(bare) : "";
  return words.flatMap((word) => analyzer.analyzeWord(word).term || []).join(" ");
}

/** Id of a concept: its name in lower case with hyphens; that of an acronym without the expansion. */
export function conceptIdOf({ name, type }: { readonly name: string; readonly type: ConceptType }): string {
  const own = type === "acronym" ? withoutExpansion(name) : name;
  return foldSpelling(own).replace(/\s+/g, "-");
}

/** The acronym of a name like `CSR (Client side Rendering)`; any other name as it is. */
export function withoutExpansion(name: string): string {
  return name.replace(/ \(.*\)$/, "");
}

/** A name without what code writes around it: `fetch()`, `<Link>` and `<Link />` are names like any other. */
export function bareCode(text: string): string {
  const trimmed = text.trim();
  const element = /^<\/?([^<>\s/]+)\s*\/?>$/.exec(trimmed)?.[1];
  return element ?? trimmed.replace(/\(\)$/, "");
}
