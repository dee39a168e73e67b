/** Requests to the Worker with settings and bindings of a test's own, as callers with credentials send them. */
import { env } from "cloudflare:workers";
import worker from "../../src/worker/worker.ts";

const CONTEXT = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };

/** What a test sets for a request: variables of the deployment, bindings. */
export type Settings = Readonly<Record<string, unknown>>;

/** One request. */
export interface Asked {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: BodyInit;
  readonly origin?: string;
}

/** The answer of a deployment with these settings; nothing is limited where they do not say so. */
export async function askAs(settings: Settings, path: string, asked: Asked = {}): Promise<Response> {
  const { method = "GET", headers, body, origin = "https://docs.example.org" } = asked;
  const request = new Request(`${origin}${path}`, { method, ...(headers && { headers }), ...(body && { body }) });
  return worker.fetch(request, { ...env, RATE_LIMITS: "off", ...settings }, CONTEXT as unknown as ExecutionContext);
}

/** The answer to a call of a tool, in the protocol of 2025. */
export function callAs(
  settings: Settings,
  name: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<Response> {
  return askAs(settings, path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
}
