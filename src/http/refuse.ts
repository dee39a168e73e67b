/**
 * The answer to a request that one of the stations before the routes turns away: to a call over MCP as an error of
 * JSON-RPC, so that clients show its words, to all others as the routes do.
 */
import type { Context } from "hono";
import { respondJson } from "./respond.ts";

/** JSON-RPC code for what never reached a server. */
const SERVER_ERROR = -32000;
/** Addresses that take calls, those with a session in them too. */
const MCP_ADDRESS = /(^|\/)(mcp|sse)$/;

/** Turn a request away with a status, words and headers. */
export function refuseRequest(
  { req }: Pick<Context, "req">,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const isCall = req.method === "POST" && MCP_ADDRESS.test(req.path);
  const response = isCall
    ? Response.json(
        { jsonrpc: "2.0", error: { code: SERVER_ERROR, message }, id: null },
        { status, headers: { "Cache-Control": "no-store" } },
      )
    : respondJson({ error: message, nearest: [] }, status);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
