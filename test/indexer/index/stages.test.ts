import { EventEmitter } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../../indexer/config/config.ts";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { prepareDocuments } from "../../../indexer/index/load-documents.ts";
import { type PackedResult, type PrepareSetup, prepareAll } from "../../../indexer/index/prepare-worker.ts";
import { openCard } from "../../../indexer/index/prepared-document.ts";
import { findFailing, STAGE_FAILED, type Stage } from "../../../indexer/index/stages.ts";
import { loadOutline } from "../../../src/core/docs/documents.ts";
import { InputError } from "../../../src/core/errors.ts";
import { search } from "../../../src/core/search/search.ts";
import { openFiles } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";
import { makeFolder, readFolder } from "../../support/temporary-folder.ts";

const page = (name: string): string =>
  `---\ntags: [${name}]\n---\n# Page ${name}\n\nAn HTTP API (Hypertext API) says ${name}words. See [one](one.md#part).\n\n## Part\n\nMore of ${name}.\n`;
const LIBRARY = { "lib.ts": "export const lib = 1;\n" };
const PAGES = { ...LIBRARY, "one.md": page("one"), "three.md": page("three"), "two.md": page("two") };
const SOURCES = {
  ...LIBRARY,
  "one.ts": "/** Says onewords. */\nexport function one(): void {\n  two();\n}\n",
  "three.ts": "/** Says threewords. */\nexport function three(): void {}\n",
  "two.ts": "/** Says twowords. */\nexport function two(): void {}\n",
};
const FILE_STAGES: readonly Stage[] = ["parse", "sections", "scan", "facets", "invert"];
const PAGE_STAGES: readonly Stage[] = [...FILE_STAGES, "acronyms", "names", "candidates"];
const CORPUS_STAGES: readonly Stage[] = ["resolve", "link", "insights", "topics", "synonyms", "encode"];

/** Builds a folder with a stage that throws for a file. */
async function buildWith(files: Readonly<Record<string, string>>, failing: Stage, path: string) {
  const dir = await makeFolder(files);
  const outDir = join(dir, "index");
  const summary = await buildCorpus({
    dir,
    outDir,
    threads: 0,
    before: (stage, file) => {
      if (stage === failing && file === path) throw new TypeError(`no ${stage} of ${file}`);
    },
  });
  const { reader } = await openFiles(await readFolder(outDir), "all");
  const find = async (query: string): Promise<string[]> =>
    (await search(reader, ask(query))).hits.map(({ path: found }) => found);
  const outline = async (id: string): Promise<unknown> =>
    (await loadOutline(reader, id))?.sections.map(({ title, startLine }) => [title, startLine]);
  return { summary, find, outline };
}

describe("a build with a stage that throws on one file of three", () => {
  const cases = [
    ...PAGE_STAGES.map((stage) => ["page", stage, PAGES, "docs", "md"] as const),
    ...FILE_STAGES.map((stage) => ["source file", stage, SOURCES, "code", "ts"] as const),
    ...CORPUS_STAGES.flatMap((stage) => [
      ["page", stage, PAGES, "docs", "md"] as const,
      ["source file", stage, SOURCES, "code", "ts"] as const,
    ]),
  ];
  it.each(cases)("keeps the others whole and the %s as text: %s", async (_, stage, files, collection, ending) => {
    const healthy = await buildWith(files, stage, "");
    const { summary, find, outline } = await buildWith(files, stage, `three.${ending}`);
    const failed = summary.diagnostics.filter(({ code }) => code === STAGE_FAILED);
    expect(failed).toMatchObject([{ severity: "error", path: `three.${ending}`, collection }]);
    expect(failed[0]?.message).toContain(`stage ${stage} failed (no ${stage} of three.${ending})`);
    expect([summary.documents, summary.skipped]).toEqual([4, []]);
    for (const name of ["one", "two", "three"]) expect((await find(`${name}words`))[0]).toBe(`${name}.${ending}`);
    for (const name of ["one", "two"]) {
      const id = `${collection}:${name}.${ending}`;
      expect(await outline(id)).toEqual(await healthy.outline(id));
    }
  });

  it("is built on no base, and no later build on it", async () => {
    const dir = await makeFolder(PAGES);
    const build = (out: string, base: string | undefined, isFailing: boolean) =>
      buildCorpus({
        dir,
        outDir: join(dir, ".treeline", out),
        threads: 0,
        ...(base !== undefined && { base: join(dir, ".treeline", base) }),
        before: (stage, path) => {
          if (isFailing && stage === "encode" && path === "three.md") throw new Error("no");
        },
      });
    await build("whole", undefined, false);
    expect((await build("failed", "whole", true)).notice).toBe("a stage failed, see the errors");
    expect((await build("after", "failed", false)).notice).toBe("a stage failed when the base was built");
    expect((await build("again", "after", false)).notice).toBe("");
  });

  it("finds nothing to blame where the machine is: such errors end the build", async () => {
    const dir = await makeFolder(PAGES);
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write", errno: -28 });
    const before = (stage: Stage): void => {
      if (stage === "encode") throw full;
    };
    await expect(buildCorpus({ dir, outDir: join(dir, "index"), threads: 0, before })).rejects.toThrow(InputError);
  });

  it("leaves out what a stage makes where it throws whatever the files are", async () => {
    for (const [stage, part] of [
      ["topics", "topics"],
      ["insights", "insights"],
      ["resolve", "links"],
      ["synonyms", "synonyms"],
    ] as const) {
      let calls = 0;
      const dir = await makeFolder(PAGES);
      const summary = await buildCorpus({
        dir,
        outDir: join(dir, "index"),
        threads: 0,
        before: (now) => {
          // Fails at every attempt, and in no trial that looks for a file.
          if (now === stage && calls++ === 0) throw new Error("out of order");
        },
      });
      expect(summary.diagnostics.filter(({ code }) => code === STAGE_FAILED).map(({ message }) => message)).toEqual([
        `stage ${stage} failed (out of order); the index has no ${part}`,
      ]);
      expect(summary.documents).toBe(4);
    }
  });
});

