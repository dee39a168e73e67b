import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { searchCommands } from "../../../../indexer/cli/commands/search.ts";
import { GRAPH_CONFIG, GRAPH_PROJECT } from "../../../support/graph-project.ts";
import { runCommands } from "../../../support/list-command.ts";
import { makeCorpus } from "../../../support/small-corpus.ts";

async function buildProject(): Promise<string> {
  const corpus = await makeCorpus(GRAPH_PROJECT, GRAPH_CONFIG);
  let ms = 0;
  await corpus.build("one", { clock: () => (ms += 1200) });
  return join(corpus.dir, "indexes", "one");
}

async function summary(...words: readonly string[]) {
  return runCommands([searchCommands.summary], ["summary", ...words]);
}

const NOTHING_ASIDE = { aside: {}, asideDependencyCount: 0 };

describe("treeline summary", () => {
  it("prints sentences, bars and short lists of all groups", async () => {
    const { code, out, err } = await summary("--index", await buildProject());
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^13 source files with 11 connections, built in 1\.2 s: a simple graph\. Top hub: app:src\/a\.ts/,
    );
    expect(out).toContain("  ████████████ 9 ts\n");
    expect(out).toContain("  2 files, types alone: app:src/shape.ts → app:src/types.ts → app:src/shape.ts\n");
    expect(out).toContain("Broken links: 1\n  docs:index.md → gone.md\n");
  });

  it("prints one JSON object, of one collection where one is named", async () => {
    const index = await buildProject();
    const { out } = await summary("--index", index, "--collection", "tools", "--json");
    expect(JSON.parse(out)).toMatchObject({
      metrics: { fileCount: 2, dependencyCount: 1, fileTypeBreakdown: { py: 2 }, ...NOTHING_ASIDE },
      insights: { topHubs: [{ id: "tools:run.py" }, { id: "tools:step.py" }].reverse() },
      metadata: { scanDurationMs: 1200, cacheReason: "read", warnings: [] },
    });
  });

  it("names the nearest collection, and says where no index is", async () => {
    const index = await buildProject();
    const wrong = await summary("--index", index, "--collection", "tool");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("did you mean: tools?")]);
    const missing = await summary("--index", join(index, "nowhere"));
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("no index in")]);
  });
});
