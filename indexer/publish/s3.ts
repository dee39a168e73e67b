/**
 * A bucket through the S3 API, as R2 offers it.
 *
 * Every body is signed with its SHA-256, which the bucket checks: what it confirms is what was sent. Requests that fail on the
 * way, and answers that another try may mend, are sent again a few times (`retry.ts`).
 */
import { createHash } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { InputError } from "../../src/core/errors.ts";
import { MAX_FILE_BYTES } from "../../src/core/format/manifest.ts";
import { isSafeForSecrets } from "../../src/core/loopback.ts";
import { readBounded } from "../../src/element/read-bounded.ts";
import { CACHE_FOR_EVER, CACHE_NEVER, type ListedObject, type ObjectStore, TooLarge, typeOf } from "./object-store.ts";
import { delayAfter, isPassing, TRIES } from "./retry.ts";
import {
  BUCKET_EXAMPLE,
  describeRefusal,
  describeStranger,
  describeUnreachable,
  errorCode,
  isNetworkError,
  type RefusedAnswer,
} from "./s3-errors.ts";
import { type ListingPage, parseListing } from "./s3-listing.ts";

/** What signs requests. */
export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What a bucket is reached with; the machine's own unless a test says otherwise. */
export interface BucketPlatform {
  /** Rejects as `fetch` does, also when there is no answer within some milliseconds. */
  readonly send: (request: Request, timeoutMs: number) => Promise<Response>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

const MACHINE: BucketPlatform = {
  // What is signed goes to nobody else.
  send: (request, timeoutMs) => fetch(request, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" }),
  sleep: async (ms) => {
    await sleep(ms);
  },
  random: Math.random,
};

/** R2 knows one region. */
const REGION = "auto";
/** Of lists and of answers that say what went wrong. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Enough for the largest file on a slow line. */
const TIMEOUT_MS = 120_000;

interface Call {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Largest object that is taken. */
  readonly maxBytes?: number;
  /** When it must be over, on the clock of `performance.now()`. */
  readonly deadline?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** How often the request was sent: an earlier one may have been done although its answer was lost. */
  readonly tries: number;
}

/** The credentials that the environment holds: a command line can be read by everybody on the machine. @throws {InputError} */
export function readCredentials(environment: NodeJS.ProcessEnv = process.env): BucketCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new InputError(
      "the bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to those of an R2 API token",
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** The bucket at an address: the S3 endpoint with the bucket's name behind it. @throws {InputError} for an address that is none. */
export function openBucket(
  address: string,
  credentials: BucketCredentials,
  platform: Partial<BucketPlatform> = {},
): ObjectStore {
  const base = checkAddress(address);
  return openAt(base, "", createSender(base, credentials, { ...MACHINE, ...platform }));
}

/** The store of the objects whose names begin with a prefix, which is empty or ends with a slash. */
function openAt(base: string, prefix: string, sender: Sender): ObjectStore {
  const { requests } = sender;
  const call: Sender["call"] = (name, init, what) => sender.call(`${prefix}${name}`, init, what);

  const get: ObjectStore["get"] = async (name, maxBytes = MAX_FILE_BYTES) => {
    const what = `reading ${name}`;
    const answer = await call(name, { maxBytes }, what);
    if (answer.status === 404 && codeOf(answer) !== "NoSuchBucket") return undefined;
    expectDone(answer, what);
    const etag = answer.headers.get("ETag");
    if (etag === null) throw describeStranger(`it gave ${name} without a tag`);
    return { bytes: answer.bytes, etag };
  };

  return {
    place: `${base}/${prefix}`.replace(/\/$/, ""),
    requests,
    within: (folder) => openAt(base, `${prefix}${folder}/`, sender),
    get,
    async put(name, bytes, type, known) {
      const condition: Record<string, string> = known === undefined ? { "If-None-Match": "*" } : { "If-Match": known };
      const headers = { "Content-Type": type, "Cache-Control": CACHE_NEVER, ...condition };
      const what = `writing ${name}`;
      const answer = await call(name, { method: "PUT", body: bytes, headers }, what);
      // What is gone has no tag any more: some answer that with 404.
      if (answer.status === 412 || answer.status === 409 || codeOf(answer) === "NoSuchKey") {
        // The first try may have been done, and its answer lost: then it is this very object that is in the way.
        return answer.tries > 1 && isSame((await get(name))?.bytes, bytes);
      }
      expectDone(answer, what);
      return true;
    },
    async upload(name, bytes) {
      const headers = { "Content-Type": typeOf(name), "Cache-Control": CACHE_FOR_EVER };
      const what = `writing ${name}`;
      expectDone(await call(name, { method: "PUT", body: bytes, headers }, what), what);
    },
    list: async () => (await listAt(prefix, sender)).objects,
    folders: async () => (await listAt(prefix, sender)).folders,
    async remove(names, deadline) {
      const keys = names.map((name) => `<Object><Key>${escapeXml(prefix + name)}</Key></Object>`).join("");
      const body = new TextEncoder().encode(`<Delete>${keys}<Quiet>true</Quiet></Delete>`);
      const md5 = createHash("md5").update(body).digest("base64");
      const headers = { "Content-Type": "application/xml", "Content-MD5": md5 };
      const what = `removing ${names.length} objects`;
      const answer = await sender.call("", { method: "POST", query: { delete: "" }, headers, body, deadline }, what);
      expectDone(answer, what);
      // Each object has an error of its own, beside a status that says all is well.
      const text = textOf(answer);
      if (text.includes("<Error>")) throw describeRefusal({ ...answer, status: 403, text }, what, Date.now());
    },
  };
}

/** What lies directly below a prefix. */
async function listAt(
  prefix: string,
  { call }: Sender,
): Promise<{ readonly objects: readonly ListedObject[]; readonly folders: readonly string[] }> {
  const objects: ListedObject[] = [];
  const folders = new Set<string>();
  let from: string | undefined;
  do {
    const where = { delimiter: "/", ...(prefix !== "" && { prefix }), ...(from && { "continuation-token": from }) };
    const query = { "list-type": "2", "encoding-type": "url", ...where };
    const answer = await call("", { query }, "listing the bucket");
    expectDone(answer, "listing the bucket");
    const page = readPage(answer);
    for (const object of page.objects) {
      const name = object.name.slice(prefix.length);
      // Of a prefix itself an object of no name is left: how some programs make a folder.
      if (name !== "") objects.push({ ...object, name });
    }
    for (const name of page.prefixes) folders.add(name.slice(prefix.length).replace(/\/$/, ""));
    from = page.next;
  } while (from !== undefined);
  return { objects, folders: [...folders] };
}

function readPage(answer: Answer): ListingPage {
  try {
    return parseListing(textOf(answer));
  } catch (error) {
    throw describeStranger((error as Error).message);
  }
}

interface Sender {
  readonly call: (name: string, init: Call, what: string) => Promise<Answer>;
  readonly requests: () => number;
}

/** What sends signed requests to a bucket, again where that may help, and counts them. */
function createSender(base: string, credentials: BucketCredentials, { send, sleep, random }: BucketPlatform): Sender {
  const client = new AwsClient({ ...credentials, service: "s3", region: REGION });
  const { origin } = new URL(base);
  let sent = 0;

  const once = async (url: string, name: string, init: Call, ms: number): Promise<Answer> => {
    const { method = "GET", headers, body, maxBytes } = init;
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const request = await client.sign(url, {
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": hash },
      ...(body !== undefined && { body }),
    });
    sent++;
    const response = await send(request, ms);
    const bound = response.ok && maxBytes !== undefined ? maxBytes : MAX_TEXT_BYTES;
    // Read here, so that what is cut off on the way is asked for again as well.
    const bytes = response.body === null ? new Uint8Array() : await readBounded(response.body, bound);
    if (bytes === undefined) {
      if (bound === maxBytes) throw new TooLarge(name, maxBytes, base);
      throw describeStranger(`an answer has more than ${bound} bytes`);
    }
    return { status: response.status, headers: response.headers, bytes, tries: 1 };
  };

  const call: Sender["call"] = async (name, init, what) => {
    const query = new URLSearchParams(init.query).toString();
    const url = `${base}${name === "" ? "" : `/${name.split("/").map(encodeURIComponent).join("/")}`}${query === "" ? "" : `?${query}`}`;
    for (let tries = 1; ; tries++) {
      const left = (init.deadline ?? Number.POSITIVE_INFINITY) - performance.now();
      const outcome = await once(url, name, init, Math.max(1, Math.min(TIMEOUT_MS, Math.floor(left)))).catch(
        (error: unknown) => {
          if (!isNetworkError(error)) throw error;
          return { error };
        },
      );
      const delay = delayAfter(tries, "error" in outcome ? null : outcome.headers.get("Retry-After"), random());
      const isLast = tries === TRIES || delay >= left;
      if ("error" in outcome) {
        if (isLast) throw describeUnreachable(outcome.error, origin, what);
      } else if (isLast || !isPassing(outcome.status, codeOf(outcome))) return { ...outcome, tries };
      await sleep(delay);
    }
  };
  return { call, requests: () => sent };
}

function checkAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isSafeForSecrets(url)) {
    throw new InputError(
      "--bucket must be an https address: the S3 endpoint and the name of the bucket",
      [],
      BUCKET_EXAMPLE,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError("--bucket must hold no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead");
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "" || url.search !== "" || url.hash !== "") {
    throw new InputError("--bucket must end with the name of the bucket", [], BUCKET_EXAMPLE);
  }
  return `${url.origin}${path}`;
}

function expectDone(answer: Answer, what: string): void {
  if (answer.status >= 200 && answer.status < 300) return;
  const refused: RefusedAnswer = { ...answer, text: textOf(answer) };
  throw describeRefusal(refused, what, Date.now());
}

function textOf({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes);
}

function codeOf(answer: Answer): string | undefined {
  return answer.status < 400 ? undefined : errorCode(textOf(answer));
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
