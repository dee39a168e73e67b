/**
 * Requests to a web host that holds an index, as a command line sends them: with an end, and to no other host than the one
 * that was named.
 */
import { InputError } from "../../src/core/errors.ts";
import type { SendRequest } from "../../src/web/fetch-source.ts";
import { HostError } from "../../src/web/host-error.ts";

/** Longest that an answer is waited for, its body too: the largest read of a slow line. */
const ANSWER_MS = 30_000;
/** The same for an answer without a body, which tells why there was none. */
const HEAD_MS = 5_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends one request. @throws {HostError} `unreachable`, in words, where nothing comes, or the host sends on to another one. */
export function createSender(answerMs = ANSWER_MS): SendRequest {
  return async (url, init) => {
    const { hostname } = new URL(url);
    let address = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await send(address, init, answerMs);
      const location = REDIRECTS.has(response.status) ? response.headers.get("Location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, address) ? new URL(location, address) : undefined;
      if (next === undefined || next.hostname !== hostname) {
        throw new HostError("unreachable", `${url} sends on to ${location}, another host; name that one instead`);
      }
      address = next.href;
    }
    throw new HostError("unreachable", `${url} sends on more than ${MAX_REDIRECTS} times`);
  };
}

async function send(url: string, init: RequestInit, answerMs: number): Promise<Response> {
  const late = AbortSignal.timeout(init.method === "HEAD" ? Math.min(HEAD_MS, answerMs) : answerMs);
  const signal = init.signal ? AbortSignal.any([late, init.signal]) : late;
  try {
    const response = await fetch(url, { ...init, signal, redirect: "manual" });
    if (response.body === null) return response;
    return new Response(withWords(response.body, url, answerMs), response);
  } catch (cause) {
    throw describe(cause, url, answerMs);
  }
}

/** The same body, whose failure says what failed. */
function withWords(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  url: string,
  answerMs: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(describe(cause, url, answerMs));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function describe(cause: unknown, url: string, answerMs: number): Error {
  if (cause instanceof InputError) return cause;
  if (!(cause instanceof Error)) return new Error(String(cause));
  if (cause.name === "TimeoutError") {
    return new HostError("unreachable", `${url} does not answer within ${answerMs / 1000} seconds`, { cause });
  }
  // Who asked gave up.
  if (cause.name === "AbortError") return cause;
  const reason = cause.cause instanceof Error ? cause.cause.message || String(cause.cause) : cause.message;
  return new HostError("unreachable", `${url} cannot be read: ${reason}`, { cause });
}
