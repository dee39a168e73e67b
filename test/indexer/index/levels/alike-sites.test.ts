/** An index of a built site that is built on another one, edit after edit, and one built from scratch: the same answers. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { loadLinks, loadOutline } from "../../../../src/core/docs/documents.ts";
import { answer, describeAll, foundOf, open, scan } from "../../../support/all-answers.ts";
import type { Pages } from "../../../support/build-index.ts";
import { anyHistory, applyEdits } from "../../../support/edit-history.ts";
import { asSite } from "../../../support/html-pages.ts";
import { runsOfBuilds } from "../../../support/runs-of-builds.ts";
import { ask, manyPages } from "../../../support/small-corpora.ts";
import { makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

const REQUESTS = ["alpha", "route handler cache", "zeta OR epsilon", "tags:red beta", "getUserName"].map((query) =>
  ask(query, { limit: 200, withFacetCounts: true, explain: true }),
);

async function replacePages(dir: string, pages: Pages): Promise<void> {
  await rm(join(dir, "site"), { recursive: true, force: true });
  await writeFiles(join(dir, "site"), pages);
}

function build(dir: string, out: string, others: { readonly base?: string; readonly cacheDir?: string } = {}) {
  const { base, cacheDir } = others;
  return buildCorpus({
    dir: join(dir, "site"),
    outDir: join(dir, out),
    ...(base !== undefined && { base: join(dir, base) }),
    ...(cacheDir !== undefined && { cacheDir: join(dir, cacheDir) }),
  });
}

describe("a build of a site on a base", () => {
  it("answers as a build from scratch does, whatever the edits, with a cache or without", async () => {
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(
        manyPages,
        anyHistory,
        fc.boolean(),
        fc.boolean(),
        async (pages, history, isMarked, isCached) => {
          const dir = await makeFolder();
          const cached = isCached ? { cacheDir: "cache" } : {};
          let now = pages;
          await replacePages(dir, asSite(now, isMarked));
          await build(dir, "start", cached);
          let base = "start";
          for (const [step, edits] of history.slice(0, 2).entries()) {
            now = applyEdits(now, edits);
            await replacePages(dir, asSite(now, isMarked));
            const { base: used } = await build(dir, `step-${step}`, { base, ...cached });
            base = `step-${step}`;
            if (used !== "") reused++;
            await build(dir, "scratch");
            const [own, other] = [await open(join(dir, base), "all"), await open(join(dir, "scratch"), "all")];
            expect(await describeAll(own)).toEqual(await describeAll(other));
            expect(await scan(own)).toEqual(await scan(other));
            for (const request of REQUESTS)
              expect(foundOf(await answer(own, request))).toEqual(foundOf(await answer(other, request)));
          }
          await rm(dir, { recursive: true, force: true });
        },
      ),
      runsOfBuilds(5),
    );
    expect(reused).toBeGreaterThan(0);
  });

  it("shows no links of a page that lost them", async () => {
    const dir = await makeFolder();
    await replacePages(dir, { "a.html": '<h1>A</h1><a href="b.html">b</a>', "b.html": "<h1>B</h1>" });
    await build(dir, "start", { cacheDir: "cache" });
    await replacePages(dir, { "a.html": "<h1>A</h1>", "b.html": "<h1>B</h1>" });
    expect(await build(dir, "next", { base: "start", cacheDir: "cache" })).toMatchObject({ notice: "" });
    const reader = (await open(join(dir, "next"), "all"))();
    const outline = await loadOutline(reader, "site:a.html");
    expect(outline !== undefined && (await loadLinks(reader, outline))).toMatchObject({ out: [] });
  });
});
