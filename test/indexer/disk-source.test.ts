import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskSource, openDiskIndex } from "../../indexer/disk-source.ts";
import { InputError } from "../../src/core/errors.ts";
import { describeRangeSource } from "../core/index/range-source-contract.ts";

describeRangeSource("the range source over a folder", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treeline-disk-source-"));
  return {
    source: createDiskSource(dir),
    put: (file, bytes) => writeFile(join(dir, file), bytes),
    remove: (file) => rm(join(dir, file), { force: true }),
    close: () => rm(dir, { recursive: true, force: true }),
  };
});

describe("openDiskIndex", () => {
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
