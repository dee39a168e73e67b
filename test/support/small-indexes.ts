/** Indexes of a few pages for tests of publishing, in memory. */
import { createHash } from "node:crypto";
import type { LocalIndex } from "../../indexer/publish/local-index.ts";
import { decodeManifest } from "../../src/core/format/manifest.ts";
import { decodePointer } from "../../src/core/format/pointer.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { buildPages } from "./build-index.ts";

/** An index of one page that says which it is, beside pages that all such indexes have. */
export async function buildSmallIndex(number: number): Promise<LocalIndex> {
  const { files } = await buildPages({ "page.md": `# Page\n\nThis is generation number${number} of the quokka.\n` });
  return localIndexOf(files);
}

/** An index in memory as one that can be published. */
export function localIndexOf(files: ReadonlyMap<string, Uint8Array>): LocalIndex {
  const bytesOf = (name: string): Uint8Array<ArrayBuffer> => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`there is no ${name}`);
    return Uint8Array.from(bytes);
  };
  const pointer = decodePointer(bytesOf(POINTER_FILE));
  const manifest = bytesOf(pointer.manifest);
  return {
    pointer,
    commit: "none",
    builtAt: "",
    closedGroups: [],
    files: [...decodeManifest(manifest).files, { name: pointer.manifest, bytes: manifest.length }],
    read: async (name) => bytesOf(name),
    md5: async (name) => createHash("md5").update(bytesOf(name)).digest("hex"),
  };
}
