/**
 * Bounds on what one page brings into the tables, so that no value outgrows what readers take (index-format v1,
 * section 11) and no page slows down the others. Nothing of the text is lost: sections beyond the bound become part
 * of the last one, links beyond it are not resolved. Pages that people write never come near.
 *
 * Pure.
 */
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { lastSlug, type ParsedDocument, type ParsedLink, type ParsedSection } from "../parse/parsed-document.ts";

/** Bytes that a page's rows of the `sections` table may take: half of what a reader inflates. */
const MAX_SECTIONS_BYTES = 8 * 1024 * 1024;
/** Numbers, brackets and commas of a row. */
const ROW_BYTES = 100;
/** Most bytes of JSON that a character of a text takes: an escaped control character. */
const MAX_CHARACTER_BYTES = 6;
/** Links of a page that are resolved and kept. */
const MAX_LINKS = 10_000;
/** A longer destination is no address. */
const MAX_HREF_CHARACTERS = 2_000;

/** A page within the bounds: itself, nearly always. */
export function boundDocument(parsed: ParsedDocument, path: string): ParsedDocument {
  return boundLinks(boundSections(parsed, path), path);
}

function boundSections(parsed: ParsedDocument, path: string): ParsedDocument {
  const kept = countFitting(parsed.sections);
  const { sections } = parsed;
  if (kept === sections.length) return parsed;
  const last = sections[kept - 1] as ParsedSection;
  const rest = sections.slice(kept);
  const folded: ParsedSection = {
    ...last,
    endLine: rest.at(-1)?.endLine ?? last.endLine,
    blocks: [
      ...last.blocks,
      ...rest.flatMap((section) => [
        { kind: "prose" as const, text: section.title, line: section.startLine },
        ...section.blocks,
      ]),
    ],
    codeLanguages: [...new Set([last, ...rest].flatMap((section) => section.codeLanguages))],
    links: [last, ...rest].flatMap((section) => section.links),
    wordCount: [last, ...rest].reduce((sum, section) => sum + section.wordCount, 0),
  };
  const message = `the page has ${sections.length} sections; those behind number ${kept} are taken as text of that one`;
  return {
    ...parsed,
    sections: [...sections.slice(0, kept - 1), folded],
    diagnostics: [...parsed.diagnostics, warn("too-many-sections", message, path, rest[0]?.startLine ?? 0)],
  };
}

/** How many sections from the first on fit into the bound, one at least. */
function countFitting(sections: readonly ParsedSection[]): number {
  const most = sections.reduce((sum, section) => sum + ROW_BYTES + MAX_CHARACTER_BYTES * countCharacters(section), 0);
  if (most <= MAX_SECTIONS_BYTES) return sections.length;
  let bytes = 0;
  for (const [at, section] of sections.entries()) {
    const { title, anchor, summary, codeLanguages } = section;
    bytes += ROW_BYTES + encodeUtf8(JSON.stringify([title, lastSlug(section), anchor, summary, codeLanguages])).length;
    if (bytes > MAX_SECTIONS_BYTES) return Math.max(1, at);
  }
  return sections.length;
}

function countCharacters(section: ParsedSection): number {
  const { title, anchor, summary, codeLanguages } = section;
  const languages = codeLanguages.reduce((sum, language) => sum + language.length + 3, 0);
  return title.length + lastSlug(section).length + anchor.length + summary.length + languages;
}

function boundLinks(parsed: ParsedDocument, path: string): ParsedDocument {
  const isAddress = ({ href }: ParsedLink): boolean => href.length <= MAX_HREF_CHARACTERS;
  const count = parsed.sections.reduce((sum, { links }) => sum + links.length, 0);
  if (count <= MAX_LINKS && parsed.sections.every(({ links }) => links.every(isAddress))) return parsed;
  let left = MAX_LINKS;
  const sections = parsed.sections.map((section) => {
    const links = section.links.filter(isAddress).slice(0, left);
    left -= links.length;
    return { ...section, links };
  });
  const message = `the page has ${count} links; ${MAX_LINKS - left} of them are kept`;
  return { ...parsed, sections, diagnostics: [...parsed.diagnostics, warn("too-many-links", message, path, 0)] };
}

function warn(code: string, message: string, path: string, line: number): Diagnostic {
  return { severity: "warning", code, message, path, line };
}
