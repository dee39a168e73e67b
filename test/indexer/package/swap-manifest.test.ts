import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restoreManifest, swapManifest } from "../../../indexer/package/write-package.ts";
import { projectRoot } from "../../support/environment.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const CLONE = '{ "name": "treeline", "private": true }\n';
const PUBLISHED = '{ "name": "treeline" }\n';

describe("the manifest while a package is made", () => {
  it("is the published one, and the clone's again afterwards", async () => {
    const root = await makeFolder({ "package.json": CLONE });
    swapManifest(root, PUBLISHED);
    expect(await readFile(join(root, "package.json"), "utf8")).toBe(PUBLISHED);
    restoreManifest(root);
    expect(await readFile(join(root, "package.json"), "utf8")).toBe(CLONE);
    expect(existsSync(join(root, ".treeline", "package"))).toBe(false);
    restoreManifest(root);
    expect(await readFile(join(root, "package.json"), "utf8")).toBe(CLONE);
  });

  it("stays the clone's where packing ended between the copy and the swap", async () => {
    const root = await makeFolder({ "package.json": CLONE });
    swapManifest(root, PUBLISHED);
    await writeFile(join(root, "package.json"), CLONE);
    restoreManifest(root);
    expect(await readFile(join(root, "package.json"), "utf8")).toBe(CLONE);
    expect(existsSync(join(root, ".treeline", "package"))).toBe(false);
  });

  it("is the clone's in the checkout, so that no commit has the published one", async () => {
    const manifest = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ private: true, bin: { treeline: "./indexer/cli/main.ts" } });
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(["test", "check", "prepack", "postpack"]));
    expect(manifest).not.toHaveProperty("exports");
  });
});
