/** An MCP client on `treeline mcp`, as an agent starts it, that keeps a verdict on the size of each answer. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Cost } from "../../src/core/index/cost.ts";
import { chargeOf } from "../../src/http/callers.ts";
import { quietEnvironment } from "../../test/support/environment.ts";
import { type Answer, judgeBudget } from "./judge-answers.ts";
import { CLI } from "./run-cli.ts";

/** Tokens that answers in JSON may have. */
const JSON_TOKENS = 6000;

export interface TreeServer {
  readonly ask: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** The same in JSON, with the largest budget. */
  readonly askJson: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Rate limit of `wrangler.toml`, and the calls of one period from a client that makes one a second. */
const LIMIT = 600;
const CALLS_A_PERIOD = 60;

/** Counts answers; names those over their token budget, and calls that a Worker would refuse for the work of those before. */
export interface Tally {
  answers: number;
  /** Charges in the period so far. */
  charged: number;
  readonly overBudget: string[];
  readonly refused: string[];
}

/** Adds the charge of a call, as the Worker's rate limit counts it. */
function charge(tally: Tally, call: string, meta: Readonly<Record<string, unknown>> | undefined): void {
  if (tally.answers++ % CALLS_A_PERIOD === 0) tally.charged = 0;
  if (tally.charged > LIMIT) tally.refused.push(`refused after ${tally.charged} charges in a minute: ${call}`);
  const cost = meta?.["treeline/cost"] as Cost | undefined;
  if (cost !== undefined) tally.charged += chargeOf({ calls: [], cost: () => cost });
}

/** Starts a server on an index. */
export async function startServer(index: string, tally: Tally): Promise<TreeServer> {
  const client = new Client({ name: "world", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const env = quietEnvironment() as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "mcp", "--index", index],
      env,
      stderr: "inherit",
    }),
  );
  const ask: TreeServer["ask"] = async (tool, args) => {
    const call = `${tool}(${JSON.stringify(args)})`;
    const budget = Number(args["max_tokens"] ?? 3000);
    let answer: Answer;
    let meta: Readonly<Record<string, unknown>> | undefined;
    try {
      const result = await client.callTool({ name: tool, arguments: { ...args } });
      const text = (result.content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");
      meta = result._meta;
      const json = (result.structuredContent ?? {}) as Answer["json"];
      answer = { call, text, json, isError: result.isError === true, budget };
    } catch (error) {
      // A server that ends, or breaks the protocol, rejects the call.
      answer = { call, text: `no answer: ${(error as Error).message}`, json: {}, isError: true, budget };
    }
    charge(tally, call, meta);
    const fault = judgeBudget(answer);
    if (fault !== undefined) tally.overBudget.push(fault);
    return answer;
  };
  return {
    ask,
    askJson: (tool, args) => ask(tool, { ...args, format: "json", max_tokens: JSON_TOKENS }),
    close: () => client.close(),
  };
}
