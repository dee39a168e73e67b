/** A network that loses requests to a bucket: on their way, on the way back, or by an answer that says so. */
import type { BucketPlatform } from "../../indexer/publish/s3.ts";

/** What a bucket is reached with, and how many requests were lost so far. */
export interface LossyNetwork {
  readonly platform: Partial<BucketPlatform>;
  readonly lost: () => number;
}

/** A network that loses a share of all requests, in four ways that are equally likely. Nobody waits before another try. */
export function loseRequests(share: number, random: () => number): LossyNetwork {
  let lost = 0;
  const fail = (words: string): never => {
    throw new TypeError("fetch failed", { cause: new Error(words) });
  };
  return {
    lost: () => lost,
    platform: {
      sleep: async () => undefined,
      async send(request, timeoutMs) {
        const fate = Math.floor((random() / share) * 4);
        if (fate < 4) lost++;
        if (fate === 0) return fail("lost on its way");
        if (fate === 1) return new Response("", { status: 503 });
        if (fate === 2) return new Response("", { status: 429 });
        const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
        return fate === 3 ? fail("the answer was lost") : response;
      },
    },
  };
}
