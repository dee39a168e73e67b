/** Builds of source code: the same bytes however they come about. */
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BuildMemory, DocumentCache } from "../../../indexer/index/cache/document-cache.ts";
import { buildPart, joinParts } from "../../../indexer/index/split-build.ts";
import type { Pages } from "../../support/build-index.ts";
import { makeCorpus, type SmallCorpus } from "../../support/small-corpus.ts";
import { writeFiles } from "../../support/temporary-folder.ts";

/** Classes that extend one another through the files, what calls them, in two languages, and pages that name them. */
const FILES: Pages = Object.fromEntries(
  Array.from({ length: 26 }, (_, n): [string, string][] => [
    [
      `src/part${n % 3}/store${n}.ts`,
      `import { Store${n + 1} } from "../part${(n + 1) % 3}/store${n + 1}.ts";\n\n/** Keeps things of kind ${n}. */\nexport class Store${n} extends Store${n + 1} {\n  open${n}(): Store${n} {\n    return this.open${n + 1}(${n}) as Store${n};\n  }\n}\n`,
    ],
    [
      `tools/step${n}.py`,
      `from tools.step${(n + 5) % 26} import run${(n + 5) % 26}\n\n\ndef run${n}(value):\n    """Step ${n}."""\n    return run${(n + 5) % 26}(value + ${n})\n`,
    ],
    [`docs/p${n}.md`, `# Page ${n}\n\nCall \`Store${n}.open${n}()\`.\n`],
  ]).flat(),
);
const CONFIG = {
  collections: [
    { name: "docs", root: "docs" },
    { name: "src", root: "src", kind: "code" },
    { name: "tools", root: "tools", kind: "code" },
  ],
};

async function makeSources(): Promise<SmallCorpus> {
  return makeCorpus(FILES, CONFIG);
}

describe("a build of source code", () => {
  it("gives the same bytes in threads, with a cache, out of it and without one", { timeout: 120_000 }, async () => {
    const corpus = await makeSources();
    const summary = await corpus.build("alone", { threads: 0 });
    expect(summary.documents).toBe(78);
    const alone = await corpus.files("alone");
    for (const threads of [0, 1, 3]) {
      const cacheDir = join(corpus.dir, `cache-${threads}`);
      if (threads > 0) await corpus.build(`plain-${threads}`, { threads });
      await corpus.build(`cold-${threads}`, { threads, cacheDir });
      await corpus.build(`warm-${threads}`, { threads, cacheDir });
      for (const kind of threads > 0 ? ["plain", "cold", "warm"] : ["cold", "warm"]) {
        expect([kind, threads, await corpus.files(`${kind}-${threads}`)]).toEqual([kind, threads, alone]);
      }
    }
  });

  it("says which minified files it skips where nobody named collections, and reads what a collection includes", async () => {
    const pages = { "a.js": "export const a = 1;\n", "lib/b.min.js": "var b=1" };
    const chosen = await (await makeCorpus(pages)).build("chosen", { threads: 0 });
    expect(chosen.skipped).toMatchObject([{ collection: "code", path: "lib/b.min.js", reason: "minified" }]);
    expect(chosen.documents).toBe(1);
    const own = await makeCorpus(pages, { collections: [{ name: "code", kind: "code" }] });
    const configured = await own.build("own", { threads: 0 });
    expect([configured.documents, configured.skipped]).toEqual([2, []]);
  });

  it("builds beside manifests that are broken, and reports them", async () => {
    const corpus = await makeCorpus({
      "a.ts": 'import { b } from "#b";\nb();\n',
      "src/b.ts": "export function b() {}\n",
      "package.json": "[".repeat(50_000),
      "composer.json": "[".repeat(50_000),
      "tsconfig.json": '{"extends": "./config/base.json"}',
      "config/base.json": '{"compilerOptions": {"paths": {"#b": ["../src/b.ts"]}}}',
    });
    const { diagnostics } = await corpus.build("broken", { threads: 0 });
    expect(diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "invalid-manifest composer.json",
      "invalid-manifest package.json",
    ]);
  });

  it("gives the same bytes whatever of the cache is damaged", { timeout: 120_000 }, async () => {
    const corpus = await makeSources();
    const cacheDir = join(corpus.dir, "cache");
    const segment = join(cacheDir, "documents.cache");
    await corpus.build("alone", { cacheDir });
    const whole = await readFile(segment);
    for (let n = 0; n < 10; n++) {
      const at = Math.floor((whole.length * (n + 0.5)) / 10);
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await rm(cacheDir, { recursive: true });
      await writeFiles(cacheDir, { "documents.cache": bytes });
      await corpus.build("damaged", { cacheDir });
      expect([at, await corpus.files("damaged")]).toEqual([at, await corpus.files("alone")]);
    }
  });

  it("follows edits, new, deleted and renamed files in a running build, as a build from scratch does", {
    timeout: 120_000,
  }, async () => {
    const corpus = await makeSources();
    const memory: BuildMemory = { cache: DocumentCache.open(undefined) };
    try {
      await corpus.build("running", { memory });
      const before = await corpus.files("running");
      const steps: (() => Promise<void>)[] = [
        // Others extend it: their edges change with it.
        () => corpus.edit({ "src/part1/store1.ts": "export class Store1 {\n  other(): void {}\n}\n" }),
        () =>
          corpus.edit({ "src/part0/new.ts": 'import { Store1 } from "../part1/store1.ts";\nnew Store1().other();\n' }),
        () => corpus.edit({ "src/part2/store5.ts": undefined, "tools/step7.py": undefined }),
        () => rename(join(corpus.dir, "docs/src/part0/store3.ts"), join(corpus.dir, "docs/src/part0/moved.ts")),
        () => corpus.edit({ "docs/p3.md": "# Page 3\n\nCall `Store1.other()`.\n" }),
      ];
      let last = before;
      for (const [at, step] of steps.entries()) {
        await step();
        await corpus.build("running", { memory });
        await corpus.build(`scratch-${at}`);
        const now = await corpus.files("running");
        expect([at, now]).toEqual([at, await corpus.files(`scratch-${at}`)]);
        expect(now).not.toEqual(last);
        last = now;
      }
    } finally {
      memory.cache.close();
    }
  });

  it("gives the same bytes when several machines share it", { timeout: 120_000 }, async () => {
    const corpus = await makeSources();
    const alone = await corpus.build("alone");
    const dir = join(corpus.dir, "docs");
    for (const of of [1, 3]) {
      const folders = Array.from({ length: of }, (_, at) => join(corpus.dir, "parts", `${at + 1}-${of}`));
      for (const [at, outDir] of folders.entries()) await buildPart({ dir, outDir }, { index: at + 1, of });
      const summary = await joinParts(
        { precise: "off", dir, outDir: join(corpus.dir, "indexes", `joined-${of}`) },
        folders,
      );
      expect(summary).toEqual(alone);
      expect(await corpus.files(`joined-${of}`)).toEqual(await corpus.files("alone"));
    }
  });
});
