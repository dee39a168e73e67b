import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readKeysFile, watchKeysFile } from "../../../../indexer/cli/dev/dev.ts";
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

describe("watchKeysFile", () => {
  it("tells when the file is written, replaced, removed and made again", async () => {
    const file = await makeKeys();
    const onChange = vi.fn();
    const watch = watchKeysFile(file, onChange, 20);
    onTestFinished(watch.stop);
    // The first look is what later ones are compared with, and nothing tells when it was: write until it is seen.
    const untilSeen = async (change: (at: number) => Promise<void>): Promise<void> => {
      onChange.mockClear();
      let at = 0;
      await vi.waitFor(async () => {
        await change(at++);
        expect(onChange).toHaveBeenCalled();
      }, 20_000);
    };
    await untilSeen((at) => writeFile(file, `${NONE}${" ".repeat(at)}`));
    await untilSeen(async () => {
      await writeFile(`${file}.new`, NONE);
      await rename(`${file}.new`, file);
    });
    await untilSeen(() => rm(file, { force: true }));
    await untilSeen((at) => writeFile(file, `${NONE}${" ".repeat(at)}`));
  });
});
