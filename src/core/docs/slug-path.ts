/** Slug paths: what tells the sections of a document apart in their ids. Pure. */
import { codeLanguageOf } from "../text/code-languages.ts";

/**
 * Slug path of a section from the slugs of those above it and its own: `linux/apt`. In a source file the slug of a
 * symbol is its whole path, `Store.open`.
 */
export function joinSlugs(path: string, slugs: readonly string[]): string {
  return codeLanguageOf(path) === undefined ? slugs.join("/") : (slugs.at(-1) ?? "");
}
