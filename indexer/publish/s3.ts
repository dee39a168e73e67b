/**
 * A bucket through the S3 API, as R2 offers it.
 *
 * Every body is signed with its SHA-256, which the bucket checks: what it confirms is what was sent. Requests that fail on the
 * way, and answers that another try may mend, are sent again a few times.
 */

import { createHash } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { readBounded } from "../../src/core/bytes/reader.ts";
import { InputError } from "../../src/core/errors.ts";
import { MAX_FILE_BYTES } from "../../src/core/format/generation.ts";
import { unescapeText } from "../../src/core/parse-text.ts";
import { isSafeForSecrets } from "../../src/core/text/addresses.ts";
import { CACHE_FOR_EVER, CACHE_NEVER, type ListedObject, type ObjectStore, TooLarge, typeOf } from "./object-store.ts";

const SHOWN_CHARACTERS = 300;

const BUCKET_EXAMPLE = "--bucket https://ACCOUNT.r2.cloudflarestorage.com/treeline-index";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Times that a request is sent in all. */
const TRIES = 6;

const FIRST_MS = 200;

const LONGEST_MS = 5_000;

const LONGEST_WISH_MS = 30_000;

/** Codes of answers that say no more than that the request came in damaged, or not to its end. */
const DAMAGED = new Set(["XAmzContentSHA256Mismatch", "BadDigest", "RequestTimeout", "IncompleteBody"]);

type BucketCredentials = Readonly<ReturnType<typeof readCredentials>>;

const MACHINE = {
  /** Rejects as `fetch` does, also when there is no answer within some milliseconds. What is signed goes to nobody else. */
  send: (request: Request, timeoutMs: number): Promise<Response> =>
    fetch(request, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" }),
  sleep: async (ms: number): Promise<void> => {
    await sleep(ms);
  },
  random: Math.random,
};

/** What a bucket is reached with; the machine's own unless a test says otherwise. */
export type BucketPlatform = Readonly<typeof MACHINE>;

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
export function readCredentials(environment: NodeJS.ProcessEnv = process.env) {
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
      if (text.includes("<Error>")) throw describeRefusal(403, text, what);
    },
  };
}

/** What lies directly below a prefix. */
async function listAt(prefix: string, { call }: Sender) {
  const objects: ListedObject[] = [];
  const folders = new Set<string>();
  let from: string | undefined;
  do {
    const where = { delimiter: "/", ...(prefix !== "" && { prefix }), ...(from && { "continuation-token": from }) };
    const query = { "list-type": "2", "encoding-type": "url", ...where };
    const answer = await call("", { query }, "listing the bucket");
    expectDone(answer, "listing the bucket");
    const page = parseListing(textOf(answer));
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
    const bytes = response.body === null ? new Uint8Array() : await readBounded(response.body.getReader(), bound);
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
  throw describeRefusal(answer.status, textOf(answer), what);
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

/**
 * Whether another try may end otherwise than in this answer.
 *
 * @param code The S3 error's code, where there is one.
 */
function isPassing(status: number, code?: string): boolean {
  if (status === 400) return code !== undefined && DAMAGED.has(code);
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507);
}

/**
 * Milliseconds to wait after a number of tries: random, so that many who failed at once do not come back at once, up to a bound
 * that doubles each time; or what the server asked for, within reason.
 *
 * @param retryAfter The header of that name; seconds alone are read.
 * @param random A number in [0, 1).
 */
function delayAfter(tries: number, retryAfter: string | null, random: number): number {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  const wish = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0;
  return Math.max(random * bound, Math.min(LONGEST_WISH_MS, wish));
}

/**
 * One page of a list, as ListObjectsV2 writes it with `encoding-type=url`: names are percent-encoded and hold no markup. `prefixes`: what
 * names have in common up to a delimiter, that included; `next`: where the next page begins, undefined for the last one.
 *
 * @throws {InputError} where it is no list.
 */
export function parseListing(xml: string) {
  if (!/<ListBucketResult[\s>]/.test(xml)) throw describeStranger("it answered with something that is no list");
  const objects = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, inner = ""]) => parseObject(inner));
  const prefixes = [...xml.matchAll(/<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>\s*<\/CommonPrefixes>/g)];
  const outside = xml.replace(/<Contents>[\s\S]*?<\/Contents>/g, "");
  const next = readElement(outside, "IsTruncated") === "true" ? readElement(outside, "NextContinuationToken") : "";
  if (next === undefined) throw describeStranger("its list ends in the middle");
  return {
    objects,
    prefixes: prefixes.map(([, text = ""]) => decodeName(text)),
    next: next === "" ? undefined : unescapeXml(next),
  };
}

function parseObject(xml: string): ListedObject {
  const name = readElement(xml, "Key");
  const bytes = Number(readElement(xml, "Size"));
  const modifiedAt = Date.parse(readElement(xml, "LastModified") ?? "");
  if (name === undefined || !Number.isSafeInteger(bytes) || Number.isNaN(modifiedAt)) {
    throw describeStranger("it lists an object without name, size or time");
  }
  // Of an object that was uploaded in parts the tag is something else, with a dash in it.
  const md5 = /^"([0-9a-f]{32})"$/.exec(unescapeXml(readElement(xml, "ETag") ?? ""))?.[1];
  return { name: decodeName(name), bytes, modifiedAt, ...(md5 !== undefined && { md5 }) };
}

/** One that is not well escaped is of somebody else's object: it is shown, and never asked for. */
function decodeName(encoded: string): string {
  return unescapeText(unescapeXml(encoded).replaceAll("+", " "));
}

function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

/** The code of an S3 error; undefined where the text is none. */
function errorCode(text: string): string | undefined {
  return /<Code>([\w.]{1,60})<\/Code>/.exec(text)?.[1];
}

/**
 * The error that an answer means, with what to do about it.
 *
 * @param what What was done, such as `reading treeline.pointer`.
 */
function describeRefusal(status: number, text: string, what: string): InputError {
  const code = errorCode(text);
  const said = code ?? String(status);
  if (code === "NoSuchBucket") {
    return new InputError("there is no such bucket at that address: make it, or mend --bucket", [], BUCKET_EXAMPLE);
  }
  if (code === "RequestTimeTooSkewed") {
    return new InputError(
      `the clock of this machine is wrong (it says ${new Date().toISOString()}), so the bucket takes no signature: set it, and try again`,
    );
  }
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
function describeStranger(reason: string): InputError {
  return new InputError(`what answers there is no bucket (${reason}): look at --bucket`, [], BUCKET_EXAMPLE);
}

/** The error for a request that got no answer. */
function describeUnreachable(error: unknown, origin: string, what: string): InputError {
  return new InputError(
    `${origin} did not answer (${what}: ${reasonOf(error)}); look at the address and at the network, and try again`,
  );
}

/** Whether a request failed on its way, and not because of how it was made. */
function isNetworkError(error: unknown): boolean {
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

/** The id of an account, as the dashboard and wrangler show it. */
export const ACCOUNT_ID = /^[0-9a-f]{32}$/;
/** A name that R2 takes for a bucket. */
export const R2_BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
/** What can be the name of a jurisdiction, such as `eu`. Which ones there are is known to Cloudflare alone. */
export const JURISDICTION = /^[a-z][a-z0-9-]{0,30}$/;

/** The address of R2's S3 API for an account, without a bucket and without `/` at its end. */
export function r2Endpoint(account: string, jurisdiction?: string): string {
  const place = jurisdiction === undefined || jurisdiction === "" ? "" : `${jurisdiction}.`;
  return `https://${account}.${place}r2.cloudflarestorage.com`;
}
