import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { copyPageFiles, listPageFiles, readPageFiles, writePageFiles } from "../../../../indexer/cli/pages/pages.ts";
import { bundleForFiles, bundleForWorker } from "../../../../indexer/engine/bundle-pages.ts";
import { nodeDisk } from "../../../../indexer/index/output-folder.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

/** Names the files that a build wrote. */
const PAGE_LIST_FILE = "treeline-pages.json";
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (name: string, text = name): { readonly name: string; readonly bytes: Uint8Array } => ({
  name,
  bytes: encode(text),
});

describe("files for pages beside an index", () => {
  it("are replaced, and those that are no longer written removed, but nothing of others", async () => {
    const folder = await makeFolder({
      "pagefind.js": "Pagefind's own",
      "pagefind-ui.js": "Pagefind's own",
      "index/a.html": "",
    });
    await writePageFiles(folder, [file("pagefind.js"), file("search.js"), file("search-de.js")]);
    expect(await listPageFiles(folder)).toEqual(["pagefind.js", "search-de.js", "search.js"]);
    await writePageFiles(folder, [file("pagefind.js", "new"), file("search.js")]);
    expect((await readdir(folder)).sort()).toEqual([
      "index",
      "pagefind-ui.js",
      "pagefind.js",
      "search.js",
      PAGE_LIST_FILE,
    ]);
    expect(await readFile(join(folder, "pagefind.js"), "utf8")).toBe("new");
    expect(await readFile(join(folder, "pagefind-ui.js"), "utf8")).toBe("Pagefind's own");
  });

  it("lead nowhere else, whatever a list says", async () => {
    const root = await makeFolder({ "a.js": "kept", "in/b.js": "old" });
    const folder = join(root, "in");
    await writeFile(join(folder, PAGE_LIST_FILE), '["../a.js", "b.js", "treeline.pointer", 7]');
    expect(await listPageFiles(folder)).toEqual(["b.js"]);
    await writePageFiles(folder, [file("c.js")]);
    expect(await readdir(root)).toContain("a.js");
    expect((await readdir(folder)).sort()).toEqual(["c.js", PAGE_LIST_FILE]);
    await writeFile(join(folder, PAGE_LIST_FILE), "no list");
    expect(await listPageFiles(folder)).toEqual([]);
  });

  it("are the old ones or the new ones, each whole, wherever writing ends", async () => {
    const folder = await makeFolder({});
    await writePageFiles(folder, [file("a.js", "old"), file("b.js", "old")]);
    let left = 0;
    const failing = {
      ...nodeDisk,
      rename: async (from: string, to: string) => {
        if (left-- <= 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        await nodeDisk.rename(from, to);
      },
    };
    for (let renames = 0; renames < 3; renames++) {
      left = renames;
      const files = [file("a.js", "new"), file("b.js", "new"), file("c.js", "new")];
      await expect(writePageFiles(folder, files, failing)).rejects.toThrow("no space");
      for (const name of ["a.js", "b.js"]) expect(await readFile(join(folder, name), "utf8")).toMatch(/^(old|new)$/);
      expect((await readdir(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
    }
  });

  it("are copied to the folder of a site, where there are any", async () => {
    const from = await makeFolder({});
    const to = await makeFolder({ "about.js": "the site's" });
    expect(await copyPageFiles(from, to)).toBe(0);
    expect(await readdir(to)).toEqual(["about.js"]);
    await writePageFiles(from, [file("search.js")]);
    expect(await copyPageFiles(from, join(to, "search"))).toBe(1);
    expect(await readFile(join(to, "search", "search.js"), "utf8")).toBe("search.js");
  });
});

/** Gzip bytes of what a page loads to show its search box. */
const MAX_BOX_BYTES = 15_000;

describe("modules for pages", () => {
  it("are each one file, beside an index and in a Worker, and hold nothing of Node", async () => {
    const [files, ofWorker] = [await bundleForFiles(), await bundleForWorker()];
    expect((await readPageFiles()).map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["engine.js", "highlight.js", "search.js"]));
    expect(ofWorker.map(({ name }) => name)).toEqual(expect.arrayContaining(["search.js", "highlight.js"]));
    for (const { name, bytes, sources } of [...files, ...ofWorker]) {
      for (const source of sources)
        expect(source, name).toMatch(/^src\/(core|web|surface\/render\/text)|node_modules\//);
      expect(new TextDecoder().decode(bytes), name).not.toMatch(/SERVED_BY_WORKER|"node:|\brequire\(/);
    }
    for (const { name, bytes } of [...files, ...ofWorker].filter(({ name }) => name === "search.js")) {
      expect(gzipSync(bytes, { level: 9 }).length, name).toBeLessThanOrEqual(MAX_BOX_BYTES);
    }
    // A Worker answers itself: what searches in the page is no part of what it serves.
    for (const { sources } of ofWorker) expect(sources.join()).not.toContain("static-index.ts");
  });
});