describe("findFailing", () => {
  it("names the items that fail alone, else the one that fails with those before it", async () => {
    const trial = (isBad: (items: readonly number[]) => boolean) => async (items: readonly number[]) => {
      if (isBad(items)) throw new Error("bad");
    };
    const items = Array.from({ length: 40 }, (_, at) => at);
    const find = async (isBad: (items: readonly number[]) => boolean): Promise<number[]> => [
      ...(await findFailing(items, trial(isBad), "topics")).keys(),
    ];
    expect(await find((some) => some.includes(3) || some.includes(17))).toEqual([3, 17]);
    expect(await find((some) => some.includes(3) && some.includes(17))).toEqual([17]);
    expect(await find((some) => some.length > 20)).toEqual([20]);
    expect(await find(() => false)).toEqual([]);
    expect(await find(() => true)).toEqual([0]);
  });
});

/** A thread that ends at some files. */
class FragileThread extends EventEmitter {
  readonly #setup: PrepareSetup;
  readonly #ends: (paths: readonly string[]) => boolean;
  #isOver = false;

  constructor(setup: PrepareSetup, ends: (paths: readonly string[]) => boolean) {
    super();
    this.#setup = setup;
    this.#ends = ends;
  }

  postMessage(tasks: Parameters<typeof prepareAll>[0]): void {
    if (this.#isOver) throw new Error("the thread is over");
    this.#isOver = this.#ends(tasks.map(({ path }) => path));
    if (this.#isOver) queueMicrotask(() => this.emit("exit", 134));
    else void prepareAll(tasks, this.#setup).then((results) => this.emit("message", results));
  }

  async terminate(): Promise<number> {
    return 0;
  }
}

describe("a worker thread that ends", () => {
  const prepare = async (ends: (paths: readonly string[]) => boolean) => {
    const names = Array.from({ length: 60 }, (_, at) => `p${at}.md`);
    const dir = await makeFolder(
      Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.\n\n## Part\n\nx\n`])),
    );
    const { collections, limits } = defaultConfig();
    const results: PackedResult[] = [];
    await prepareDocuments(
      names.map((path, number) => ({ path, number, collection: 0 })),
      { collections, roots: [dir], limits },
      (at, result) => {
        results[at] = result;
      },
      () => undefined,
      {
        threads: 1,
        startThread: (setup) => new FragileThread(setup, ends) as never,
      },
    );
    return results.map((result) =>
      result.ok ? openCard(result.document.card, { number: 0, collection: 0 }) : undefined,
    );
  };

  it("costs the file that ended it, which becomes plain text", async () => {
    const heads = await prepare((paths) => paths.includes("p30.md"));
    expect(heads.every((head) => head !== undefined)).toBe(true);
    const failed = heads.filter((head) => head?.diagnostics.some(({ code }) => code === STAGE_FAILED));
    // The main thread takes the first 8 files, and the other one all that come behind them.
    expect(failed.map((head) => head?.path)).toEqual(["p30.md"]);
  });

  it("costs nothing where no thread works", async () => {
    const heads = await prepare(() => true);
    expect(heads.flatMap((head) => head?.diagnostics ?? [])).toEqual([]);
  });
});
