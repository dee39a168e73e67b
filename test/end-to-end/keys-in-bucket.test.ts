/** `treeline keys` against a bucket that checks signatures and conditions, several at once. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { openBucket } from "../../indexer/publish/s3.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { KEY_TEXT, parseAccessFile } from "../../src/surface/access/access-file.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";
import { groupedFiles } from "../support/grouped-files.ts";
import { type LocalBucket, startBucket } from "../support/local-bucket.ts";
import { makeFolder } from "../support/temporary-folder.ts";

let bucket: LocalBucket;

interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function keys(words: readonly string[], secret = bucket.credentials.secretAccessKey): Promise<Done> {
  const env = {
    ...quietEnvironment(),
    AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: secret,
  };
  const all = [join(projectRoot, "indexer", "cli", "main.ts"), "keys", ...words, "--bucket", bucket.address];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

async function storedKeys(): Promise<readonly string[]> {
  const object = await openBucket(bucket.address, bucket.credentials).get("access.json");
  const { keys: stored } = parseAccessFile(new TextDecoder().decode(object?.bytes));
  return stored.map(({ consumer }) => consumer);
}

// One after another: each goes on with the bucket that the one before left.
describe("keys in a bucket", () => {
  beforeAll(async () => {
    bucket = await startBucket();
  });
  afterAll(() => bucket?.stop());

  it("are refused to who has wrong credentials, or names no bucket", async () => {
    const refused = await keys(["add", "ci"], "wrong");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("refused the credentials");
    expect(refused.err).not.toContain("wrong");
    const nowhere = openBucket(bucket.address.replace("test-bucket", "no-bucket"), bucket.credentials);
    await expect(nowhere.get("access.json")).rejects.toThrow();
  });

  it("are written by several at once, and none is lost", async () => {
    const names = ["a", "b", "c", "d"];
    const done = await Promise.all(names.map((name) => keys(["add", name])));
    for (const { code, out } of done) {
      expect(code).toBe(0);
      expect(out.trim()).toMatch(KEY_TEXT);
    }
    expect([...(await storedKeys())].sort()).toEqual(names);
  });

  it("are written only where nobody wrote meanwhile", async () => {
    const opened = openBucket(bucket.address, bucket.credentials);
    const before = await opened.get("access.json");
    expect((await keys(["revoke", "a"])).code).toBe(0);
    const bytes = new Uint8Array([1]);
    expect(await opened.put("access.json", bytes, "text/plain", before?.etag)).toBe(false);
    expect(await opened.put("access.json", bytes, "text/plain", undefined)).toBe(false);
    expect(await opened.put("new name.txt", bytes, "text/plain", undefined)).toBe(true);
    expect((await opened.get("new name.txt"))?.bytes).toEqual(bytes);
    const { out } = await keys(["list"]);
    expect(out).toMatch(/ revoked {2}a: /);
    for (const name of ["b", "c", "d"]) expect(out).toContain(` active   ${name}: `);
  });

  it("are checked against the collections of the index that is published there", async () => {
    const dir = await makeFolder(groupedFiles());
    await buildCorpus({ dir, outDir: join(dir, ".out") });
    const pointer = Uint8Array.from(await readFile(join(dir, ".out", POINTER_FILE)));
    const opened = openBucket(bucket.address, bucket.credentials);
    expect(await opened.put(POINTER_FILE, pointer, "application/octet-stream", undefined)).toBe(true);
    const wrong = await keys(["add", "e", "--collections", "plnas"]);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain("did you mean: plans");
    const half = await keys(["add", "e", "--collections", "plans"]);
    expect(half.code).toBe(0);
    expect(half.err).toContain("does not see plans");
  });
});
