/** `treeline dev` while pages change: most of its time it waits, so it stands in a file that runs beside others. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { removeServed, startDev } from "../support/dev-server.ts";
import { SERVED_DOCS } from "../support/served-index.ts";

/** A publish is seen after 15 seconds at the latest; building and seeding come before. */
const SEEN = { timeout: 80_000, interval: 200 };
const GONE = { timeout: 60_000, interval: 100 };

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
});
