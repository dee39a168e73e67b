import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addKey, changeKeys, makeKey, readCollections, readKeys } from "../../../../indexer/cli/commands/keys.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { openFolder } from "../../../../indexer/publish/folder-store.ts";
import type { ObjectStore } from "../../../../indexer/publish/object-store.ts";
import { GROUPED, groupedFiles } from "../../../support/grouped-files.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

async function add(store: ObjectStore, consumer: string): Promise<void> {
  await changeKeys(store, (file) => {
    const { id, hash } = makeKey();
    return { file: addKey(file, { consumer, admin: false }, id, hash, 0) };
  });
}

async function consumersOf(store: ObjectStore): Promise<readonly string[]> {
  return (await readKeys(store)).file.keys.map(({ consumer }) => consumer);
}

describe("keys in a folder", () => {
  it("are none before the first, and lose none of those who write at once", async () => {
    const dir = await makeFolder();
    expect(await consumersOf(openFolder(dir))).toEqual([]);
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => add(openFolder(dir), name)));
    expect([...(await consumersOf(openFolder(dir)))].sort()).toEqual(names);
    expect(await readdir(dir)).toEqual(["access.json"]);
    expect((await stat(join(dir, "access.json"))).mode & 0o077).toBe(0);
  });

  it("are not written where somebody changed them since they were read", async () => {
    const dir = await makeFolder();
    const store = openFolder(dir);
    await add(store, "a");
    const before = await readKeys(store);
    await add(store, "b");
    for (const known of [before.etag, undefined]) {
      expect(await store.put("access.json", new TextEncoder().encode("{}"), "application/json", known)).toBe(false);
    }
    expect(await consumersOf(store)).toEqual(["a", "b"]);
  });

  it("outlive a program that died while it wrote them", async () => {
    const dir = await makeFolder({ ".access.json.lock": "" });
    await utimes(join(dir, ".access.json.lock"), new Date(0), new Date(0));
    await add(openFolder(dir), "a");
    expect(await consumersOf(openFolder(dir))).toEqual(["a"]);
  });

  it("are refused where they are damaged, and not written over", async () => {
    const dir = await makeFolder({ "access.json": "{}" });
    await expect(add(openFolder(dir), "a")).rejects.toThrow("access.json has the version");
    expect(await readFile(join(dir, "access.json"), "utf8")).toBe("{}");
  });

  it("stay where builds put an index, build after build, and know its collections", async () => {
    const dir = await makeFolder(groupedFiles(GROUPED.slice(0, 2)));
    const out = join(dir, ".out");
    await buildCorpus({ dir, outDir: out });
    const store = openFolder(out);
    await add(store, "a");
    const text = await readFile(join(out, "access.json"), "utf8");
    await writeFile(join(dir, "docs", "new.md"), "# New\n");
    await buildCorpus({ dir, outDir: out });
    await buildCorpus({ dir, outDir: out, base: out });
    expect(await readFile(join(out, "access.json"), "utf8")).toBe(text);
    const names = (await readCollections(store, ""))?.map(({ name }) => name);
    expect(names).toEqual(["docs", "docs-code", "plans", "plans-code"]);
    expect(await readCollections(openFolder(await makeFolder()), "")).toBeUndefined();
  });
});
