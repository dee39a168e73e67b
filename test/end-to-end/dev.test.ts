/**
 * `treeline dev` as a person uses it: start, change a page, break a page, stop, start again, and every way to die.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findPlaces } from "../../indexer/dev/places.ts";
import { removeServed, runDev, startDev } from "../support/dev-server.ts";
import { SERVED_DOCS } from "../support/served-index.ts";

/** A publish is seen after 15 seconds at the latest; building and seeding come before. */
const SEEN = { timeout: 40_000, interval: 500 };
const GONE = { timeout: 10_000, interval: 200 };

let dir: string;

async function suggestionsFor(url: string, typed: string): Promise<string[]> {
  const response = await fetch(`${url}/suggest?q=${typed}`);
  return ((await response.json()) as { suggestions: { text: string }[] }).suggestions.map(({ text }) => text);
}

async function totalOf(url: string, word: string): Promise<number> {
  const response = await fetch(`${url}/search?q=${word}`);
  return ((await response.json()) as { total: number }).total;
}

describe("treeline dev", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-dev-"));
    await cp(SERVED_DOCS, dir, { recursive: true });
  });
  afterAll(() => removeServed(dir));

  it("serves a folder, follows its changes, survives a broken configuration and leaves nothing running", async () => {
    const server = await startDev(dir, "--port", "0");
    expect(await totalOf(server.url, "zebras")).toBe(1);
    expect(await suggestionsFor(server.url, "treel")).toContain("Install Treeline");

    await writeFile(join(dir, "new.md"), "# A new page\n\nIt tells of capybaras.\n");
    await vi.waitFor(async () => expect(await totalOf(server.url, "capybaras")).toBe(1), SEEN);

    await writeFile(join(dir, "treeline.config.json"), '{ "collections": 5 }');
    await vi.waitFor(() => expect(server.output()).toContain("the index from before keeps answering"), SEEN);
    expect(server.output()).toMatch(/treeline\.config\.json:1:\d+/);
    expect(await totalOf(server.url, "capybaras")).toBe(1);
    await rm(join(dir, "treeline.config.json"));

    expect(server.startedProcesses().length).toBeGreaterThan(1);
    expect(await server.end("SIGINT")).toBe(0);
    await vi.waitFor(() => expect(server.startedProcesses()).toEqual([]), GONE);
  });

  it("puts only the pointer into the local R2 when it starts again on the same pages", async () => {
    await rm(join(dir, "new.md"), { force: true });
    const first = await startDev(dir, "--port", "0", "--no-watch");
    await first.end("SIGTERM");
    const second = await startDev(dir, "--port", "0", "--no-watch");
    expect(second.output()).toMatch(/Local R2: 1 written \(\d+ kB\), [1-9]\d* already there/);
    expect(await second.end("SIGTERM")).toBe(0);
  });

  it.each(["SIGHUP", "SIGKILL"] as const)("leaves nothing running when it is ended by %s", async (signal) => {
    const server = await startDev(dir, "--port", "0", "--no-watch");
    await server.end(signal);
    await vi.waitFor(() => expect(server.startedProcesses()).toEqual([]), GONE);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  });

  it("answers only under names of this machine", async () => {
    const server = await startDev(dir, "--port", "0", "--no-watch");
    const { hostname, port } = new URL(server.url);
    const status = await statusUnder(hostname, Number(port), "evil.example");
    expect(status).toBe(403);
    expect(await statusUnder(hostname, Number(port), `localhost:${port}`)).toBe(200);
    await server.end("SIGTERM");
  });

  it("writes no handle of a session to disk", async () => {
    const server = await startDev(dir, "--port", "0", "--no-watch");
    const opened = await fetch(`${server.url}/session`, { method: "POST" });
    const { session } = (await opened.json()) as { session: string };
    for (const path of [`/s/${session}/mcp`, `/s/${session}`, `/mcp?session=${session}`])
      await fetch(server.url + path);
    expect(await server.end("SIGTERM")).toBe(0);
    const { log } = findPlaces(dir);
    expect(await readFile(log, "utf8")).toContain("GET /s/…/mcp");
    const base = dirname(log);
    for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect((await readFile(join(entry.parentPath, entry.name))).includes(session), entry.name).toBe(false);
    }
  });

  it("says in words what is wrong: folder, port, option", async () => {
    const missing = await runDev("/no/such/folder", "--port", "0");
    expect(missing).toMatchObject({
      code: 1,
      output: expect.stringContaining('folder "/no/such/folder" does not exist'),
    });
    expect(await runDev(dir, "--port", "many")).toMatchObject({
      code: 2,
      output: expect.stringContaining("--port must be"),
    });
    expect(await runDev(dir, "--prot", "1")).toMatchObject({
      code: 2,
      output: expect.stringContaining("did you mean --port"),
    });

    const blocker = createServer();
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, "127.0.0.1", () => resolve((blocker.address() as { port: number }).port));
    });
    const busy = await runDev(dir, "--port", String(port));
    blocker.close();
    expect(busy).toMatchObject({ code: 1, output: expect.stringContaining(`port ${port} is in use`) });
  });
});

/** Status of `/health` asked for under a host name that `fetch` would not let one set. */
async function statusUnder(address: string, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: address, port, path: "/health", headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
