/** Whether a store serves what its pointer names, whole: the current generation and all that are kept. */
import { createHash } from "node:crypto";
import { decodeManifest, decodePointer } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import type { HeldObject } from "./fake-store.ts";

const hashes = new WeakMap<Uint8Array, string>();

/** Ids of the generations that a store serves, the current one first; none where nothing is published. @throws {Error} where one is not whole. */
export function servedGenerations(objects: ReadonlyMap<string, HeldObject>): readonly string[] {
  const held = objects.get(POINTER_FILE);
  if (held === undefined) return [];
  const pointer = decodePointer(held.bytes);
  const generations = [pointer, ...pointer.previous];
  for (const { manifest, root } of generations) {
    const { files } = decodeManifest(expectNamed(objects, manifest));
    for (const { name, bytes } of files) {
      if (expectNamed(objects, name).length !== bytes) throw new Error(`${name} has another size`);
    }
    if (!files.some(({ name }) => name === root)) throw new Error(`the manifest does not list ${root}`);
  }
  return generations.map(({ generation }) => generation);
}

function expectNamed(objects: ReadonlyMap<string, HeldObject>, name: string): Uint8Array {
  const held = objects.get(name);
  if (held === undefined) throw new Error(`${name} is missing`);
  const hash = hashes.get(held.bytes) ?? createHash("sha256").update(held.bytes).digest("hex");
  hashes.set(held.bytes, hash);
  if (!hash.startsWith(name.split(".")[0] ?? "none")) throw new Error(`${name} holds something else`);
  return held.bytes;
}
