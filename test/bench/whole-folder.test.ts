import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeWholeFolder } from "../../bench/whole-folder.ts";
import { makeFolder } from "../support/temporary-folder.ts";

it("leaves no folder behind when writing fails, and writes it once when it does not", async () => {
  const folder = join(await makeFolder(), "corpus");
  const fail = writeWholeFolder(folder, (dir) => {
    writeFileSync(join(dir, "half"), "");
    throw new Error("interrupted");
  });
  await expect(fail).rejects.toThrow("interrupted");
  expect(existsSync(folder)).toBe(false);
  const write = (dir: string): string => {
    writeFileSync(join(dir, "page"), "");
    return "written";
  };
  expect(await writeWholeFolder(folder, write)).toBe("written");
  expect(existsSync(join(folder, "half"))).toBe(false);
  expect(existsSync(join(folder, "page"))).toBe(true);
  expect(await writeWholeFolder(folder, write)).toBeUndefined();
});
