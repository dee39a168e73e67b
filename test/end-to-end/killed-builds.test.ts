import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRandom } from "../../bench/random.ts";
import { killBuilds, killMerges, raceBuilds, writeCorpus } from "../support/kill-builds.ts";
import { makeFolder } from "../support/temporary-folder.ts";

const PAGES = 40;
const ROUNDS = 5;

describe("builds as processes", () => {
  it("that are killed leave an index that is whole and answers as before", async () => {
    const dir = await makeFolder();
    const [one, two, out] = [join(dir, "one"), join(dir, "two"), join(dir, "out")] as const;
    await writeCorpus(one, 1, PAGES);
    await writeCorpus(two, 2, PAGES);
    const report = await killBuilds([one, two], out, ROUNDS, makeRandom(7));
    expect(report.killed + report.finished).toBe(ROUNDS);
    expect(report.killed).toBeGreaterThan(0);
    await raceBuilds([one, two, one], out);
  });

  it("on the index of their own folder that are killed leave it whole, and the next one brings all", async () => {
    const dir = await makeFolder();
    const source = join(dir, "pages");
    await writeCorpus(source, 1, PAGES);
    const { killed, finished, levels } = await killMerges(source, join(dir, "out"), 2 * ROUNDS, makeRandom(3));
    expect(killed + finished).toBe(2 * ROUNDS);
    expect(killed).toBeGreaterThan(0);
    expect(levels).toBeGreaterThan(1);
  });
});
