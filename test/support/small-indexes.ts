/** Indexes of a few pages for tests of publishing, in memory. */
import { createHash } from "node:crypto";
import { deflateRaw, inflateRaw } from "../../indexer/base/codec.ts";
import { nameFile } from "../../indexer/index/write-table.ts";
import type { LocalIndex } from "../../indexer/publish/publish.ts";
import { concatBytes } from "../../src/core/bytes/writer.ts";
import {
  decodeManifest,
  decodePointer,
  encodeManifest,
  encodePointer,
  generationOf,
} from "../../src/core/format/generation.ts";
import { encodeRoot, FORMAT_VERSION, readRootHeader, splitRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { buildPages } from "./build-index.ts";

/** An index of one page that says which it is, beside pages that all such indexes have. */
export async function buildSmallIndex(number: number): Promise<LocalIndex> {
  const { files } = await buildPages({ "page.md": `# Page\n\nThis is generation number${number} of the quokka.\n` });
  return localIndexOf(files);
}

/** An index that says that it is of another commit: another root, and all else as it was. */
export async function ofCommit(index: LocalIndex, commit: string, builtAt: string): Promise<LocalIndex> {
  const { pointer, files } = index;
  const [own = new Uint8Array(), ...levels] = splitRoot(pointer.rootBytes);
  const { levels: listed, ...header } = await readRootHeader(own, inflateRaw);
  const levelFiles = listed.map((level, at) => ({ ...level, bytes: levels[at] as Uint8Array }));
  const rootFile = encodeRoot({ ...header, commit, builtAt }, levelFiles, deflateRaw);
  const rootBytes = concatBytes([rootFile, ...levels]);
  const root = nameFile(rootFile, "root");
  const kept = files.filter(({ name }) => name !== pointer.root && name !== pointer.manifest);
  const manifestBytes = encodeManifest({
    format: FORMAT_VERSION,
    files: [...kept, { name: root, bytes: rootFile.length }],
  });
  const manifest = nameFile(manifestBytes, "manifest");
  const all = new Map<string, Uint8Array>([
    [root, rootFile],
    [manifest, manifestBytes],
    [POINTER_FILE, encodePointer({ ...pointer, generation: generationOf(root), root, manifest, rootBytes })],
  ]);
  for (const { name } of kept) all.set(name, await index.read(name));
  return { ...localIndexOf(all), commit, builtAt };
}

/** An index in memory as one that can be published. */
function localIndexOf(files: ReadonlyMap<string, Uint8Array>): LocalIndex {
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
