import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { seedBucket } from "../../../../indexer/cli/dev/worker-process.ts";

const base = await mkdtemp(join(tmpdir(), "treeline-seed-"));
const indexDir = join(base, "index");
const stateDir = join(base, "state");

async function writeIndex(files: Record<string, string>): Promise<void> {
  await rm(indexDir, { recursive: true, force: true });
  await mkdir(indexDir, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(indexDir, name), content);
}

// One after another: each continues with the bucket that the one before left.
describe("seedBucket", () => {
  afterAll(() => rm(base, { recursive: true, force: true }));

  it("puts every file and the pointer, also more files than one request takes", async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`${index}.pack`, `content ${index}`]));
    await writeIndex({ ...many, "treeline.pointer": "p1", ".hidden.partial": "x" });
    const seeded = await seedBucket(indexDir, stateDir);
    expect(seeded).toMatchObject({ uploaded: 451, kept: 0, removed: 0 });
    expect(seeded.names).toHaveLength(450);
  });

  it("puts only the pointer when nothing else is new", async () => {
    expect(await seedBucket(indexDir, stateDir)).toMatchObject({ uploaded: 1, kept: 450, removed: 0 });
  });

  it("puts what is missing and removes what nobody needs any more", async () => {
    await writeIndex({ "0.pack": "content 0", "new.pack": "n", "treeline.pointer": "p2" });
    const seeded = await seedBucket(indexDir, stateDir, ["1.pack", "2.pack"]);
    expect(seeded).toMatchObject({ uploaded: 2, kept: 1, removed: 447, uploadedBytes: 3 });
  });

  it("keeps names of one index for the next seeding only", async () => {
    expect(await seedBucket(indexDir, stateDir)).toMatchObject({ kept: 2, removed: 2 });
  });
});
