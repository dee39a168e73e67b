import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPartialFile, makeStoreFolder, openFolder } from "../../../indexer/publish/folder-store.ts";
import { TooLarge } from "../../../indexer/publish/object-store.ts";
import { InputError } from "../../../src/core/errors.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const ONE = Uint8Array.of(1);
const TWO = Uint8Array.of(2, 2);
const PACK = "0123456789abcdef0123456789abcdef.pack";

describe("a folder as a store", () => {
  it("writes what is rewritten only over what its writer knew", async () => {
    const dir = await makeFolder();
    const store = openFolder(dir);
    expect(await store.get("p")).toBeUndefined();
    expect(await store.put("p", ONE, "", "x")).toBe(false);
    expect(await store.put("p", ONE, "", undefined)).toBe(true);
    expect(await store.put("p", TWO, "", undefined)).toBe(false);
    const held = await store.get("p");
    expect(await store.put("p", TWO, "", held?.etag)).toBe(true);
    expect(await store.put("p", ONE, "", held?.etag)).toBe(false);
    expect((await store.get("p"))?.bytes).toEqual(TWO);
    expect(await readdir(dir)).toEqual(["p"]);
  });

  it("lets one of several writers win", async () => {
    const store = openFolder(await makeFolder({ p: ONE }));
    const { etag } = (await store.get("p")) ?? { etag: "" };
    const done = await Promise.all([3, 4, 5, 6].map((byte) => store.put("p", Uint8Array.of(byte), "", etag)));
    expect(done.filter((won) => won)).toHaveLength(1);
  });

  it("reads no object that is larger than it may be", async () => {
    const store = openFolder(await makeFolder({ [PACK]: TWO }));
    expect((await store.get(PACK, TWO.length))?.bytes).toEqual(TWO);
    await expect(store.get(PACK, TWO.length - 1)).rejects.toThrow(TooLarge);
  });

  it("lists files with size and time, uploads the same by several at once, and removes", async () => {
    const dir = await makeFolder({ a: ONE });
    await mkdir(join(dir, "sub"));
    await utimes(join(dir, "a"), new Date(5_000), new Date(5_000));
    const store = openFolder(dir);
    await Promise.all([1, 2, 3].map(() => store.upload(PACK, TWO)));
    const listed = await store.list();
    expect(listed.find(({ name }) => name === "a")).toEqual({ name: "a", bytes: 1, modifiedAt: 5_000 });
    expect(listed.map(({ name }) => name).sort()).toEqual([PACK, "a"]);
    expect(Uint8Array.from(await readFile(join(dir, PACK)))).toEqual(TWO);
    await store.remove([PACK, "not there"], 0);
    expect((await store.list()).map(({ name }) => name)).toEqual(["a"]);
  });

  it("holds other stores, each in a folder of its own", async () => {
    const dir = await makeFolder({ a: ONE, "v1/p": ONE });
    const store = openFolder(dir);
    const v2 = store.within("v2");
    await makeStoreFolder(join(dir, "v2"));
    expect(await v2.put("p", TWO, "", undefined)).toBe(true);
    await v2.upload(PACK, TWO);
    expect((await v2.list()).map(({ name }) => name).sort()).toEqual([PACK, "p"]);
    expect((await store.list()).map(({ name }) => name)).toEqual(["a"]);
    expect(await store.folders()).toEqual(["v1", "v2"]);
    await v2.remove([PACK, "p"], 0);
    expect((await store.within("v1").get("p"))?.bytes).toEqual(ONE);
    expect(store.requests()).toBe(v2.requests());
  });

  it("is empty where there is none, and cannot be written then", async () => {
    const store = openFolder(join(await makeFolder(), "none"));
    expect(await store.list()).toEqual([]);
    expect(await store.get("p")).toBeUndefined();
    await expect(store.put("p", ONE, "", undefined)).rejects.toThrow(InputError);
    await expect(store.upload(PACK, ONE)).rejects.toThrow("there is no folder");
  });

  it("says where a file stands in the place of the folder", async () => {
    const dir = await makeFolder();
    await writeFile(join(dir, "file"), "");
    const store = openFolder(join(dir, "file"));
    await expect(store.list()).rejects.toThrow("there is a file where");
    await expect(store.upload(PACK, ONE)).rejects.toThrow(InputError);
    await expect(makeStoreFolder(join(dir, "file"))).rejects.toThrow("there is a file where");
  });

  it("knows the files of a writer that died by their names", () => {
    expect(isPartialFile(`.${PACK}.0a1b2c3d.partial`)).toBe(true);
    for (const name of [PACK, `.${PACK}.partial`, ".notes.0a1b2c3d.partial", `${PACK}.0a1b2c3d.partial`]) {
      expect(isPartialFile(name)).toBe(false);
    }
  });
});
