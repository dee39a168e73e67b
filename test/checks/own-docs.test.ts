/** Treeline's own documentation, which `npm start` serves where no folder is named, is without fault in Treeline's eyes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { projectRoot } from "../support/environment.ts";

it("builds without errors, warnings or files that are skipped", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "treeline-own-docs-"));
  onTestFinished(() => rm(outDir, { recursive: true, force: true }));
  const { documents, skipped, diagnostics } = await buildCorpus({ dir: projectRoot, outDir });
  expect(documents).toBeGreaterThan(40);
  expect(skipped).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
});
