/**
 * Prove that sessions lose nothing of one another, through the real Worker with its Durable Objects.
 *
 *   npm run prove:sessions -- DIR [SESSIONS] [CALLS] [SEED]
 *
 * Serves a copy of DIR by `treeline dev` on loopback, opens SESSIONS (1,000) and sends each of them CALLS (50) calls at once over
 * HTTP: half by the handle as an argument, half by an address that holds it, drawn with SEED (1) out of searches and
 * reads of DIR. Then each session must count exactly its own calls and at least the tokens that their answers have, by
 * the same estimate; a forged handle must be refused; and no line that the server printed may hold a handle.
 */
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sumTokens } from "../src/surface/render/text.ts";
import { removeServed, startDev } from "../test/support/dev-server.ts";
import { drawSearches } from "./draw-queries.ts";
import { makeRandom } from "./random.ts";

/** Sessions that are called at once. */
const AT_ONCE = 8;

const [dir, sessionsText = "1000", callsText = "50", seedText = "1"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:sessions -- DIR [SESSIONS] [CALLS] [SEED]");
  process.exit(2);
}
const sessions = Number(sessionsText);
const calls = Number(callsText);
const random = makeRandom(Number(seedText));
const queries = drawSearches(dir, 200);
const served = mkdtempSync(join(tmpdir(), "treeline-sessions-"));
cpSync(dir, served, { recursive: true });
const server = await startDev(served, "--port", "0", "--no-watch");
const failures: string[] = [];
const handles: string[] = [];
const started = Date.now();
try {
  const numbers = Array.from({ length: sessions }, (_, at) => at).values();
  // Each takes the next number: what one writes does not hold up what others read.
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const at of numbers) await proveSession(at);
    }),
  );
  const [first = ""] = handles;
  const forged = `${first.slice(0, -2)}${first.endsWith("AA") ? "BA" : "AA"}`;
  const refused = await ask("index_status", { session: forged });
  if (refused.isError !== true) failures.push("a forged handle was answered");
  if (handles.some((handle) => server.output().includes(handle))) failures.push("the server printed a handle");
} finally {
  await server.end("SIGTERM");
  await removeServed(served);
}
const seconds = (Date.now() - started) / 1000;
console.log(
  `${handles.length} sessions, ${calls} calls each at once: ${failures.length} failures, ` +
    `${Math.round((handles.length * calls) / seconds)} calls/s (seed ${seedText})`,
);
for (const failure of failures.slice(0, 20)) console.error(failure);
if (failures.length > 0 || handles.length !== sessions) process.exitCode = 1;

/** Opens a session, calls it from many sides, and holds what it counted against what came back. */
async function proveSession(at: number): Promise<void> {
  const opened = await fetch(`${server.url}/session`, { method: "POST", body: "{}" });
  const { session } = (await opened.json()) as { session: string };
  handles.push(session);
  const asked = await Promise.all(
    Array.from({ length: calls }, (_, call) => {
      const query = queries[Math.floor(random() * queries.length)] as string;
      const tool = random() < 0.7 ? "search_documents" : "grep_documents";
      const given = tool === "search_documents" ? { query, limit: 3 } : { pattern: query.split(" ")[0], limit: 5 };
      return call % 2 === 0 ? ask(tool, { ...given, session }) : ask(tool, given, `/s/${session}/mcp`);
    }),
  );
  const tokens = asked.reduce((sum, answer) => sum + answer.tokens, 0);
  const state = await ask("session_state", { session, format: "json" });
  const counted = state.json as { calls?: number; tokens?: number; trail?: unknown[] };
  if (counted.calls !== calls) failures.push(`session ${at}: ${counted.calls} of ${calls} calls`);
  if (counted.tokens !== tokens) failures.push(`session ${at}: ${counted.tokens} of ${tokens} tokens`);
  if (counted.trail?.length !== Math.min(calls, 20))
    failures.push(`session ${at}: a trail of ${counted.trail?.length}`);
}

async function ask(
  name: string,
  given: Readonly<Record<string, unknown>>,
  path = "/mcp",
): Promise<{ readonly tokens: number; readonly isError: boolean | undefined; readonly json: unknown }> {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  const { result } = (await response.json()) as {
    result: { content: { text: string }[]; structuredContent?: unknown; isError?: boolean };
  };
  const tokens = sumTokens(result.content);
  return { tokens, isError: result.isError, json: result.structuredContent };
}
