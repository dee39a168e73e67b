/** Whether an output folder holds what its pointer names, whole, and nothing else that a build wrote. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAP_FILE } from "../../indexer/cli/map-files.ts";
import { decodeManifest, decodePointer } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";

/** What stands in an output folder. */
export interface OutputState {
  readonly generation: string;
  /** Files that the pointer needs, itself among them. */
  readonly needed: readonly string[];
  /** Files beside those. */
  readonly others: readonly string[];
}

/** The state of a folder. @throws {Error} when the pointer names a file that is missing, cut or another one. */
export async function checkOutput(dir: string): Promise<OutputState> {
  const pointer = decodePointer(await readFile(join(dir, POINTER_FILE)));
  const manifest = decodeManifest(await expectNamed(dir, pointer.manifest));
  for (const { name, bytes } of manifest.files) {
    const content = await expectNamed(dir, name);
    if (content.length !== bytes) throw new Error(`${name} has ${content.length} bytes, the manifest says ${bytes}`);
  }
  const listed = manifest.files.map(({ name }) => name);
  for (const name of [pointer.root, pointer.log]) {
    if (!listed.includes(name)) throw new Error(`the manifest does not list ${name}`);
  }
  // The map beside an index is a file of its own: no reader of the index needs it.
  const needed = [...listed, pointer.manifest, POINTER_FILE].sort();
  const others = (await readdir(dir)).filter((name) => name !== MAP_FILE && !needed.includes(name)).sort();
  return { generation: pointer.generation, needed, others };
}

/** The bytes of a hashed file. @throws {Error} when they do not give its name. */
async function expectNamed(dir: string, name: string): Promise<Uint8Array> {
  const bytes = await readFile(join(dir, name));
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (!hash.startsWith(name.split(".")[0] ?? "none")) throw new Error(`${name} holds something else`);
  return bytes;
}
