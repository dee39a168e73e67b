/**
 * The section of a file that holds a map of an index: between two marks, and nothing outside of them is touched.
 */
import { InputError } from "../../src/core/errors.ts";

/** The mark that a section begins with. */
export const SECTION_BEGIN = "<!-- treeline:begin -->";
const END = "<!-- treeline:end -->";

/** What stands between the marks of a text; undefined where there are none. @throws {InputError} for half a section. */
export function findSection(text: string, file: string): string | undefined {
  const place = placeOf(text, file);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

/** A text with its section replaced, or with one at its end. Line ends stay as the text has them. */
export function putSection(text: string, map: string, file: string): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const section = `${SECTION_BEGIN}\n${map}${END}`.replaceAll("\n", lineEnd);
  const place = placeOf(text, file);
  if (place !== undefined) return text.slice(0, place.start) + section + text.slice(place.end);
  if (text === "") return `${section}${lineEnd}`;
  return `${text.replace(/\s*$/, "")}${lineEnd}${lineEnd}${section}${lineEnd}`;
}

function placeOf(text: string, file: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(SECTION_BEGIN);
  const end = text.indexOf(END, start < 0 ? 0 : start);
  if (start < 0 && end < 0) return undefined;
  if (start >= 0 && end >= 0 && text.indexOf(SECTION_BEGIN, start + 1) < 0) return { start, end: end + END.length };
  throw new InputError(`${file} must hold ${SECTION_BEGIN} and ${END} once each, one behind the other, or neither`);
}

/**
 * A text without what stands in its section, line for line: a map is made of the index, and would change it each time.
 * Half a section is text as any other, and so are marks that a line names.
 */
export function withoutSection(text: string): string {
  const start = text.indexOf(SECTION_BEGIN);
  const end = start < 0 ? -1 : text.indexOf(END, start);
  if (end < 0 || !text.slice(start, end).includes("\n")) return text;
  const behind = end + END.length;
  // One at the end leaves the text as it was before.
  if (text.slice(behind).trim() === "") return text.slice(0, start).replace(/\s*$/, "\n");
  return text.slice(0, start) + text.slice(start, behind).replace(/[^\r\n]+/g, "") + text.slice(behind);
}
