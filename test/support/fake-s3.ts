/**
 * The part of the S3 API that a bucket is used by, in memory, as what `fetch` would answer. Signatures are not looked at: the
 * local R2 does that in end-to-end tests.
 */
import { createHash } from "node:crypto";
import type { HeldObject } from "./fake-store.ts";

/** What happens to a request: lost before or after its effect, an answer that is cut off, or another answer. */
export type Fault =
  | "before"
  | "after"
  | "cut"
  | { readonly status: number; readonly code?: string; readonly wait?: string };

/** A bucket in memory. */
export interface FakeS3 {
  readonly objects: Map<string, HeldObject>;
  /** Methods and names of all requests, in order. */
  readonly requests: readonly string[];
  /** As `BucketPlatform` has it. */
  readonly send: (request: Request) => Promise<Response>;
  /** What happens to the requests that come, the first one first; nothing to those behind. */
  readonly faults: (Fault | undefined)[];
}

const LISTED_AT_ONCE = 3;

/** An empty bucket at any address. */
export function createFakeS3(now: () => number = () => 0): FakeS3 {
  const objects = new Map<string, HeldObject>();
  const requests: string[] = [];
  const faults: (Fault | undefined)[] = [];
  return {
    objects,
    requests,
    faults,
    async send(request) {
      const url = new URL(request.url);
      const name = decodeURIComponent(url.pathname.split("/").slice(2).join("/"));
      requests.push(`${request.method} ${name || url.search}`);
      const fault = faults.shift();
      if (fault === "before") throw lost();
      if (typeof fault === "object") return refuse(fault);
      const response = await answer(objects, request, name, url, now());
      if (fault === "after") throw lost();
      if (fault === "cut") return new Response(brokenBody(), response);
      return response;
    },
  };
}

async function answer(
  objects: FakeS3["objects"],
  request: Request,
  name: string,
  { searchParams }: URL,
  now: number,
): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const hash = createHash("sha256").update(body).digest("hex");
  if (request.headers.get("x-amz-content-sha256") !== hash) {
    return refuse({ status: 400, code: "XAmzContentSHA256Mismatch" });
  }
  const held = objects.get(name);
  const tag = held === undefined ? null : tagOf(held.bytes);
  if (request.method === "PUT") {
    const { headers } = request;
    const expected = headers.get("If-Match");
    if ((expected !== null && expected !== tag) || (headers.get("If-None-Match") === "*" && tag !== null)) {
      return refuse({ status: 412, code: "PreconditionFailed" });
    }
    objects.set(name, { bytes: body, modifiedAt: now });
    return new Response(null, { headers: { ETag: tagOf(body) } });
  }
  if (request.method === "POST" && searchParams.has("delete")) {
    const names = [...new TextDecoder().decode(body).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
    for (const key of names) objects.delete(key);
    return new Response("<DeleteResult></DeleteResult>");
  }
  if (name === "") return new Response(list(objects, searchParams));
  if (held === undefined || tag === null) return refuse({ status: 404, code: "NoSuchKey" });
  return new Response(Uint8Array.from(held.bytes), { headers: { ETag: tag } });
}

function list(objects: FakeS3["objects"], query: URLSearchParams): string {
  const from = Number(query.get("continuation-token") ?? 0);
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter");
  const rolled = [...objects.keys()].sort().flatMap((name) => {
    if (!name.startsWith(prefix)) return [];
    const at = delimiter === null ? -1 : name.indexOf(delimiter, prefix.length);
    return [at < 0 ? name : name.slice(0, at + 1)];
  });
  const names = [...new Set(rolled)];
  const contents = names.slice(from, from + LISTED_AT_ONCE).map((name) => {
    const held = objects.get(name);
    if (held === undefined || (delimiter !== null && name.endsWith(delimiter) && name !== prefix)) {
      return `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`;
    }
    const { bytes, modifiedAt } = held;
    const tag = tagOf(bytes).replaceAll('"', "&quot;");
    const time = new Date(modifiedAt).toISOString();
    return `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${bytes.length}</Size><LastModified>${time}</LastModified><ETag>${tag}</ETag></Contents>`;
  });
  const next = from + LISTED_AT_ONCE;
  const more = next < names.length;
  return `<?xml version="1.0"?><ListBucketResult><Prefix>${encodeURIComponent(prefix)}</Prefix>${contents.join("")}<IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ""}</ListBucketResult>`;
}

function refuse({ status, code = "Fault", wait }: Exclude<Fault, string>): Response {
  return new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, {
    status,
    headers: wait === undefined ? {} : { "Retry-After": wait },
  });
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function lost(): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
}

function brokenBody(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Uint8Array.of(1));
      controller.error(new TypeError("terminated", { cause: new Error("other side closed") }));
    },
  });
}
