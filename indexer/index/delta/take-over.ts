/**
 * Files of a base that the new generation keeps: copied into its folder where they are not there yet.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { FormatError } from "../../../src/core/errors.ts";
import type { ManifestFile } from "../../../src/core/format/manifest.ts";
import { fileOfPack } from "../../../src/core/format/pack.ts";
import { type FileSink, nameFile } from "../pack-writer.ts";
import type { BaseIndex } from "./open-base.ts";

/**
 * Make sure that the output folder holds a base's packs. The result are these files.
 *
 * @throws {FormatError} when the base does not list one, or holds it damaged.
 * @throws {StaleGenerationError} when one is gone.
 */
export async function takeOverPacks(base: BaseIndex, outDir: string, sink: FileSink): Promise<ManifestFile[]> {
  const names = new Set(base.root.packs.map(fileOfPack));
  const files = base.files.filter(({ name }) => names.has(name));
  if (files.length < names.size)
    throw new FormatError("manifest", { code: "malformed", reason: "lists not all packs" });
  for (const file of files) {
    const target = join(outDir, file.name);
    if ((await sizeOf(target)) === file.bytes) continue;
    const bytes = await base.source.readRange(file.name, 0, file.bytes);
    if (nameFile(bytes, "pack") !== file.name) {
      throw new FormatError(file.name, { code: "malformed", reason: "its content is not that of its name" });
    }
    await sink(file.name, bytes);
  }
  return files;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}
