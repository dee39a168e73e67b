/**
 * What went wrong with a bucket, in words that say what to do.
 */
import { InputError } from "../../src/core/errors.ts";

const SHOWN_CHARACTERS = 300;
const MINUTE_MS = 60_000;

/** An example of the option that names a bucket. */
export const BUCKET_EXAMPLE = "--bucket https://ACCOUNT.r2.cloudflarestorage.com/treeline-index";

/** An answer that is no success. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The code of an S3 error; undefined where the text is none. */
export function errorCode(text: string): string | undefined {
  return /<Code>([\w.]{1,60})<\/Code>/.exec(text)?.[1];
}

/**
 * The error that an answer means, with what to do about it.
 *
 * @param what What was done, such as `reading treeline.pointer`.
 * @param now Time of this machine, in milliseconds since 1970.
 */
export function describeRefusal({ status, headers, text }: RefusedAnswer, what: string, now: number): InputError {
  const code = errorCode(text);
  const said = code ?? String(status);
  if (code === "NoSuchBucket") {
    return new InputError("there is no such bucket at that address: make it, or mend --bucket", [], BUCKET_EXAMPLE);
  }
  if (code === "RequestTimeTooSkewed") return new InputError(describeClock(headers.get("Date"), now));
  if (code === "NotEntitled") {
    return new InputError(`R2 is not switched on for this account (${said}): open R2 in the Cloudflare dashboard once`);
  }
  if (status === 507 || status === 402 || /Quota|InsufficientStorage|LimitExceeded/.test(code ?? "")) {
    return new InputError(
      `the bucket takes no more (${what}: ${said}): remove what is not needed with \`treeline gc\`, or raise the account's limit`,
    );
  }
  if (status === 401 || status === 403) {
    const remedy =
      code === "AccessDenied"
        ? "the token needs Object Read & Write for this bucket"
        : "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be those of a token that needs to read and write objects of this bucket";
    return new InputError(`the bucket refused the credentials (${what}: ${said}); ${remedy}`);
  }
  if (status === 429 || code === "SlowDown") {
    return new InputError(`the bucket asks to slow down and went on asking (${what}: ${said}); try again in a minute`);
  }
  const words = code ?? text.replace(/[^\x20-\x7e]+/g, " ").slice(0, SHOWN_CHARACTERS);
  if (status >= 500) {
    return new InputError(`the bucket is out of order (${what}: status ${status}, ${words}); try again later`);
  }
  return describeStranger(`${what} was answered with status ${status}: ${words}`);
}

/** The error for an answer that no bucket gives. @param reason What is wrong with it. */
export function describeStranger(reason: string): InputError {
  return new InputError(`what answers there is no bucket (${reason}): look at --bucket`, [], BUCKET_EXAMPLE);
}

/** The error for a request that got no answer. */
export function describeUnreachable(error: unknown, origin: string, what: string): InputError {
  return new InputError(
    `${origin} did not answer (${what}: ${reasonOf(error)}); look at the address and at the network, and try again`,
  );
}

/** Whether a request failed on its way, and not because of how it was made. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // `fetch` throws a TypeError for both; only that of the network has a cause.
  return error.name === "TimeoutError" || (error instanceof TypeError && error.cause !== undefined);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
  return error.name === "TimeoutError" ? "it took too long" : error.message;
}

function describeClock(date: string | null, now: number): string {
  const there = Date.parse(date ?? "");
  const minutes = Math.round((now - there) / MINUTE_MS);
  const off =
    Number.isNaN(minutes) || minutes === 0
      ? "is wrong"
      : `is ${Math.abs(minutes)} minutes ${minutes > 0 ? "fast" : "slow"}`;
  return `the clock of this machine ${off} (it says ${new Date(now).toISOString()}), so the bucket takes no signature: set it, and try again`;
}
