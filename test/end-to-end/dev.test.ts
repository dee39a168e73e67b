/** `treeline dev` as a person uses it: what it answers and keeps, start again, wrong words, and every way to die. */
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findPlaces } from "../../indexer/base/installation.ts";
import { type DevServer, removeServed, runDev, startDev } from "../support/dev-server.ts";
import { SERVED_DOCS } from "../support/served-index.ts";

const GONE = { timeout: 60_000, interval: 100 };

const STATE_CALL = { name: "session_state", arguments: {} };

let dir: string;
let server: DevServer;

// One after another: the second ends the server, and the third starts it again.
describe("treeline dev", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-dev-"));
    await cp(SERVED_DOCS, dir, { recursive: true });
    process.env["LOG_LEVEL"] = "info";
    server = await startDev(dir, "--port", "0", "--no-watch").finally(() => delete process.env["LOG_LEVEL"]);
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await removeServed(dir);
  });

  it("answers only under names of this machine", async () => {
    const { hostname, port } = new URL(server.url);
    expect(await statusUnder(hostname, Number(port), "evil.example")).toBe(403);
    expect(await statusUnder(hostname, Number(port), `localhost:${port}`)).toBe(200);
  });

  it("keeps no handle of a session in any file, wherever it stood in addresses, and ends where its terminal does", async () => {
    const opened = await fetch(`${server.url}/session`, { method: "POST" });
    const { session } = (await opened.json()) as { session: string };
    for (const path of [`/mcp?session=${session}`, `/s/${session}/mcp`, `/s/${session}/nothing`]) {
      const response = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: STATE_CALL }),
      });
      expect(await response.text()).not.toBe("");
    }
    // Lines of the log come out of the runtime behind the answers, as traces do.
    const log = (): string => readFileSync(findPlaces(dir).log, "utf8");
    await vi.waitFor(() => expect(log()).toContain('"route":"none"'), GONE);
    const folder = dirname(findPlaces(dir).index);
    expect(server.startedProcesses().length).toBeGreaterThan(1);
    expect(await server.end("SIGHUP")).toBe(0);
    await vi.waitFor(() => expect(server.startedProcesses()).toEqual([]), GONE);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    expect(filesWith(folder, session)).toEqual([]);
    // What is kept is the session itself, under a name that is no handle, and the Worker's own lines.
    expect(filesWith(folder, "session_state").length).toBeGreaterThan(1);
    expect(log()).toContain('"route":"/s/:session/mcp"');
  });

  it("puts only the pointer into the local R2 when it starts again, and leaves nothing running when it is killed", async () => {
    server = await startDev(dir, "--port", "0", "--no-watch");
    expect(server.output()).toMatch(/Local R2: 1 written \(\d+ kB\), [1-9]\d* already there/);
    expect(server.startedProcesses().length).toBeGreaterThan(1);
    await server.end("SIGKILL");
    await vi.waitFor(() => expect(server.startedProcesses()).toEqual([]), GONE);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
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

/** Files anywhere in a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

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
