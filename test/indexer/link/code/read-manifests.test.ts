/** Which manifests are read: those with a known name, and what configurations of TypeScript lead to. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readManifestFiles } from "../../../../indexer/link/code/read-manifests.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function pathsRead(files: Readonly<Record<string, unknown>>): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-manifests-"));
  folders.push(dir);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(dir, dirname(path)), { recursive: true });
    await writeFile(join(dir, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  const limits = { maxFileBytes: 1_000_000, maxFiles: 1_000 };
  const read = await readManifestFiles(dir, { collections: [], limits } as unknown as Parameters<
    typeof readManifestFiles
  >[1]);
  return read.map(({ path }) => path);
}

describe("manifests", () => {
  it("are files with a known name, and what a configuration extends by any name", async () => {
    const read = await pathsRead({
      "app/tsconfig.json": { extends: ["../configs/base.json", "@acme/settings/strict"] },
      "configs/base.json": { extends: "./deep" },
      "configs/deep.json": {},
      "configs/other.json": {},
      "settings/package.json": { name: "@acme/settings" },
      "settings/strict.json": {},
    });
    expect(read).toEqual([
      "app/tsconfig.json",
      "configs/base.json",
      "configs/deep.json",
      "settings/package.json",
      "settings/strict.json",
    ]);
  });

  it("are no files outside of the folder, and a circle of configurations ends", async () => {
    const read = await pathsRead({
      "tsconfig.json": { extends: ["../outside.json", "/etc/base.json", "./a.json", "./[b].json"] },
      "a.json": { extends: "./c.json" },
      "c.json": { extends: "./a.json" },
    });
    expect(read).toEqual(["a.json", "c.json", "tsconfig.json"]);
  });

  it("that lead deeper than any stack are read as text", async () => {
    expect(await pathsRead({ "tsconfig.json": "[".repeat(50_000) })).toEqual(["tsconfig.json"]);
  });
});
