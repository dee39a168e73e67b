/**
 * `POST /session`: opens a session for clients that cannot call a tool before they connect, and answers with its address.
 *
 * The body holds the arguments of `open_session`, or nothing.
 */
import { readRequestBody } from "@modelcontextprotocol/server";
import { callTool, type ToolServices, type ToolSet } from "./call.ts";

/** Address of it. */
export const SESSION_PATH = "/session";
/** A scope is a handful of names. */
const MAX_BODY_BYTES = 65_536;
const NO_STORE = { "Cache-Control": "no-store" };

/** The answer to one POST: 201 with handle, addresses and end, or 400 in words. */
export async function answerSession(request: Request, set: ToolSet, services: ToolServices): Promise<Response> {
  const body = await readRequestBody(request, MAX_BODY_BYTES);
  if (body.tooLarge) return refuse(413, `The request is larger than ${MAX_BODY_BYTES} bytes.`);
  const { text } = body;
  const settings = text.trim() === "" ? {} : parseObject(text);
  if (settings === undefined) {
    return refuse(400, 'The body is no JSON object; it takes {"scope": …, "ranking": …, "token_budget": …}.');
  }
  const { content, structuredContent, isError } = await callTool(
    set,
    "open_session",
    { ...settings, format: "json" },
    services,
  );
  if (isError === true || structuredContent === undefined) return refuse(400, content[0]?.text ?? "");
  const { session, url, urls, generationId, expiresAt } = structuredContent;
  return Response.json({ session, url, urls, generationId, expiresAt }, { status: 201, headers: NO_STORE });
}

/** The answer to any other method: what a session holds is told by `session_state`. */
export function refuseSessionMethod(method: string): Response {
  return refuse(405, `${SESSION_PATH} takes POST requests; ${method} is not offered.`, { Allow: "POST, OPTIONS" });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    // The caller is told what the body must be.
    return undefined;
  }
}

function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error, nearest: [] }, { status, headers: { ...NO_STORE, ...headers } });
}
