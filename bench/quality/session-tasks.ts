/**
 * What a session saves: twenty tasks of several steps, that were written and committed before any was run, each once
 * without a session and once within one.
 *
 *   npm run prove:session-tasks -- DIR      (VERBOSE=1 shows every task)
 *
 * DIR holds the pages of the package that `session-tasks.json` names (`npm pack next`, its `dist/docs`). They are
 * indexed as they are; calls run in this process, as `treeline mcp` runs them.
 *
 * Counted are the estimated tokens of all text answers of a task, with default arguments; of those with a session the
 * answer of `open_session`, too. A section that a task needs counts as found when a block of an answer that stands for
 * its document names it, by its full id or by the short one; lines that only say what was left out or sent before do not count. Ids of
 * sections to read are looked up by heading beside the calls, so both runs read the same.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildCorpus } from "../../indexer/index/build.ts";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { estimateTokens } from "../../src/surface/render/tokens.ts";
import { createLocalSessions } from "../../src/worker/session/local-sessions.ts";

const LEAST_SAVED = 0.4;

interface Place {
  readonly path: string;
  readonly heading: string;
}

interface Task {
  readonly id: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    /** Sections to read. */
    readonly sections?: readonly Place[];
  }[];
  readonly sections: readonly Place[];
}

interface Run {
  readonly tokens: number;
  /** Tokens by tool. */
  readonly byTool: ReadonlyMap<string, number>;
  readonly found: readonly boolean[];
}

const [dir] = process.argv.slice(2);
const { tasks } = JSON.parse(readFileSync(join(import.meta.dirname, "session-tasks.json"), "utf8")) as {
  tasks: readonly Task[];
};
if (dir === undefined) {
  console.error("usage: npm run prove:session-tasks -- DIR");
  process.exit(2);
}
const out = mkdtempSync(join(tmpdir(), "treeline-session-tasks-"));
try {
  await buildCorpus({ dir, outDir: out });
  const services = await openServices(out);
  const alone: Run[] = [];
  const within: Run[] = [];
  for (const task of tasks) {
    alone.push(await play(services, task, undefined));
    within.push(await play(services, task, await open(services)));
  }
  report(alone, within);
} finally {
  rmSync(out, { recursive: true, force: true });
}

async function openServices(index: string): Promise<ToolServices> {
  const opened = await openIndexAt(index);
  return {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(opened.index, undefined, { counters })) }),
    sessions: createLocalSessions(() => new DatabaseSync(":memory:")),
    signingKeys: createSigningKeys(undefined),
    now: Date.now(),
    report: (problem) => {
      throw new Error(JSON.stringify(problem));
    },
  };
}

async function call(services: ToolServices, tool: string, given: Readonly<Record<string, unknown>>) {
  const { content, structuredContent, isError } = await callTool(offeredTools(), tool, given, services);
  if (isError === true) throw new Error(`${tool}: ${content[0]?.text}`);
  return { blocks: content.map(({ text }) => text), json: structuredContent ?? {} };
}

async function open(services: ToolServices): Promise<{ readonly session: string; readonly tokens: number }> {
  const { blocks } = await call(services, "open_session", {});
  const session = /session: "([\w-]+)"/.exec(blocks.join("\n"))?.[1] ?? "";
  return { session, tokens: tokensOf(blocks) };
}

async function play(
  services: ToolServices,
  task: Task,
  opened: { readonly session: string; readonly tokens: number } | undefined,
): Promise<Run> {
  const byTool = new Map([["open_session", opened?.tokens ?? 0]]);
  const seen: string[] = [];
  for (const { tool, arguments: given = {}, sections } of task.calls) {
    const ids =
      sections === undefined ? {} : { node_ids: await Promise.all(sections.map((one) => idOf(services, one))) };
    const { blocks } = await call(services, tool, {
      ...given,
      ...ids,
      ...(opened !== undefined && { session: opened.session }),
    });
    byTool.set(tool, (byTool.get(tool) ?? 0) + tokensOf(blocks));
    seen.push(...blocks.filter((block) => !/^(?:Shown|Sent) before/.test(block)));
  }
  const found: boolean[] = [];
  for (const place of task.sections) found.push(await isNamed(services, place, seen));
  return { tokens: [...byTool.values()].reduce((sum, tokens) => sum + tokens, 0), byTool, found };
}

