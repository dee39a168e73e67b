/** Pulling what somebody made up: nothing outside of the folder is touched, and nothing without a bound is read. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../../indexer/publish/object-store.ts";
import { machineClock } from "../../../indexer/publish/object-store.ts";
import { type LocalIndex, publishIndex } from "../../../indexer/publish/publish.ts";
import { pullIndex } from "../../../indexer/publish/pull.ts";
import { InputError } from "../../../src/core/errors.ts";
import { encodeManifest, encodePointer, type ManifestFile, type Pointer } from "../../../src/core/format/generation.ts";
import { FORMAT_VERSION } from "../../../src/core/format/root.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { createFakeState, type FakeState, openFakeStore } from "../../support/fake-store.ts";
import { createFullDisk } from "../../support/faulty-disk.ts";
import { anyForeignName } from "../../support/index-names.ts";
import { runs } from "../../support/runs.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { makeFolder, readFolder } from "../../support/temporary-folder.ts";

const [first, second] = (await Promise.all([0, 1].map(buildSmallIndex))) as [LocalIndex, LocalIndex];
const VICTIMS = { "package.json": "mine", "a/package.json": "mine", "a/b/package.json": "mine" };

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

/** A store where an index is published, whatever of it is replaced then. */
async function publishFirst(): Promise<{ readonly state: FakeState; readonly store: ObjectStore }> {
  const state = createFakeState();
  const store = openFakeStore(state, { clock: machineClock });
  await publishIndex(first, store);
  return { state, store };
}

function put(state: FakeState, name: string, bytes: Uint8Array): void {
  state.objects.set(name, { bytes, modifiedAt: 0 });
}

/** Put another manifest in the place of the one that is published, under a name that fits or under another one. */
function forgeManifest(state: FakeState, bytes: Uint8Array, name = `${digestOf(bytes)}.manifest`): void {
  put(state, name, bytes);
  const pointer: Pointer = { ...first.pointer, previous: [], manifest: name };
  put(state, POINTER_FILE, encodePointer(pointer));
}

function manifestOf(files: readonly ManifestFile[]): Uint8Array {
  return encodeManifest({ format: FORMAT_VERSION, files });
}

const listed = first.files.filter(({ name }) => name !== first.pointer.manifest);

/** All files below a folder, by path. */
async function readTree(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path] = await readFile(path, "latin1");
  }
  return files;
}

/** A folder in others with files of somebody, and those files again. */
async function makeVictims(): Promise<{ readonly top: string; readonly folder: string }> {
  const top = await makeFolder(VICTIMS);
  const folder = join(top, "a", "b", "index");
  await mkdir(folder);
  return { top, folder };
}

