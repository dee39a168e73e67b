/**
 * Bodies are read here once, whole, before any route sees them: bounded in size while they come, whatever their
 * `Content-Length` says, and in time, so that one that trickles holds nothing open.
 */
import type { MiddlewareHandler } from "hono";
import { MAX_BODY_BYTES, MAX_BODY_MS } from "../surface/access/body-limits.ts";
import { refuseRequest } from "./refuse.ts";

/** Methods whose requests have no body. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Answers 413 to a body that is too large and 408 to one that takes too long. */
export function boundBody(maxBytes = MAX_BODY_BYTES, maxMs = MAX_BODY_MS): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    if (raw.body !== null) {
      const body = await readBody(raw.body, maxBytes, maxMs);
      if (body === "large") return refuseRequest(context, 413, `The request is larger than ${maxBytes} bytes.`);
      if (body === "slow") {
        return refuseRequest(context, 408, `The request took longer than ${Math.ceil(maxMs / 1000)} seconds to come.`, {
          Connection: "close",
        });
      }
      if (body === "broken") return refuseRequest(context, 400, "The request ended before its body did.");
      const { method, headers } = raw;
      // What comes with a GET means nothing, and no request of the platform's can hold it.
      context.req.raw = new Request(raw.url, { method, headers, ...(!BODILESS.has(method) && { body }) });
    }
    await next();
    return undefined;
  };
}

async function readBody(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  maxMs: number,
): Promise<Uint8Array | "large" | "slow" | "broken"> {
  const reader = stream.getReader();
  let endWait: (reason: "slow") => void = () => undefined;
  const late = new Promise<"slow">((resolve) => {
    endWait = resolve;
  });
  const timer = setTimeout(() => endWait("slow"), maxMs);
  const parts: Uint8Array[] = [];
  let size = 0;
  const giveUp = <T>(reason: T): T => {
    // What the sender still has is of no use, and neither is how ending it went.
    reader.cancel().catch(() => undefined);
    return reason;
  };
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late]);
      if (read === "slow") return giveUp(read);
      if (read.done) break;
      size += read.value.length;
      if (size > maxBytes) return giveUp("large");
      parts.push(read.value);
    }
  } catch {
    return "broken";
  } finally {
    clearTimeout(timer);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}