/** Id of the section with a heading, looked up outside of any session. */
async function idOf(services: ToolServices, { path, heading }: Place): Promise<string> {
  const { json } = await call(services, "get_tree", { doc_id: `docs:${path}`, format: "json", max_tokens: 6000 });
  const sections = json.sections as { nodeId: string; title: string }[];
  const found = sections.find(({ title }) => fold(title) === fold(heading));
  if (found === undefined) throw new Error(`${path} has no section ${heading}`);
  return found.nodeId;
}

async function isNamed(services: ToolServices, place: Place, blocks: readonly string[]): Promise<boolean> {
  const nodeId = await idOf(services, place);
  const short = nodeId.slice(nodeId.indexOf("#"));
  const { json } = await call(services, "get_tree", { doc_id: `docs:${place.path}`, format: "json", max_tokens: 6000 });
  const number = (json.sections as { nodeId: string }[]).findIndex((section) => section.nodeId === nodeId);
  return blocks.some(
    (block) =>
      block.includes(place.path) &&
      block.split(/[\s,]+/).some((word) => word === short || word === `#n${number}` || word === nodeId),
  );
}

/** Headings are compared by their letters and digits. */
function fold(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function tokensOf(blocks: readonly string[]): number {
  return blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
}

function report(alone: readonly Run[], within: readonly Run[]): void {
  const sum = (runs: readonly Run[]): number => runs.reduce((total, { tokens }) => total + tokens, 0);
  const foundIn = (runs: readonly Run[]): number => runs.flatMap(({ found }) => found.filter(Boolean)).length;
  const rows = tasks.map(({ id }, at) => ({ id, without: alone[at] as Run, inside: within[at] as Run }));
  for (const { id, without, inside } of rows) {
    const isSame = without.found.every((one, at) => one === inside.found[at]);
    if (isSame && process.env.VERBOSE === undefined) continue;
    const sections = `${without.found.filter(Boolean).length}/${inside.found.filter(Boolean).length} of ${without.found.length}`;
    console.log(
      `${id}: ${without.tokens} → ${inside.tokens} tokens (${percent(without.tokens, inside.tokens)}), sections ${sections}`,
    );
  }
  for (const tool of new Set(rows.flatMap(({ inside }) => [...inside.byTool.keys()]))) {
    const of = (runs: readonly Run[]): number => runs.reduce((total, { byTool }) => total + (byTool.get(tool) ?? 0), 0);
    console.log(`${tool}: ${of(alone)} → ${of(within)}`);
  }
  const shares = rows.map(({ without, inside }) => 1 - inside.tokens / without.tokens).sort((a, b) => a - b);
  const all = tasks.flatMap(({ sections }) => sections).length;
  console.log(`sections found: ${foundIn(alone)} without, ${foundIn(within)} within a session, of ${all}`);
  console.log(`tokens: ${sum(alone)} without, ${sum(within)} within a session: ${percent(sum(alone), sum(within))}`);
  console.log(
    `a task: least ${share(shares[0])}, median ${share(shares[Math.floor(shares.length / 2)])}, most ${share(shares.at(-1))}`,
  );
  const isSame = rows.every(({ without, inside }) => without.found.every((one, at) => one === inside.found[at]));
  if (!isSame || sum(within) > sum(alone) * (1 - LEAST_SAVED)) process.exitCode = 1;
}

function percent(before: number, after: number): string {
  return `−${share(1 - after / before)}`;
}

function share(value = 0): string {
  return `${(100 * value).toFixed(1)} %`;
}
