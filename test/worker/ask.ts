/** Requests to the Worker under test, as they come from this machine, each file's from an address of its own. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";

const ORIGIN = "http://localhost:8787";
/** Files that share a runtime would share what an address may ask a minute: the address tells which file asks. */
export function ownAddress(): string {
  const file = expect.getState().testPath ?? "";
  let hash = 0;
  for (const letter of file) hash = (hash * 31 + letter.charCodeAt(0)) % 2 ** 24;
  return [10, hash >> 16, (hash >> 8) & 0xff, hash & 0xff].join(".");
}

function ownHeaders(): Record<string, string> {
  return { host: "localhost:8787", "CF-Connecting-IP": ownAddress() };
}

/** The answer to a GET. */
export function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { headers: { ...ownHeaders(), ...headers } }));
}

/** The answer to a POST of JSON, or of a text as it is. */
export function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(
    new Request(`${ORIGIN}${path}`, {
      method: "POST",
      headers: { ...ownHeaders(), "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** The answer to any other method. */
export function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { method, headers: { ...ownHeaders(), ...headers } }));
}

/** What a call of a tool gave. */
export interface Called {
  readonly text: string;
  /** Its blocks. */
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Calls a tool over MCP. @param path Of the endpoint. */
export async function call(path: string, name: string, given: object = {}): Promise<Called> {
  const response = await post(path, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const { result } = (await response.json()) as {
    result: { content: { text: string }[]; isError?: boolean; structuredContent?: Record<string, unknown> };
  };
  if (result === undefined) throw new Error(`status ${response.status}: ${JSON.stringify(response)}`);
  const texts = result.content.map((block) => block.text);
  return { text: texts.join("\n"), texts, isError: result.isError === true, json: result.structuredContent ?? {} };
}
