/**
 * Answer of middleware that turns a request away: for a call over MCP an error of JSON-RPC, so that clients show its words; for a
 * browser that wants a page, a page; for all others JSON, as routes do.
 */
import type { Context } from "hono";
import { respondRpcError, SERVER_ERROR } from "../surface/render/problem.ts";
import { openDoor } from "./addresses.ts";
import { isPageAddress, respondRefusal } from "./explorer/answer-page.ts";
import { wantsHtml } from "./negotiate.ts";
import { respondJson } from "./respond.ts";

/** Addresses that take calls, those with a session in them too. */
const MCP_ADDRESS = /(^|\/)(mcp|sse)$/;

/** Turn a request away with a status, words and headers. @param nearest What the caller may have meant. */
export function refuseRequest(
  { req }: Pick<Context, "req">,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  nearest: readonly string[] = [],
): Response {
  const isCall = req.method === "POST" && MCP_ADDRESS.test(req.path);
  const isPage = !isCall && isPageAddress(req.path) && wantsHtml(req.raw);
  const response = isPage
    ? respondRefusal(status, message, openDoor(req.raw).corpus, nearest)
    : isCall
      ? respondRpcError({
          status,
          code: SERVER_ERROR,
          message: nearest.length === 0 ? message : `${message} There is: ${nearest.join(", ")}`,
        })
      : respondJson({ error: message, nearest }, status);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
