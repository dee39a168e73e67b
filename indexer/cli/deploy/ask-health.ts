/**
 * Checks the health of a Worker that was just deployed. A new address takes a while until it is known everywhere.
 */

/** What it answered. */
export interface Health {
  readonly ok: boolean;
  /** `ok`, or why the last try failed. */
  readonly detail: string;
  /** Status of the last answer; undefined where none came. */
  readonly status: number | undefined;
}

/** Tries, and pauses between them: half a minute in all. */
const TRIES = 7;
const PAUSE_MS = 5000;
const TIMEOUT_MS = 10_000;

/** The answer of `/health`, asked until it is good or half a minute has passed. */
export async function waitForHealth(
  url: string,
  platform: { readonly fetch: typeof fetch; readonly sleep: (milliseconds: number) => Promise<unknown> },
): Promise<Health> {
  let last = "";
  let status: number | undefined;
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await platform.sleep(PAUSE_MS);
    try {
      const response = await platform.fetch(`${url}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body: unknown = await response.json().catch(() => undefined);
      if (response.ok && typeof body === "object" && body !== null && "status" in body && body.status === "ok") {
        return { ok: true, detail: "ok", status: response.status };
      }
      status = response.status;
      last = `status ${status}`;
    } catch (error) {
      status = undefined;
      last =
        error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    }
  }
  return { ok: false, detail: last, status };
}
