/**
 * The server over standard input and output: the same tools, resources and prompts as the Worker's, from index files on
 * disk or on a web host, for both eras of the protocol.
 *
 * Sessions live as long as the process. Standard output carries the protocol and nothing else; what the operator should see goes to `report`.
 */
import process from "node:process";
import { StdioServerTransport, serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";
import type { InflateRaw } from "./core/bytes/capabilities.ts";
import type { CollectionInfo } from "./core/format/root.ts";
import type { RangeSource } from "./core/index/range-source.ts";
import type { ValueCache } from "./core/index/value-cache.ts";
import type { ToolServices } from "./mcp/call.ts";
import { offeredTools, readProfiles } from "./mcp/profiles.ts";
import { createMcpServer } from "./mcp/server.ts";
import { createSigningKeys } from "./surface/access/signing-keys.ts";
import { toProblem } from "./surface/render/problem.ts";
import { createMemorySessions } from "./worker/session/session-store.ts";
import { Generations } from "./worker/storage/generations.ts";

interface StdioOptions {
  readonly source: RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  /** Profiles of tools as an address of the Worker names them (`docs,code`); those of what is indexed when absent. */
  readonly tools: string | undefined;
  /** How long an open index answers before the pointer is looked at again. */
  readonly pointerMs?: number;
  readonly awaitIndex?: NonNullable<ToolServices["awaitIndex"]>;
  /** Takes a line for the operator. */
  readonly report: (line: string) => void;
}

/**
 * Serve until the client closes its end, or a signal ends the process.
 *
 * Every access group is visible: whoever starts this can read the files anyway.
 *
 * @throws {InputError} for a profile that there is not.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { source, inflate, cache, tools, pointerMs, awaitIndex, report } = options;
  const profiles = readProfiles(tools ?? null);
  const generations = new Generations({
    source,
    inflate,
    cache,
    report: (error) => report(describe(error, "pointer")),
  });
  const set = offeredTools();
  const ttl = pointerMs !== undefined && { ttlMs: pointerMs };
  const view = () => ({ now: Date.now(), groupsOf: everyGroup, ...ttl });
  const services: ToolServices = {
    withReader: (run, counters, pin) => generations.withReader({ ...view(), ...(pin && { pin }) }, run, counters),
    openPublished: (counters) => generations.openPublished(view(), counters),
    pinCurrent: (counters) => generations.pinCurrent(view(), counters),
    sessions: createMemorySessions(() => import("node:sqlite")),
    signingKeys: createSigningKeys(undefined),
    ...(awaitIndex !== undefined && { awaitIndex }),
    // One server answers many calls here, each at its own time.
    get now() {
      return Date.now();
    },
    report: (problem, where) => {
      if (problem.kind === "bad-input" || problem.kind === "no-index") return;
      report(`${where}: ${problem.detail}`);
    },
  };
  const transport = new StdioServerTransport();
  const handle = serveTransport(() => createMcpServer(set, services, profiles), {
    transport,
    onerror: (error) => report(`protocol: ${error.message}`),
  });
  await untilEnd(transport);
  await handle.close();
}

function describe(error: unknown, where: string): string {
  const problem = toProblem(error);
  return `${where}: ${"detail" in problem ? problem.detail : problem.message}`;
}

function everyGroup(collections: readonly CollectionInfo[]): readonly string[] {
  return [...new Set(collections.map(({ access }) => access))];
}

/** Ends when nobody can ask or hear any more. */
function untilEnd(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    const closed = transport.onclose;
    // It closes itself where a message is larger than it takes, whatever else the client writes.
    transport.onclose = () => {
      closed?.();
      end();
    };
    process.stdin.once("end", end);
    process.stdin.once("close", end);
    process.stdout.once("error", end);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  });
}
