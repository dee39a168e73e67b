import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BuildMemory } from "../../../../indexer/index/cache/build-memory.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const NOW = 1_800_000_000_000;
const STATE = { bytes: 10, modifiedMs: NOW - 60_000, changedMs: NOW - 50_000.5, inode: 7 };

async function pathOfNew(): Promise<string> {
  return join(await makeFolder(), "cache", "files.json");
}

describe("content hashes of files", () => {
  it("knows the hash of a file whose size, times and inode are as they were", async () => {
    const path = await pathOfNew();
    const first = await BuildMemory.open(dirname(path));
    first.noteHash("docs:a.md", STATE, "hash", NOW);
    await first.save([]);
    const second = await BuildMemory.open(dirname(path));
    expect(second.findHash("docs:a.md", { ...STATE })).toBe("hash");
    expect(second.findHash("docs:b.md", STATE)).toBeUndefined();
    for (const [name, value] of Object.entries(STATE)) {
      expect([name, second.findHash("docs:a.md", { ...STATE, [name]: value + 1 })]).toEqual([name, undefined]);
    }
  });

  it("does not trust a file that was written just before it was looked at", async () => {
    const path = await pathOfNew();
    for (const late of ["modifiedMs", "changedMs"] as const) {
      const hashes = await BuildMemory.open(dirname(path));
      hashes.noteHash("a", { ...STATE, [late]: NOW - 1_999 }, "hash", NOW);
      await hashes.save([]);
      expect((await BuildMemory.open(dirname(path))).findHash("a", { ...STATE, [late]: NOW - 1_999 })).toBeUndefined();
    }
  });

  it("forgets files that no build asked for", async () => {
    const path = await pathOfNew();
    const first = await BuildMemory.open(dirname(path));
    for (const name of ["a", "b"]) first.noteHash(name, STATE, name, NOW);
    await first.save([]);
    const second = await BuildMemory.open(dirname(path));
    second.findHash("a", STATE);
    await second.save([]);
    const third = await BuildMemory.open(dirname(path));
    expect([third.findHash("a", STATE), third.findHash("b", STATE)]).toEqual(["a", undefined]);
    expect(await readdir(join(path, ".."))).toEqual(["files.json"]);
  });

  it("starts anew from a file that is damaged, and passes over rows that are none", async () => {
    const path = await pathOfNew();
    const first = await BuildMemory.open(dirname(path));
    first.noteHash("a", STATE, "hash", NOW);
    await first.save([]);
    const text = await readFile(path, "utf8");
    for (const damaged of ["", "{", "null", "3", text.slice(0, -5), `[["a","10"]]`, text.replace('"hash"', "10")]) {
      await writeFile(path, damaged);
      expect((await BuildMemory.open(dirname(path))).findHash("a", STATE)).toBeUndefined();
    }
    await writeFile(path, text.replace("[[", '[3,["x"],['));
    expect((await BuildMemory.open(dirname(path))).findHash("a", STATE)).toBe("hash");
  });

  it("keeps nothing without a file", async () => {
    const hashes = await BuildMemory.open(undefined);
    hashes.noteHash("a", STATE, "hash", NOW);
    expect(hashes.findHash("a", STATE)).toBe("hash");
    await hashes.save([]);
    expect((await BuildMemory.open(undefined)).findHash("a", STATE)).toBeUndefined();
  });
});