/** Pull, which must be refused as something that a person can mend, and must leave the whole tree as it was. */
async function expectRefused(store: ObjectStore, top: string, folder: string): Promise<string> {
  const before = await readTree(top);
  const error: unknown = await pullIndex(store, folder).catch((reason: unknown) => reason);
  expect(await readTree(top)).toEqual(before);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("pulling an index that was made up", () => {
  it("refuses a manifest that is called like its content and leads out of the folder", async () => {
    const { top, folder } = await makeVictims();
    for (const ups of ["../", "../../", "../../../"]) {
      for (const bytes of [manifestOf(listed), new TextEncoder().encode("no JSON")]) {
        const { state, store } = await publishFirst();
        forgeManifest(state, bytes, `${digestOf(bytes)}./${ups}package.json`);
        expect(await expectRefused(store, top, folder)).toContain("cannot be read");
      }
    }
  });

  it("refuses any name that no index file has, in a pointer and in a manifest", async () => {
    const { top, folder } = await makeVictims();
    const content = new TextEncoder().encode("evil");
    await fc.assert(
      fc.asyncProperty(anyForeignName, fc.constantFrom("pointer", "root", "log", "manifest"), async (name, where) => {
        // As much as there can be of a name that fits.
        const foreign = name.replace(
          /^[0-9a-f]{32}(?=\W)/,
          digestOf(where === "pointer" ? manifestOf(listed) : content),
        );
        const { state, store } = await publishFirst();
        if (where === "manifest") {
          put(state, foreign, content);
          forgeManifest(state, manifestOf([...listed, { name: foreign, bytes: content.length }]));
        } else if (where === "pointer") forgeManifest(state, manifestOf(listed), foreign);
        else put(state, POINTER_FILE, encodePointer({ ...first.pointer, previous: [], [where]: foreign }));
        await expectRefused(store, top, folder);
      }),
      { numRuns: runs(60) },
    );
  });

  it("removes nothing outside of the folder after a pull that died, whatever its journal says", async () => {
    const { top, folder } = await makeVictims();
    const { store } = await publishFirst();
    await pullIndex(store, folder);
    // A number that no process has.
    const lock = `.build.${hostname().replace(/[^A-Za-z0-9-]/g, "-")}.${2 ** 30}.1.0.lock`;
    await writeFile(
      join(folder, lock),
      `../package.json\n${"0a".repeat(16)}./../../package.json\n../../../package.json\n`,
    );
    await pullIndex(store, folder);
    expect(await readTree(top)).toMatchObject(
      Object.fromEntries(Object.entries(VICTIMS).map(([name, text]) => [join(top, name), text])),
    );
    expect(await readdir(folder)).not.toContain(lock);
  });

  it("says that the published index is to be published again where its manifest cannot be read", async () => {
    const { top, folder } = await makeVictims();
    for (const text of ["no JSON", "[]", '{"format":1}', '{"format":1,"files":[{}]}']) {
      const { state, store } = await publishFirst();
      forgeManifest(state, new TextEncoder().encode(text));
      const message = await expectRefused(store, top, folder);
      expect(message).toContain(`${first.pointer.generation} in the fake store is incomplete (manifest: `);
      expect(message).toContain("publish it again");
    }
  });

  it("refuses sizes that no file has before anything of them is read", async () => {
    const { top, folder } = await makeVictims();
    for (const bytes of [1e15, Number.MAX_SAFE_INTEGER]) {
      const { state, store } = await publishFirst();
      forgeManifest(state, manifestOf(listed.map((file, at) => (at === 0 ? { ...file, bytes } : file))));
      let asked = 0;
      const counting: ObjectStore = {
        ...store,
        get: (name, maxBytes) => {
          if (name.endsWith(".pack")) asked++;
          return store.get(name, maxBytes);
        },
      };
      expect(await expectRefused(counting, top, folder)).toContain("the limit is");
      expect(asked).toBe(0);
    }
  });

  it("reads no more of a file than its manifest says, and takes no other size for it", async () => {
    const { top, folder } = await makeVictims();
    for (const difference of [-1, 1]) {
      const { state, store } = await publishFirst();
      const lie = listed.map((file, at) => (at === 0 ? { ...file, bytes: file.bytes + difference } : file));
      forgeManifest(state, manifestOf(lie));
      const bounds = new Map<string, number | undefined>();
      const watched: ObjectStore = {
        ...store,
        get: (name, maxBytes) => {
          bounds.set(name, maxBytes);
          return store.get(name, maxBytes);
        },
      };
      expect(await expectRefused(watched, top, folder)).toContain(`${lie[0]?.name} is missing or damaged`);
      expect(bounds.get(lie[0]?.name ?? "")).toBe(lie[0]?.bytes);
    }
  });
});

describe("pulling onto a disk that is full", () => {
  it("leaves the folder as it was, and says so", async () => {
    const { state, store } = await publishFirst();
    const folder = await makeFolder();
    await pullIndex(store, folder);
    await publishIndex(second, openFakeStore(state, { clock: machineClock }));
    const before = await readFolder(folder);
    const total = second.files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (let room = 0; room < total / 4; room += Math.ceil(total / 23)) {
      const error: unknown = await pullIndex(store, folder, { disk: createFullDisk(room) }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).message).toContain("is full (ENOSPC): make room");
      expect(await readFolder(folder)).toEqual(before);
    }
    expect(await pullIndex(store, folder)).toMatchObject({ generation: second.pointer.generation, switched: true });
  });
});
