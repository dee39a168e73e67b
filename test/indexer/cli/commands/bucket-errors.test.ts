/** What a person is told when a bucket refuses, is none, or holds something else: each command, over HTTP, as it is typed. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { publishCommands } from "../../../../indexer/cli/commands/publish.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { POINTER_FILE } from "../../../../src/core/index/range-source.ts";
import { createFakeS3, type FakeS3, type Fault } from "../../../support/fake-s3.ts";
import { type CommandOutput, runCommands } from "../../../support/list-command.ts";
import { writeFiles } from "../../../support/temporary-folder.ts";

const COMMANDS = [
  publishCommands.publish,
  publishCommands.rollback,
  publishCommands.gc,
  publishCommands.corpora,
  publishCommands.pull,
];
const VERSION_AT = 4;

let dir: string;
let s3: FakeS3;
let server: Server;
let bucket: string;
/** What the server says in place of the bucket. */
let page: string | undefined;
/** Whether the bucket takes no more. */
let isFull = false;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-test-"));
  await writeFiles(dir, { "pages/page.md": "# Page\n" });
  await buildCorpus({ dir: join(dir, "pages"), outDir: join(dir, "index") });
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = request.method === "GET" ? null : Buffer.concat(chunks);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const asked = new Request(`http://fake${request.url}`, { method: request.method ?? "GET", headers, body });
    if (isFull && asked.method === "PUT") s3.faults.unshift({ status: 403, code: "QuotaExceeded" });
    const answer = page === undefined ? await s3.send(asked) : new Response(page, { headers: { ETag: '"1"' } });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  bucket = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  s3 = createFakeS3(Date.now);
  page = undefined;
  isFull = false;
  vi.stubEnv("AWS_ACCESS_KEY_ID", "an-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret");
});
afterEach(() => vi.unstubAllEnvs());

function calls(): readonly (readonly string[])[] {
  return [
    ["publish", "-i", join(dir, "index")],
    ["publish", "-i", join(dir, "index"), "--corpus", "v2"],
    ["rollback"],
    ["gc"],
    ["gc", "--corpus", "v2"],
    ["pull", "-i", join(dir, "pulled")],
    ["pull", "-i", join(dir, "pulled"), "--corpus", "v2"],
    ["corpora"],
    ["corpora", "remove", "v2", "--yes"],
  ];
}

function treeline(words: readonly string[]): Promise<CommandOutput> {
  return runCommands(COMMANDS, [...words, "--bucket", bucket]);
}

async function expectRefused(words: readonly string[], says: RegExp): Promise<void> {
  const { code, out, err } = await treeline(words);
  expect([code, out], words.join(" ")).toEqual([1, ""]);
  expect(err).toMatch(says);
  expect(err).not.toMatch(/a-secret|\n {4}at /);
}

/** The same index at the root and as v2. */
async function publishBoth(): Promise<void> {
  for (const words of calls().slice(0, 2)) expect((await treeline(words)).code).toBe(0);
}

const REFUSALS: readonly (readonly [Exclude<Fault, string>, RegExp])[] = [
  [{ status: 403, code: "SignatureDoesNotMatch" }, /AWS_SECRET_ACCESS_KEY must be those of a token/],
  [{ status: 403, code: "AccessDenied" }, /needs Object Read & Write/],
  [{ status: 401, code: "Unauthorized" }, /refused the credentials/],
  [{ status: 404, code: "NoSuchBucket" }, /no such bucket.*\nexample: --bucket https/],
  [{ status: 403, code: "RequestTimeTooSkewed" }, /the clock of this machine .*: set it/],
  [{ status: 403, code: "NotEntitled" }, /Cloudflare dashboard/],
  [{ status: 403, code: "QuotaExceeded" }, /takes no more .*treeline gc/],
  [{ status: 507 }, /takes no more .*treeline gc/],
  [{ status: 405, code: "MethodNotAllowed" }, /look at --bucket/],
];

describe("the commands that use a bucket", () => {
  it.each(REFUSALS)("say what to do about %j, and change nothing", async (fault, says) => {
    await publishBoth();
    const before = [...s3.objects];
    for (const words of calls()) {
      s3.faults.length = 0;
      s3.faults.push(...Array<Fault>(20).fill(fault));
      await expectRefused(words, says);
    }
    expect([...s3.objects]).toEqual(before);
    expect(await readdir(dir)).not.toContain("pulled");
  });

  it("say what to do where uploads alone are refused, and leave what is published", async () => {
    await publishBoth();
    await writeFiles(dir, { "other/page.md": "# Another page\n" });
    await buildCorpus({ dir: join(dir, "other"), outDir: join(dir, "another") });
    const pointer = s3.objects.get(POINTER_FILE);
    isFull = true;
    await expectRefused(["publish", "-i", join(dir, "another")], /takes no more \(writing .*treeline gc/);
    expect(s3.objects.get(POINTER_FILE)).toBe(pointer);
  });

  it("refuse a pointer of a newer format, and leave it and the folder as they are", async () => {
    await publishBoth();
    for (const name of [POINTER_FILE, `v2/${POINTER_FILE}`]) {
      const bytes = s3.objects.get(name)?.bytes.slice() ?? new Uint8Array();
      bytes[VERSION_AT] = 200;
      s3.objects.set(name, { bytes, modifiedAt: 0 });
    }
    const before = [...s3.objects];
    for (const words of calls().filter(([name]) => name !== "corpora")) {
      await expectRefused(words, /published by a newer Treeline .*: update Treeline; nothing was changed/);
    }
    const { code, err } = await treeline(["corpora"]);
    expect(code).toBe(0);
    expect(err.match(/newer Treeline/g)).toHaveLength(2);
    expect([...s3.objects]).toEqual(before);
    expect(await readdir(dir)).not.toContain("pulled");
  });

  it("mend what somebody else wrote half by publishing, and do not pull it", async () => {
    await publishBoth();
    const name = [...s3.objects.keys()].find((one) => one.startsWith("v2/") && one.endsWith(".pack")) ?? "";
    const whole = s3.objects.get(name)?.bytes ?? new Uint8Array();
    s3.objects.set(name, { bytes: whole.subarray(0, whole.length >> 1), modifiedAt: Date.now() });
    const [, publish = [], , , , , pull = []] = calls();
    await expectRefused(pull, /is incomplete .*publish it again to repair it/);
    expect((await treeline(publish)).out).toContain("uploaded 1 files");
    expect(s3.objects.get(name)?.bytes).toEqual(whole);
    expect((await treeline(pull)).code).toBe(0);
    await rm(join(dir, "pulled"), { recursive: true });
  });

  it("say that a web page is no bucket", async () => {
    for (page of ["<!doctype html><p>Welcome</p>", ""]) {
      for (const words of calls()) await expectRefused(words, /look at --bucket|cannot be read/);
    }
  });

  it("ask for credentials before anything is sent", async () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "");
    for (const words of calls()) await expectRefused(words, /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
    expect(s3.requests).toEqual([]);
  });
});
