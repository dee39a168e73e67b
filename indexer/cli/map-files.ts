/**
 * The files that hold a map of an index: `llms.txt` beside the index, and a section of a file that agents read first.
 * Writing a map again changes no byte.
 */
import { readFile, realpath, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import { readProjectMap } from "../../src/core/docs/project-map.ts";
import { InputError } from "../../src/core/errors.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { formatProjectMap } from "../../src/surface/render/project-map.ts";
import { failWith, orAbsent } from "../base/file-system.ts";
import { openDiskIndex } from "../base/index-source.ts";
import { replaceFile } from "../index/output-folder.ts";
import { putSection } from "../sources/read-file.ts";

/** The map beside an index. It names what everybody may see, for it lies where everybody can read it. */
export const MAP_FILE = "llms.txt";

/**
 * Write the maps of an index that was just built.
 *
 * @param agentsFile File whose section is written too, or is begun at its end; it may not exist yet.
 * @throws {InputError} when that file holds one mark without the other, or cannot be read or written.
 */
export async function writeMaps(indexDir: string, agentsFile: string | undefined): Promise<void> {
  const all = await openDiskIndex(indexDir);
  const path = join(indexDir, MAP_FILE);
  const open = new IndexReader(all.index);
  if (open.collections.some(({ documents }) => documents > 0)) await replaceFile(path, encodeUtf8(await mapOf(open)));
  else await rm(path, { force: true });
  if (agentsFile === undefined) return;
  const file = await findFile(agentsFile);
  const before = await readText(file);
  const after = putSection(before ?? "", await mapOf(all), basename(agentsFile));
  if (after !== before) await replaceFile(file, encodeUtf8(after)).catch(failWith(`${file} cannot be written`));
}

/** The text of a file, or undefined where there is none. */
export function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8")
    .catch(orAbsent)
    .catch(failWith(`${path} cannot be read`));
}

async function mapOf(reader: IndexReader): Promise<string> {
  return formatProjectMap(await readProjectMap(reader));
}

/**
 * The file that a caller named: behind a link, the one that it leads to.
 *
 * @throws {InputError} for a device or the like: what is written would take its place for good.
 */
async function findFile(path: string): Promise<string> {
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  if (known === undefined || known.isFile() || known.isDirectory()) return target;
  throw new InputError(`${path} cannot be written: it is no file`);
}
