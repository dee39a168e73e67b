/**
 * Requests to a server on this machine at a rate, or as fast as it answers, and what came back.
 *
 * At a rate, each request has a time at which it is due, whether or not earlier ones were answered; its latency counts from
 * then, so that a server that stalls is not asked less for it.
 */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A request to send. */
export interface LoadRequest {
  readonly path: string;
  /** Sent as a POST of JSON; a GET where it is absent. */
  readonly body?: object;
}

/** What came of many requests. */
export interface LoadReport {
  readonly requests: number;
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Calls that were refused in words, as those for what is not there. */
  readonly refused: number;
  /** What must not be: other statuses than 200, errors of the protocol, connections that broke. The first few of them. */
  readonly errors: readonly string[];
  readonly errorCount: number;
}

const MAX_ERRORS_KEPT = 5;
/** Requests under way at most; more would measure this program. */
const MAX_OPEN = 256;
const TICK_MS = 5;

/** Send requests one behind the other on each of several connections, for a time. */
export async function sendAsFastAsAnswered(
  url: string,
  next: () => LoadRequest,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<LoadReport> {
  const run = startRun(url, connections);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await run.send(next(), performance.now());
    }),
  );
  return run.finish();
}

/** Send requests at a rate, for a time. Waits for the last answers. */
export async function sendAtRate(
  url: string,
  next: () => LoadRequest,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<LoadReport> {
  const run = startRun(url, MAX_OPEN);
  const start = performance.now();
  const open = new Set<Promise<void>>();
  const total = Math.ceil(rate * seconds);
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate) + 1);
    for (; sent < due && open.size < MAX_OPEN; sent++) {
      const answered = run.send(next(), start + (sent / rate) * 1000);
      open.add(answered);
      void answered.finally(() => open.delete(answered));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(open);
  return run.finish();
}

interface Run {
  /** @param dueMs When it was due, as `performance.now()` says it. */
  readonly send: (what: LoadRequest, dueMs: number) => Promise<void>;
  readonly finish: () => LoadReport;
}

function startRun(url: string, connections: number): Run {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const errors: string[] = [];
  let errorCount = 0;
  let refused = 0;
  const start = performance.now();
  const fail = (what: string): void => {
    errorCount++;
    if (errors.length < MAX_ERRORS_KEPT) errors.push(what);
  };
  return {
    async send(what, dueMs) {
      try {
        const { status, text } = await exchange(url, what, agent);
        if (status !== 200) fail(`status ${status} for ${what.path}: ${text.slice(0, 200)}`);
        else if (what.body !== undefined && isProtocolError(text)) fail(text.slice(0, 200));
        else if (what.body !== undefined && text.includes('"isError":true')) refused++;
      } catch (error) {
        fail(String(error));
      }
      latencies.push(performance.now() - dueMs);
    },
    finish() {
      agent.destroy();
      const seconds = (performance.now() - start) / 1000;
      const sorted = latencies.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      const quantiles = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
      return { requests: sorted.length, rate: sorted.length / seconds, ...quantiles, refused, errors, errorCount };
    },
  };
}

/** An error of JSON-RPC stands in the place of a result. */
function isProtocolError(text: string): boolean {
  return !text.includes('"result":');
}

function exchange(
  url: string,
  { path, body }: LoadRequest,
  agent: Agent,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> =
      payload === undefined
        ? {}
        : {
            "Content-Type": "application/json",
            "Content-Length": `${Buffer.byteLength(payload)}`,
            Accept: "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
          };
    const sent = request(
      new URL(path, url),
      { agent, method: payload === undefined ? "GET" : "POST", headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
        response.once("error", reject);
      },
    );
    sent.once("error", reject);
    sent.end(payload);
  });
}
