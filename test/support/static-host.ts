/**
 * A static web host on the loopback, with the habits of real ones: byte ranges or whole files, right or wrong types,
 * pages in place of missing files, compression on the way. Writes down what it was asked for and what it sent.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

/** How the host behaves; a plain host with byte ranges where nothing is said. */
export interface HostHabits {
  /** False: every answer is the whole file, as from Python's `http.server`. */
  readonly ranges?: boolean;
  /** False: every answer has a body, whatever the client says it knows. */
  readonly conditional?: boolean;
  /** `Content-Type` of every file, or of each by its path. */
  readonly type?: string | ((path: string) => string);
  /** Other origins may read. */
  readonly cors?: boolean;
  /** The page that stands in for missing files, with status 200. */
  readonly fallback?: string;
  /** `slice`: parts of the compressed file, as some proxies send. `whole`: compressed whole files. */
  readonly compress?: "slice" | "whole";
  /** `Cache-Control` of every answer, or of each by its path. */
  readonly cacheControl?: string | ((path: string) => string);
  /** Further headers of every answer, a policy for pages for instance. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes what is posted. */
  readonly receive?: (path: string, body: string) => void;
  /** Waited for before each answer; `gone` comes when the client went away, or has its answer. */
  readonly before?: (path: string, gone: Promise<void>) => Promise<void>;
}

/** One request as the host saw it. */
export interface HostRequest {
  readonly method: string;
  /** Path without the slash at its beginning. */
  readonly path: string;
  readonly range: string | undefined;
  readonly status: number;
  /** Bytes of the body that was sent. */
  readonly bytes: number;
  /** The client went away before the answer was sent. */
  readonly aborted: boolean;
}

/** A running host. */
export interface StaticHost {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  readonly requests: readonly HostRequest[];
  reset(): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Serve files by path; `find` is asked at each request. */
export async function serveFiles(
  find: (path: string) => Uint8Array | undefined,
  habits: HostHabits = {},
): Promise<StaticHost> {
  const requests: HostRequest[] = [];
  const { cacheControl } = habits;
  // Connections last: one that is closed just when a slow machine sends something over it is no habit of a host.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void reply(request, response));
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname.slice(1));
    if (request.method === "POST" && habits.receive !== undefined) {
      habits.receive(path, await text(request));
      response.writeHead(204).end();
      return;
    }
    await habits.before?.(path, new Promise((resolve) => response.once("close", () => resolve())));
    const { status, headers = {}, body } = answer(find(path), path, request, habits);
    requests.push({
      method: request.method ?? "",
      path,
      range: request.headers.range,
      status,
      bytes: body?.length ?? 0,
      aborted: response.destroyed,
    });
    response.writeHead(status, {
      ...headers,
      ...habits.headers,
      ...(cacheControl !== undefined && {
        "cache-control": typeof cacheControl === "function" ? cacheControl(path) : cacheControl,
      }),
      ...(habits.cors === true && {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "range, if-none-match",
      }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get requests() {
      return requests;
    },
    reset() {
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  found: Uint8Array | undefined,
  path: string,
  { method, headers }: IncomingMessage,
  habits: HostHabits,
): Answer {
  if (method === "OPTIONS") return { status: 204 };
  const { fallback, type } = habits;
  if (found === undefined && fallback === undefined) return { status: 404, body: Buffer.from("not here") };
  const file = found ?? Buffer.from(fallback ?? "");
  const bytes = habits.compress === undefined ? file : gzipSync(file);
  const sent: Record<string, string> = {
    "content-type":
      (typeof type === "function" ? type(path) : type) ??
      (found === undefined ? "text/html" : "application/octet-stream"),
    ...(habits.compress !== undefined && { "content-encoding": "gzip" }),
  };
  const etag = `"${createHash("sha256").update(file).digest("hex").slice(0, 16)}"`;
  if (habits.conditional !== false && headers["if-none-match"] === etag) return { status: 304, headers: { etag } };
  sent["etag"] = etag;
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
  if (habits.ranges === false || habits.compress === "whole" || range === null) {
    return { status: 200, headers: { ...sent, "content-length": `${bytes.length}` }, body: bytes };
  }
  const first = Number(range[1]);
  if (first >= bytes.length) return { status: 416, headers: { "content-range": `bytes */${bytes.length}` } };
  const part = bytes.subarray(first, Number(range[2]) + 1);
  const place = `bytes ${first}-${first + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...sent, "content-range": place, "content-length": `${part.length}` }, body: part };
}
