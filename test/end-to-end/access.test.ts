/** A private deployment as clients meet it: `treeline dev --private`, a key out of `treeline keys`, both generations of the SDK. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysCommand } from "../../indexer/cli/commands/keys.ts";
import { type DevServer, removeServed, runDev, startDev } from "../support/dev-server.ts";
import { GROUPED, groupedFiles } from "../support/grouped-files.ts";
import { runCommands } from "../support/list-command.ts";
import { makeFolder, writeFiles } from "../support/temporary-folder.ts";

const INFO = { name: "treeline-tests", version: "1.0.0" };
const PLANS = ["plans", "plans-code"];

let dir: string;
let server: DevServer;
let key: string;

async function makeKey(...words: readonly string[]): Promise<string> {
  return (await runCommands([keysCommand], ["keys", "add", "agent", "--index", dir, ...words])).out.trim();
}

function headersOf(text: string | undefined): { requestInit: { headers: Record<string, string> } } {
  return { requestInit: { headers: text === undefined ? {} : { Authorization: `Bearer ${text}` } } };
}

/** Text of the answers to a search, by the SDK's second generation. */
async function search(url: string, shown: string | undefined, query: string): Promise<string> {
  const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), headersOf(shown)));
  const { content } = await client.callTool({ name: "search_documents", arguments: { query } });
  await client.close();
  return JSON.stringify(content);
}

/** The same by its first generation. */
async function searchAsBefore(url: string, shown: string | undefined, query: string): Promise<string> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(new URL(`${url}/mcp`), headersOf(shown));
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  const { content } = await client.callTool({ name: "search_documents", arguments: { query } });
  await client.close();
  return JSON.stringify(content);
}

describe("treeline dev --private", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-access-"));
    await writeFiles(dir, groupedFiles(GROUPED.slice(0, 3), false));
    key = await makeKey("--collections", PLANS.join(","));
    server = await startDev(dir, "--port", "0", "--no-watch", "--private", "--access", join(dir, "access.json"));
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await removeServed(dir);
  });

  it("says who sees what, and answers nobody without a key", async () => {
    expect(server.output()).toContain(
      "Nobody sees docs, docs-code, plans, plans-code, ledger, ledger-code without a key",
    );
    expect((await fetch(`${server.url}/status`)).status).toBe(401);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    for (const ask of [search, searchAsBefore]) {
      for (const shown of [undefined, `${key.slice(0, -1)}_`, "nonsense"]) {
        await expect(ask(server.url, shown, "install")).rejects.toThrow(/HTTP 401|Send a key/);
      }
    }
  });

  it.each([search, searchAsBefore])("shows who has a key the collections that it lists", async (ask) => {
    const answer = await ask(server.url, key, "install shared handshake");
    expect(answer).toContain("plans:guide/quokka-setup.md");
    expect(answer).not.toMatch(/meadow|wombat/i);
  });
});

describe("treeline dev", () => {
  it("shows what is public without a key, the rest with one, and lets nobody in with a key that was revoked", async () => {
    const own = await mkdtemp(join(tmpdir(), "treeline-access-"));
    await writeFiles(own, groupedFiles(GROUPED.slice(0, 2), false));
    const add = async (consumer: string): Promise<string> =>
      (await runCommands([keysCommand], ["keys", "add", consumer, "--index", own])).out.trim();
    const gone = await add("former");
    const all = await add("agent");
    expect((await runCommands([keysCommand], ["keys", "revoke", "former", "--index", own])).code).toBe(0);
    const open = await startDev(own, "--port", "0", "--no-watch", "--access", join(own, "access.json"));
    try {
      expect(open.output()).toContain("Nobody sees plans, plans-code without a key");
      expect(await search(open.url, undefined, "install")).not.toMatch(/quokka/i);
      expect(await search(open.url, all, "install")).toMatch(/quokka[\s\S]*meadow|meadow[\s\S]*quokka/i);
      for (const refused of ["nonsense", gone]) {
        await expect(search(open.url, refused, "install")).rejects.toThrow(/HTTP 401|Send a key/);
      }
      expect(await open.end("SIGTERM")).toBe(0);
    } finally {
      await open.end("SIGTERM");
      await removeServed(own);
    }
  });

  it("does not start with a file of keys that is none", async () => {
    const own = await makeFolder(groupedFiles(GROUPED.slice(0, 1)));
    const { code, output } = await runDev(own, "--port", "0", "--access", join(own, "treeline.config.json"));
    expect(code).toBe(1);
    expect(output).toContain("access.json has the unknown field");
    const missing = await runDev(own, "--port", "0", "--access", join(own, "nowhere.json"));
    expect(missing.output).toContain("there is no file");
  });
});
