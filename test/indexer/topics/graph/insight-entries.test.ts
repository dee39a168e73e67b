/** The table of insights: small whatever the graph, and the same when it is built on a base. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FileGraphs, insightEntries } from "../../../../indexer/topics/graph/insights.ts";
import { type FileGraph, makeFileGraph, makePageGraph } from "../../../../indexer/topics/graph/link-graph.ts";
import { readInsights } from "../../../../src/core/code/insights.ts";
import { roleOfPath } from "../../../../src/core/docs/roles.ts";
import { decodeInsight, type INSIGHT_NAMES, keyOfInsight } from "../../../../src/core/format/insights.ts";
import { graphSettings } from "../../../support/linked-files.ts";
import { makeUpCode } from "../../../support/made-up-code.ts";
import { makeCorpus } from "../../../support/small-corpus.ts";

const SETTINGS = graphSettings();
const alone = (all: FileGraph): FileGraphs => ({ product: all, all, roleOf: roleOfPath });
const NO_PAGES = makePageGraph({ documents: [], collectionName: () => "", links: new Map() }, SETTINGS);

describe("entries of the table of insights", () => {
  it("are a few kilobytes for 10,000 files with 100,000 imports in one large tangle", () => {
    const count = 10_000;
    const { files } = makeUpCode(1, { files: count, symbolsPerFile: 0, edgesPerFile: 0, mentions: 0 });
    const at = { line: 1, column: 1 };
    const edges = files.map((_, from) =>
      Array.from({ length: 10 }, (__, n) => ({
        kind: "imports" as const,
        tier: "scope" as const,
        typeOnly: n > 7,
        from: -1,
        at,
        // One step, then others at odd distances: no two files import each other.
        to: { file: (from + 1 + n * 97) % count, symbol: -1 },
      })),
    );
    const graph = makeFileGraph({ files, edges }, SETTINGS);
    const entries = new Map(
      insightEntries(alone(graph), NO_PAGES, ["code"], SETTINGS).map(({ key, value }) => [key, value]),
    );
    const bytesOf = (name: (typeof INSIGHT_NAMES)[number]) => entries.get(keyOfInsight("", name)) as Uint8Array;
    expect(decodeInsight("fileMetrics", bytesOf("fileMetrics"))).toMatchObject({
      fileCount: count,
      dependencyCount: 100_000,
    });
    const cycles = decodeInsight("circularDependencies", bytesOf("circularDependencies"));
    expect(cycles.items.map(({ size, typeOnly }) => [size, typeOnly])).toEqual([[count, false]]);
    expect([...entries.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(24_000);
  });

  it("are of the whole group alone where it has one collection, and of each where it has several", () => {
    const { files } = makeUpCode(1, { files: 3, symbolsPerFile: 0, edgesPerFile: 0, mentions: 0 });
    const graph = makeFileGraph({ files, edges: files.map(() => []) }, SETTINGS);
    const collectionsOf = (names: readonly string[]) => [
      ...new Set(insightEntries(alone(graph), NO_PAGES, names, SETTINGS).map(({ key }) => key.split("\0")[0])),
    ];
    expect(collectionsOf(["code"])).toEqual([""]);
    // A collection without files has nothing to say of them.
    expect(collectionsOf(["code", "lib"])).toEqual(["", "code"]);
    expect(
      insightEntries(alone(makeFileGraph({ files: [], edges: [] }, SETTINGS)), NO_PAGES, ["code"], SETTINGS),
    ).toEqual([]);
  });
});

/** What one file of a history imports: others by their numbers, some of types alone. */
interface AnyFile {
  readonly imports: readonly { readonly to: number; readonly typeOnly: boolean }[];
  readonly style: boolean;
}

const FILES = 8;
const anyFile: fc.Arbitrary<AnyFile> = fc.record({
  imports: fc.array(fc.record({ to: fc.nat({ max: FILES - 1 }), typeOnly: fc.boolean() }), { maxLength: 3 }),
  style: fc.boolean(),
});
const anyEdit = fc.record({
  which: fc.nat({ max: FILES - 1 }),
  file: fc.option(anyFile, { freq: 4 }),
  page: fc.boolean(),
});

/** Path of a file: the first half in one collection, the rest in another. */
function pathOf(file: number): string {
  return `${file < FILES / 2 ? "app" : "lib"}/f${file}.ts`;
}

function textOf({ imports, style }: AnyFile): string {
  const lines = imports.map(
    ({ to, typeOnly }) => `import ${typeOnly ? "type " : ""}{ f${to} } from "../${pathOf(to).replace(".ts", "")}";`,
  );
  return [...lines, ...(style ? ['import "./look.css";'] : []), "export const f = 1;", ""].join("\n");
}

describe("insights of a build on a base", () => {
  it("are those of a build from scratch, whatever the edits", { timeout: 300_000 }, async () => {
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFile, { minLength: FILES, maxLength: FILES }),
        fc.array(fc.array(anyEdit, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
        async (files, history) => {
          const pages = Array.from({ length: 24 }, (_, n) => [
            `docs/p${n}.md`,
            `# Page ${n}\n\n[next](p${(n * 5) % 24}.md)\n`,
          ]);
          const corpus = await makeCorpus(
            Object.fromEntries([...files.map((file, n) => [pathOf(n), textOf(file)]), ...pages]),
            {
              collections: [
                { name: "app", root: "app", kind: "code" },
                { name: "lib", root: "lib", kind: "code" },
                { name: "docs", root: "docs" },
              ],
              precise: "off",
            },
          );
          await corpus.edit({ "app/stays.ts": "", "lib/stays.ts": "" });
          await corpus.build("base");
          const there = new Set(files.keys());
          for (const [step, edits] of history.entries()) {
            for (const { which, file, page } of edits) {
              if (file === null && !there.has(which)) continue;
              await corpus.edit({ [pathOf(which)]: file === null ? undefined : textOf(file) });
              if (file === null) there.delete(which);
              else there.add(which);
              if (page) await corpus.edit({ [`docs/p${which}.md`]: `# Page\n\n[gone](gone-${step}.md)\n` });
            }
            const { base } = await corpus.buildOn("base", `step-${step}`);
            if (base !== "") reused++;
            await corpus.build("scratch");
            for (const collection of [undefined, "app", "lib", "docs"]) {
              const [own, other] = await Promise.all(
                [`step-${step}`, "scratch"].map(async (index) =>
                  readInsights((await corpus.open(index)).reader, collection),
                ),
              );
              expect(own).toEqual(other);
            }
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 6), endOnFailure: true },
    );
    expect(reused).toBeGreaterThan(2);
  });
});
