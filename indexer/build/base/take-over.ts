/**
 * Files of a base that the new generation keeps: copied into its folder where they are not there yet.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import type { ManifestFile } from "../../../src/core/format/manifest.ts";
import { fileOfPack } from "../../../src/core/format/pack.ts";
import { type FileSink, nameFile } from "../pack-writer.ts";
import type { BaseIndex } from "./open-base.ts";

/** Make sure that the output folder holds a base's packs. @throws {InputError} when the base lacks one or holds it damaged. */
export async function takeOverPacks(
  base: BaseIndex,
  place: string,
  outDir: string,
  sink: FileSink,
): Promise<ManifestFile[]> {
  const names = new Set(base.root.packs.map(fileOfPack));
  const files = base.files.filter(({ name }) => names.has(name));
  if (files.length < names.size)
    throw new InputError(`the base ${JSON.stringify(place)} does not list all of its packs`);
  for (const file of files) {
    const target = join(outDir, file.name);
    if ((await sizeOf(target)) === file.bytes) continue;
    const bytes = await base.source.readRange(file.name, 0, file.bytes);
    if (nameFile(bytes, "pack") !== file.name) {
      throw new InputError(`${file.name} of the base ${JSON.stringify(place)} is damaged`);
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
