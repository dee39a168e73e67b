import { describe, expect, it } from "vitest";
import { openSource, readWhole } from "../../../indexer/base/index-source.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const LOG = `${"0a".repeat(16)}.log`;

describe("a file whose length is not known", () => {
  it("is read whole, whatever its length", async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
      const bytes = new Uint8Array(length).fill(7);
      const read = await readWhole(openSource(await makeFolder({ [LOG]: bytes })), LOG);
      expect(Buffer.compare(read, bytes)).toBe(0);
    }
  });
});
