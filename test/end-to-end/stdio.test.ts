/** `treeline mcp`: the server as a program that a client starts, from an index in a folder or on a web host. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";
import { addCollection, goJourney, textsOf, writeJourneyCorpus } from "../support/journey.ts";
import { runProgram } from "../support/run-program.ts";
import { serveFiles } from "../support/static-host.ts";
import { writeFiles } from "../support/temporary-folder.ts";

const INFO = { name: "treeline-tests", version: "1.0.0" };
const CLI = join(projectRoot, "indexer", "cli", "main.ts");

let dir: string;
let index: string;

function program(place = index, ...words: readonly string[]) {
  return {
    command: process.execPath,
    args: [CLI, "mcp", "--index", place, ...words],
    env: quietEnvironment() as Record<string, string>,
    stderr: "pipe" as const,
  };
}

describe("treeline mcp", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-stdio-"));
    index = join(dir, "index");
    await writeJourneyCorpus(join(dir, "corpus"));
    // A group of its own, which a Worker shows to those alone who have a key for it.
    await addCollection(join(dir, "corpus"), { name: "notes", root: "notes", access: "team" });
    await writeFiles(join(dir, "corpus"), { "notes/plan.md": "# Plan\n\nTo be told to nobody else.\n" });
    await buildCorpus({ dir: join(dir, "corpus"), outDir: index });
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("takes a client of MCP 2026-07-28 the whole way, and sees a new build when it is asked to look", async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StdioClientTransport(program()));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(client.getInstructions()).toContain("search_documents");
    await goJourney(async (name, args) => textsOf(await client.callTool({ name, arguments: args })));
    const { contents } = await client.readResource({ uri: "treeline://documents/docs:guide/install.md" });
    expect((contents[0] as { text: string }).text).toContain("Use `apt`");
    const notes = await client.callTool({ name: "search_documents", arguments: { query: "told to nobody" } });
    expect(textsOf(notes)).toContain("notes:plan.md");
    const { messages } = await client.getPrompt({ name: "explore_docs", arguments: { question: "how?" } });
    expect(messages).toHaveLength(1);

    const filesNow = async (): Promise<unknown> => {
      const args = { force_refresh: true, format: "json" };
      const { structuredContent } = await client.callTool({ name: "get_graph_summary", arguments: args });
      return (structuredContent as { metrics: { fileCount: number } }).metrics.fileCount;
    };
    expect(await filesNow()).toBe(16);
    await writeFile(join(dir, "corpus", "src", "later.ts"), "export const later = 1;\n");
    await buildCorpus({ dir: join(dir, "corpus"), outDir: index });
    expect(await filesNow()).toBe(17);
    await client.close();
  });

  it("takes a client of the 2025 era the whole way, from a web host", async () => {
    const host = await serveFiles((path) =>
      existsSync(join(index, path)) ? readFileSync(join(index, path)) : undefined,
    );
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(program(host.url)) as Parameters<OldClient["connect"]>[0]);
    await goJourney(async (name, args) => textsOf(await client.callTool({ name, arguments: args })));
    await client.close();
    await host.close();
  });

  it("lists the tools of the profiles that it is started with, and refuses others before it speaks", async () => {
    const client = new Client(INFO);
    await client.connect(new StdioClientTransport(program(index, "--tools", "openai")));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search", "fetch"]);
    await client.close();
    const refused = await runProgram(process.execPath, program(index, "--tools", "opnai").args);
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain("did you mean: openai?");
  });

  it("keeps sessions for its client, which go on where a build replaces the one that they held on to", async () => {
    const client = new Client(INFO);
    await client.connect(new StdioClientTransport(program()));
    const ask = async (name: string, args: Readonly<Record<string, unknown>>) =>
      client.callTool({ name, arguments: { ...args } });
    const { session } = (await ask("open_session", { format: "json" })).structuredContent as { session: string };
    const first = textsOf(await ask("search_documents", { query: "install with apt", session }));
    const second = textsOf(await ask("search_documents", { query: "apt install", session }));
    expect(first).not.toContain("Shown before:");
    expect(second).toContain("Shown before: ");
    const state = await ask("session_state", { session, format: "json" });
    expect(state.structuredContent).toMatchObject({ calls: 2, newerGeneration: false });

    await writeFile(join(dir, "corpus", "notes", "later.md"), "# Later\n\nA page of another build.\n");
    await buildCorpus({ dir: join(dir, "corpus"), outDir: index });
    await ask("get_graph_summary", { force_refresh: true });
    // A folder holds one build.
    const moved = textsOf(await ask("search_documents", { query: "page of another build", session }));
    expect(moved).toContain("notes:later.md");
    expect(moved).toContain("it goes on with the one that is published");
    expect(await ask("session_state", { session: `${session}x` })).toMatchObject({ isError: true });
    await client.close();
  });

  it("writes nothing but the protocol to standard output, and ends when its input does", async () => {
    const child = start();
    const answers: { id: number }[] = [];
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const isAnswered = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        answers.push(JSON.parse(line) as { id: number });
        if (answers.length === 3) resolve();
      });
    });
    const call = (id: number, name: string) => ({
      ...MESSAGE,
      id,
      method: "tools/call",
      params: { name, arguments: {} },
    });
    for (const message of [INITIALIZE, INITIALIZED, call(2, "index_status"), "{bad", call(3, "nothing")]) {
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    }
    await isAnswered;
    child.stdin.end();
    expect(await endOf(child)).toBe(0);
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    expect(stderr).toContain("treeline mcp: index");
  });

  it("ends, and says why, when a message is larger than it takes", async () => {
    const child = start();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // What it does not read any more breaks the pipe.
    child.stdin.on("error", () => undefined);
    const end = endOf(child);
    child.stdin.write("a".repeat(11 * 1024 * 1024));
    expect(await end).toBe(0);
    expect(stderr).toContain("maximum size");
    expect(stderr).not.toContain("Warning");
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends on %s while its client still listens", async (signal) => {
    const child = start();
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill(signal);
    expect(await endOf(child)).toBe(0);
  });
});

const MESSAGE = { jsonrpc: "2.0" };
const INITIALIZE = {
  ...MESSAGE,
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO },
};
const INITIALIZED = { ...MESSAGE, method: "notifications/initialized" };

function start(...words: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, program(index, ...words).args, { env: quietEnvironment() });
}

/** Exit code, or null where a signal ended it. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}
