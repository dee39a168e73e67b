import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalBucket, startLocalBucket } from "../../../../indexer/cli/dev/local-bucket.ts";

const base = await mkdtemp(join(tmpdir(), "treeline-seed-"));
const indexDir = join(base, "index");
const stateDir = join(base, "state");

async function writeIndex(files: Record<string, string>): Promise<void> {
  await rm(indexDir, { recursive: true, force: true });
  await mkdir(indexDir, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(indexDir, name), content);
}

// One after another: each continues with the bucket that the one before left.
describe("a local bucket", () => {
  let bucket: ReturnType<typeof openLocalBucket>;
  beforeAll(() => {
    bucket = openLocalBucket(stateDir);
  });
  afterAll(async () => {
    await bucket.close();
    await rm(base, { recursive: true, force: true });
  });

  it("takes every file and the pointer, also more files than one request takes", async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`${index}.pack`, `content ${index}`]));
    await writeIndex({ ...many, "treeline.pointer": "p1", ".hidden.partial": "x" });
    expect(await bucket.seed(indexDir)).toMatchObject({ uploaded: 451, kept: 0, removed: 0 });
  });

  it("takes only the pointer when nothing else is new", async () => {
    expect(await bucket.seed(indexDir)).toMatchObject({ uploaded: 1, kept: 450, removed: 0 });
  });

  it("keeps the names of one index for the next seeding only", async () => {
    await writeIndex({ "0.pack": "content 0", "new.pack": "n", "treeline.pointer": "p2" });
    expect(await bucket.seed(indexDir)).toMatchObject({ uploaded: 2, kept: 1, removed: 0, uploadedBytes: 3 });
    expect(await bucket.seed(indexDir)).toMatchObject({ uploaded: 1, kept: 2, removed: 449 });
  });

  it("is found as it was left, and filled by a process of its own that ends when it is closed", async () => {
    await bucket.close();
    await writeIndex({ "0.pack": "content 0", "treeline.pointer": "p3" });
    bucket = startLocalBucket(stateDir);
    expect(await bucket.seed(indexDir)).toEqual({ uploaded: 1, uploadedBytes: 2, kept: 1, removed: 1 });
    await expect(bucket.seed(join(base, "gone"))).rejects.toThrow("ENOENT");
    await bucket.close();
    bucket = openLocalBucket(stateDir);
    expect(await bucket.seed(indexDir)).toMatchObject({ uploaded: 1, kept: 1, removed: 0 });
  });
});
