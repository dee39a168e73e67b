/**
 * The files that hold a map of an index: `llms.txt` beside the index, and a section of a file that agents read first.
 *
 * A section stands between two marks, and nothing outside of them is touched. Writing a map again changes no byte.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { InputError } from "../src/core/errors.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { readProjectMap } from "../src/core/map/project-map.ts";
import { formatProjectMap } from "../src/render/project-map.ts";
import { openDiskIndex } from "./disk-source.ts";

/** The map beside an index. It names what everybody may see, for it lies where everybody can read it. */
export const MAP_FILE = "llms.txt";
const BEGIN = "<!-- treeline:begin -->";
const END = "<!-- treeline:end -->";

/**
 * Write the maps of an index that was just built.
 *
 * @param agentsFile File whose section is written too, or is begun at its end; it may not exist yet.
 * @throws {InputError} when that file holds one mark without the other.
 */
export async function writeMaps(indexDir: string, agentsFile: string | undefined): Promise<void> {
  const all = await openDiskIndex(indexDir);
  const path = join(indexDir, MAP_FILE);
  const open = new IndexReader(all.index);
  if (open.collections.some(({ documents }) => documents > 0)) await replace(path, await mapOf(open));
  else await rm(path, { force: true });
  if (agentsFile === undefined) return;
  const before = await readText(agentsFile);
  const after = putSection(before ?? "", await mapOf(all), basename(agentsFile));
  if (after !== before) await replace(agentsFile, after);
}

/** The text of a file, or undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** What stands between the marks of a text; undefined where there are none. @throws {InputError} for half a section. */
export function findSection(text: string, file: string): string | undefined {
  const place = placeOf(text, file);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

/** A text with its section replaced, or with one at its end. Line ends stay as the text has them. */
export function putSection(text: string, map: string, file: string): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const section = `${BEGIN}\n${map}${END}`.replaceAll("\n", lineEnd);
  const place = placeOf(text, file);
  if (place !== undefined) return text.slice(0, place.start) + section + text.slice(place.end);
  if (text === "") return `${section}${lineEnd}`;
  return `${text.replace(/\s*$/, "")}${lineEnd}${lineEnd}${section}${lineEnd}`;
}

function placeOf(text: string, file: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END, start < 0 ? 0 : start);
  if (start < 0 && end < 0) return undefined;
  if (start >= 0 && end >= 0 && text.indexOf(BEGIN, start + 1) < 0) return { start, end: end + END.length };
  throw new InputError(`${file} must hold ${BEGIN} and ${END} once each, one behind the other, or neither`);
}

async function mapOf(reader: IndexReader): Promise<string> {
  return formatProjectMap(await readProjectMap(reader));
}

/** A reader of the file sees it as it was or as it is, never half of it. */
async function replace(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  await writeFile(partial, text);
  await rename(partial, path);
}
