import { describe, expect, it } from "vitest";
import { type ObjectStore, TooLarge } from "../../../indexer/publish/object-store.ts";
import { openBucket, readCredentials } from "../../../indexer/publish/s3.ts";

import { InputError } from "../../../src/core/errors.ts";
import { createFakeS3, type FakeS3, type Fault } from "../../support/fake-s3.ts";

const ADDRESS = "https://account.r2.cloudflarestorage.com/index";
const SECRETS = { accessKeyId: "id", secretAccessKey: "a-secret" };

describe("a bucket", () => {
  it.each([
    ["", "https address"],
    ["bucket", "https address"],
    ["http://account.r2.cloudflarestorage.com/b", "https address"],
    ["ftp://localhost/b", "https address"],
    ["https://account.r2.cloudflarestorage.com", "name of the bucket"],
    ["https://account.r2.cloudflarestorage.com/b?x=1", "name of the bucket"],
    ["https://id:a-secret@account.r2.cloudflarestorage.com/b", "no credentials"],
  ])("is not at %j, and what is said of it holds no secret", (address, words) => {
    expect(() => openBucket(address, SECRETS)).toThrow(words);
    expect(() => openBucket(address, SECRETS)).not.toThrow("a-secret");
  });

  it("takes credentials from the environment alone", () => {
    expect(readCredentials({ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" })).toEqual({
      accessKeyId: "a",
      secretAccessKey: "b",
    });
    expect(
      readCredentials({ AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_SESSION_TOKEN: "c" }),
    ).toHaveProperty("sessionToken", "c");
    for (const environment of [{}, { AWS_ACCESS_KEY_ID: "a" }, { AWS_SECRET_ACCESS_KEY: "b" }]) {
      expect(() => readCredentials(environment)).toThrow("AWS_ACCESS_KEY_ID");
    }
  });
});

interface Opened {
  readonly s3: FakeS3;
  readonly bucket: ObjectStore;
  /** Milliseconds that were waited before each further try. */
  readonly waits: readonly number[];
}

function open(...faults: readonly (Fault | undefined)[]): Opened {
  const s3 = createFakeS3();
  s3.faults.push(...faults);
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  return { s3, waits, bucket: openBucket(ADDRESS, SECRETS, { send: s3.send, sleep, random: () => 0.5 }) };
}

const BYTES = Uint8Array.of(1, 2, 3);
const FAULTS: readonly Fault[] = [
  "before",
  "after",
  "cut",
  { status: 500 },
  { status: 503, code: "SlowDown" },
  { status: 429 },
  { status: 400, code: "XAmzContentSHA256Mismatch" },
];

describe("requests to a bucket", () => {
  it.each(FAULTS)("are sent again after %j, and done once", async (fault) => {
    const { s3, bucket } = open();
    for (const work of [
      () => bucket.upload("a", BYTES),
      () => bucket.get("a"),
      () => bucket.list(),
      () => bucket.put("p", BYTES, "text/plain", undefined).then((done) => expect(done).toBe(true)),
      () => bucket.remove(["a"], Number.POSITIVE_INFINITY),
    ]) {
      s3.faults.push(fault, fault);
      await work();
      expect(s3.faults).toEqual([]);
    }
    expect([...s3.objects.keys()]).toEqual(["p"]);
    expect(bucket.requests()).toBe(s3.requests.length);
  });

  it("wait longer after each try, as long as they are asked to, and end", async () => {
    const { s3, bucket, waits } = open(...Array<Fault>(9).fill("before"));
    await expect(bucket.list()).rejects.toThrow("did not answer (listing the bucket: ECONNRESET)");
    expect(waits).toEqual([100, 200, 400, 800, 1600]);
    expect(s3.requests).toHaveLength(6);
    const asked = open({ status: 429, wait: "7" }, { status: 503, wait: "9999" });
    await asked.bucket.list();
    expect(asked.waits).toEqual([7_000, 30_000]);
  });

  it("are not sent again where another try gives no other answer, nor past their deadline", async () => {
    for (const fault of [{ status: 403 }, { status: 400 }, { status: 501 }, { status: 507 }]) {
      const { s3, bucket } = open(fault);
      await expect(bucket.upload("a", BYTES)).rejects.toThrow();
      expect(s3.requests).toHaveLength(1);
    }
    const late = open("before", "before");
    await expect(late.bucket.remove(["a"], performance.now() + 50)).rejects.toThrow("did not answer");
    expect(late.s3.requests).toHaveLength(1);
  });

  it("know their own pointer again where the answer to its writing was lost, and nobody else's", async () => {
    const own = open("after");
    expect(await own.bucket.put("p", BYTES, "text/plain", undefined)).toBe(true);
    const other = open("before");
    other.s3.objects.set("p", { bytes: Uint8Array.of(9), modifiedAt: 0 });
    expect(await other.bucket.put("p", BYTES, "text/plain", undefined)).toBe(false);
    // Of who was answered at once it is known that it was somebody else.
    const twice = open();
    expect(await twice.bucket.put("p", BYTES, "text/plain", undefined)).toBe(true);
    expect(await twice.bucket.put("p", BYTES, "text/plain", undefined)).toBe(false);
  });

  it("list a bucket to its end, with all names as they are", async () => {
    const { s3, bucket } = open();
    const names = ["a", "b", "d&<e>", 'f"', "g h+i%20", "näme", "z"];
    for (const name of names) s3.objects.set(name, { bytes: BYTES, modifiedAt: 1_000 });
    const listed = await bucket.list();
    expect(listed.map(({ name }) => name)).toEqual([...names].sort());
    expect(listed[0]).toEqual({ name: "a", bytes: 3, modifiedAt: 1_000, md5: "5289df737df57326fcdd22597afb1fac" });
    expect(s3.requests).toHaveLength(3);
  });

  it("reach what lies in a folder by its name there, and list neither what is beside nor what is below", async () => {
    const { s3, bucket } = open();
    const v2 = bucket.within("v2");
    for (const name of ["a", "v1/a", "v1/b", "v2/x/deep", "v2/", "v20/a", "w/a"]) {
      s3.objects.set(name, { bytes: BYTES, modifiedAt: 1_000 });
    }
    await v2.upload("b", BYTES);
    expect(await v2.put("p", BYTES, "text/plain", undefined)).toBe(true);
    expect((await v2.get("p"))?.bytes).toEqual(BYTES);
    expect(await v2.get("a")).toBeUndefined();
    expect((await v2.list()).map(({ name }) => name)).toEqual(["b", "p"]);
    expect(await v2.folders()).toEqual(["x"]);
    expect((await bucket.list()).map(({ name }) => name)).toEqual(["a"]);
    expect(await bucket.folders()).toEqual(["v1", "v2", "v20", "w"]);
    await v2.remove(["b", "a"], Number.POSITIVE_INFINITY);
    expect([...s3.objects.keys()].sort()).toEqual(["a", "v1/a", "v1/b", "v2/", "v2/p", "v2/x/deep", "v20/a", "w/a"]);
    expect(v2.place).toBe(`${ADDRESS}/v2`);
    expect(bucket.requests()).toBe(s3.requests.length);
  });

  it("do not write over what was removed since, however that is answered", async () => {
    const { s3, bucket } = open({ status: 404, code: "NoSuchKey" }, { status: 412, code: "PreconditionFailed" });
    for (let answer = 0; answer < 2; answer++) expect(await bucket.put("p", BYTES, "text/plain", '"tag"')).toBe(false);
    expect(s3.objects.size).toBe(0);
  });

  it.each([
    [{ status: 403, code: "SignatureDoesNotMatch" }, "must be those of a token"],
    [{ status: 403, code: "AccessDenied" }, "Object Read & Write"],
    [{ status: 401, code: "Unauthorized" }, "refused the credentials"],
    [{ status: 404, code: "NoSuchBucket" }, "no such bucket"],
    [{ status: 403, code: "RequestTimeTooSkewed" }, "clock of this machine"],
    [{ status: 403, code: "NotEntitled" }, "Cloudflare dashboard"],
    [{ status: 403, code: "QuotaExceeded" }, "takes no more"],
    [{ status: 507 }, "takes no more"],
  ])("say what to do about %j", async (fault, words) => {
    for (const work of [
      (bucket: ObjectStore) => bucket.get("a"),
      (bucket: ObjectStore) => bucket.list(),
      (bucket: ObjectStore) => bucket.upload("a", BYTES),
      (bucket: ObjectStore) => bucket.put("a", BYTES, "", undefined),
      (bucket: ObjectStore) => bucket.remove(["a"], Number.POSITIVE_INFINITY),
    ]) {
      const error = await work(open(fault).bucket).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InputError);
      expect((error as Error).message).toContain(words);
      expect((error as Error).message).not.toContain(SECRETS.secretAccessKey);
    }
  });

  it("read no more of an object than it may have, however much comes", async () => {
    const { s3, bucket } = open();
    await bucket.upload("a", BYTES);
    expect((await bucket.get("a", BYTES.length))?.bytes).toEqual(BYTES);
    await expect(bucket.get("a", BYTES.length - 1)).rejects.toThrow(TooLarge);
    let pieces = 0;
    let isCancelled = false;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (stream) => {
            pieces++;
            stream.enqueue(new Uint8Array(1024 * 1024));
          },
          cancel: () => {
            isCancelled = true;
          },
        }),
        { headers: { ETag: '"x"' } },
      );
    const hostile = openBucket(ADDRESS, SECRETS, { send: async () => endless() });
    await expect(hostile.within("v2").get("a", 3 * 1024 * 1024)).rejects.toThrow(
      `v2/a in ${ADDRESS} has more than the 3145728 bytes`,
    );
    expect(isCancelled).toBe(true);
    expect(pieces).toBeLessThan(10);
    await expect(hostile.list()).rejects.toThrow("no bucket");
    expect(s3.requests.filter((request) => request === "GET a")).toHaveLength(2);
  });
});
