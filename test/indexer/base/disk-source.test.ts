import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDiskIndex, openSource } from "../../../indexer/base/index-source.ts";
import { InputError } from "../../../src/core/errors.ts";
import { encodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { describeRangeSource } from "../../core/index/range-source-contract.ts";
import { buildSmallIndex } from "../../support/small-indexes.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const PACK = `${"0a".repeat(16)}.pack`;

describeRangeSource("the range source over a folder", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treeline-disk-source-"));
  return {
    source: openSource(dir),
    put: (file, bytes) => writeFile(join(dir, file), bytes),
    remove: (file) => rm(join(dir, file), { force: true }),
    close: () => rm(dir, { recursive: true, force: true }),
  };
});

describe("a folder of index files", () => {
  it("is read at nothing that is called otherwise, and no room is made for what is not there", async () => {
    const dir = await makeFolder({ "notes.txt": "mine", "index/notes.txt": "mine", [`index/${PACK}`]: "12345" });
    const source = openSource(join(dir, "index"));
    for (const name of ["notes.txt", "../notes.txt", `../${PACK}`, `${PACK.slice(0, 32)}./../notes.txt`]) {
      await expect(source.readRange(name, 0, 1)).rejects.toThrow("it is no index file");
    }
    for (const length of [6, 1e15, Number.MAX_SAFE_INTEGER]) {
      await expect(source.readRange(PACK, 1, length)).rejects.toMatchObject({ detail: { code: "truncated", have: 4 } });
    }
  });
});

describe("openDiskIndex", () => {
  it("refuses a pointer that names files elsewhere", async () => {
    const { pointer } = await buildSmallIndex(0);
    for (const forged of [{ log: "../secret.log" }, { root: "../x.root" }, { manifest: "../../package.json" }]) {
      const dir = await makeFolder({ [POINTER_FILE]: encodePointer({ ...pointer, previous: [], ...forged }) });
      await expect(openDiskIndex(dir)).rejects.toThrow("is no name of an index file");
    }
  });

  it("says that there is no index in a folder without one, and how to make one", async () => {
    const dir = await mkdtemp(join(tmpdir(), "treeline-disk-source-"));
    for (const folder of [dir, join(dir, "missing")]) {
      const error: unknown = await openDiskIndex(folder).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).message).toContain("no index in");
      expect((error as InputError).example).toContain("treeline build");
    }
    await rm(dir, { recursive: true, force: true });
  });
});
