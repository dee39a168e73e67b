import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readKeysChange, readKeysFile, watchKeysFile } from "../../../../indexer/cli/dev/dev.ts";
import { formatAccessFile } from "../../../../src/surface/access/access-file.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const KEY = { id: "0123abcd", consumer: "agent", hash: "0".repeat(64), createdAt: "2026-01-01T00:00:00Z" };
const NONE = formatAccessFile({ keys: [] });

async function makeKeys(text: string = NONE): Promise<string> {
  return join(await makeFolder({ "access.json": text }), "access.json");
}

describe("readKeysChange", () => {
  it("gives the text where it is another one, none where the file is gone, and nothing where all is as before", async () => {
    const file = await makeKeys();
    expect(await readKeysFile(file)).toBe(NONE);
    expect(await readKeysChange(file, NONE)).toBeUndefined();
    const revoked = formatAccessFile({ keys: [{ ...KEY, revokedAt: "2026-02-01T00:00:00Z" }] });
    await writeFile(file, revoked);
    expect(await readKeysChange(file, NONE)).toEqual({ text: revoked });
    await rm(file);
    expect(await readKeysChange(file, revoked)).toEqual({ text: undefined });
    expect(await readKeysChange(file, undefined)).toBeUndefined();
    await expect(readKeysFile(file)).rejects.toThrow("there is no file");
  });

  it("refuses what holds no keys", async () => {
    await expect(readKeysChange(await makeKeys('{"key'), NONE)).rejects.toThrow("access.json");
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
