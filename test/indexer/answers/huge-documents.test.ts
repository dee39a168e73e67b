/** Documents that are larger than one answer may be, over HTTP. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDiskIndex } from "../../../indexer/base/index-source.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { answerDocument, answerTree } from "../../../src/http/documents.ts";
import type { HttpServices } from "../../../src/http/respond.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

const MEGABYTE = 1024 * 1024;

const FILES = {
  // Few words, many characters: only reading it tells how large it is.
  "blob.md": `# Blob\n\n${`${"x".repeat(1000)} `.repeat(4400)}\n`,
  "words.md": `# Words\n\n${"a b c d ".repeat(MEGABYTE)}\n`,
  "large.md": `# Large\n\n${"word ".repeat(400_000)}\n`,
  "steps.md": `# Steps\n\n${Array.from({ length: 10_500 }, (_, at) => `## Step ${at}\n`).join("\n")}`,
};

it("refuses documents that are larger than an answer, and says how to read them", async () => {
  const dir = await makeFolder(FILES);
  await buildCorpus({ dir, outDir: join(dir, ".out") });
  const { index } = await openDiskIndex(join(dir, ".out"));
  const services: HttpServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, "all", { counters })) }),
    base: "http://localhost",
    isShared: true,
    now: 0,
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
  };
  const ask = (path: string): Request => new Request(`https://docs.example.org${path}`);
  for (const path of ["/documents/blob.md", "/documents/words.md", "/documents/words.md?format=markdown"]) {
    const response = await answerDocument(ask(path), services);
    expect(response.status).toBe(413);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const { error } = (await response.json()) as { error: string };
    expect(error).toContain("/tree/docs:");
    expect(error).toContain("get_node_content");
  }
  const whole = await answerDocument(ask("/documents/large.md"), services);
  expect(whole.status).toBe(200);
  expect((await whole.text()).length).toBeGreaterThan(1.9 * MEGABYTE);
  expect((await answerTree(ask("/tree/steps.md"), services)).status).toBe(413);
  expect((await answerTree(ask("/tree/large.md"), services)).status).toBe(200);
});
