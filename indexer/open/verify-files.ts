/**
 * Whether all files of an index are there and are what their names say: those of the generation that its pointer names.
 */
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { decodeManifest, decodePointer } from "../../src/core/format/generation.ts";
import { openSource, readWhole } from "../base/index-source.ts";
import { nameFile } from "../index/pack-writer.ts";

const KINDS = ["pack", "root", "manifest", "log"] as const;

/**
 * What is wrong with the files at a place, a line each: none where all are whole, undefined where no index is. Reads all
 * of them.
 *
 * @throws {FormatError} where pointer or manifest cannot be read.
 */
export async function verifyFiles(place: string): Promise<string[] | undefined> {
  const source = openSource(place);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") return undefined;
  const { manifest } = decodePointer(pointer.bytes);
  const problems: string[] = [];
  const check = async (name: string, read: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
    try {
      const bytes = await read();
      if (nameFile(bytes, kindOf(name)) === name) return bytes;
      problems.push(`${name} does not hold what its name says`);
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof StaleGenerationError)) throw error;
      problems.push(error instanceof StaleGenerationError ? `${name} is missing` : error.message);
    }
    return undefined;
  };
  const listed = await check(manifest, () => readWhole(source, manifest));
  if (listed === undefined) return problems;
  for (const { name, bytes } of decodeManifest(listed).files) {
    await check(name, () => source.readRange(name, 0, bytes));
  }
  return problems;
}

function kindOf(name: string): (typeof KINDS)[number] {
  const kind = KINDS.find((one) => name.endsWith(`.${one}`));
  if (kind === undefined) throw new FormatError("manifest", { code: "malformed", reason: `${name} is no index file` });
  return kind;
}
