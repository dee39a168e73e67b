/**
 * Prove that a build which is killed leaves an index that is whole, and that builds at once do not spoil each other's.
 *
 *   npm run prove:kill -- [COUNT] [SEED]
 *
 * Builds two corpora in turn into one folder and sends SIGKILL to COUNT (100) of the builds, at moments drawn with SEED (1),
 * most of them while files are written. After each, every file that the pointer names is there with the bytes of its name,
 * and a search answers as that generation always did. The same with builds on the index of their own folder, whose levels are
 * joined. Then builds of the same and of different corpora run three at once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killBuilds, killMerges, raceBuilds, writeCorpus } from "../test/support/kill-builds.ts";
import { makeRandom } from "./random.ts";

const PAGES = 400;
const RACES = 5;

const [countText = "100", seedText = "1"] = process.argv.slice(2);
const dir = await mkdtemp(join(tmpdir(), "treeline-kill-"));
try {
  const [one, two, out] = [join(dir, "one"), join(dir, "two"), join(dir, "out")] as const;
  await writeCorpus(one, 1, PAGES);
  await writeCorpus(two, 2, PAGES);
  const report = await killBuilds([one, two], out, Number(countText), makeRandom(Number(seedText)));
  console.log(
    `${report.killed} builds killed, ${report.interrupted} of them with files half way, ${report.switched} after the pointer; ` +
      `${report.finished} were done before. The folder was whole each time.`,
  );
  const merged = join(dir, "merged");
  const merges = await killMerges(two, merged, Number(countText), makeRandom(Number(seedText)));
  console.log(
    `Of builds on the index before, up to ${merges.levels} levels, ${merges.killed} were killed, ${merges.interrupted} of them with files half way, ` +
      `${merges.switched} after the pointer; ${merges.finished} were done before. The folder was whole each time, and the next build brought all.`,
  );
  for (let race = 0; race < RACES; race++) {
    await raceBuilds([one, one, two], out);
    await raceBuilds([two, one, two], out);
  }
  console.log(`${2 * RACES} times three builds at once: one generation stood, whole and alone.`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
