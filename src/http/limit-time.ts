/**
 * Fourth station on a request's way: a request has an end. Storage that hangs, or answers each of many reads late, makes it
 * 503 after a few seconds, and whoever asks may try again.
 *
 * Time passes for a deployed Worker only while it waits, so this bounds waiting, never work. `TIME_LIMITS=off` lets requests
 * take as long as they like, for machines that are slower than any storage.
 */
import type { MiddlewareHandler } from "hono";
import { isEndless } from "../surface/patience.ts";
import { RETRY_SECONDS } from "../surface/render/problem.ts";
import { refuseRequest } from "./refuse.ts";

/** Longest that a request is worked on, in milliseconds. Three tries of one read end before that (`storage/patience.ts`). */
const REQUEST_MS = 4500;

interface TimeEnv {
  readonly Bindings: { readonly TIME_LIMITS?: string };
}

const UNAVAILABLE = 503;

/** Answers 503 where a request is not answered in time, and tells with each 503 when to come again. */
export function limitTime(): MiddlewareHandler<TimeEnv> {
  return async (context, next) => {
    if (isEndless(context.env.TIME_LIMITS)) {
      await next();
    } else {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(() => resolve("late"), REQUEST_MS);
      });
      const ended = await Promise.race([next(), late]);
      if (timer !== undefined) clearTimeout(timer);
      // What is still under way ends with its request, or answers nobody.
      if (ended === "late") {
        context.res = refuseRequest(
          context,
          UNAVAILABLE,
          `This took longer than ${REQUEST_MS / 1000} seconds, since storage is slow right now. Try again in ${RETRY_SECONDS} seconds.`,
        );
      }
    }
    if (context.res.status === UNAVAILABLE && !context.res.headers.has("Retry-After")) {
      context.header("Retry-After", String(RETRY_SECONDS));
    }
  };
}
