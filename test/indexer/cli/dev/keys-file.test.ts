import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readKeysFile } from "../../../../indexer/cli/dev/dev.ts";
import { formatAccessFile } from "../../../../src/surface/access/access-file.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const NONE = formatAccessFile({ keys: [] });

async function makeKeys(text: string = NONE): Promise<string> {
  return join(await makeFolder({ "access.json": text }), "access.json");
}

describe("readKeysFile", () => {
  it("gives the text, and none where the file is gone", async () => {
    const file = await makeKeys();
    expect(await readKeysFile(file)).toBe(NONE);
    await rm(file);
    expect(await readKeysFile(file)).toBeUndefined();
  });

  it("refuses what holds no keys", async () => {
    await expect(readKeysFile(await makeKeys('{"key'))).rejects.toThrow("access.json");
  });
});
