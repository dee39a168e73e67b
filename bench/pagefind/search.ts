/**
 * What searches read from a Pagefind index: its own `pagefind.js`, against a static server on 127.0.0.1 that counts.
 *
 * `pagefind.js` runs in Node with `fetch` and `document` alone; it is written for browsers, and in one it would do its
 * reads from a worker, which changes none of them. Round trips are counted by `rounds.ts`. Each query has an instance of
 * its own, and after the search the first five results are loaded, as its interface does. Bytes: bodies of answers,
 * scripts and JSON as gzip, the others as they are (they are compressed already).
 *
 * Cold: the script, the entry, the metadata, the engine and what the query reads. Warm: the latter alone.
 */
import { createReadStream, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { QueryCost } from "../measure-queries.ts";
import { RoundCounter, type SentRequest } from "./rounds.ts";

const SHOWN_RESULTS = 5;

/** One query, cold and warm. */
export interface PeerQuery {
  readonly query: string;
  readonly results: number;
  readonly cold: QueryCost;
  readonly warm: QueryCost;
}

/** An index that can be asked. */
export interface Peer {
  readonly measure: (query: string) => Promise<PeerQuery>;
  /** Bytes of the ready-made interface, script and styles as gzip: what a page loads beside the engine. */
  readonly interfaceBytes: number;
  readonly close: () => Promise<void>;
}

interface PagefindInstance {
  init(): Promise<void>;
  search(term: string): Promise<{ results: readonly { data(): Promise<unknown> }[] }>;
  destroy(): Promise<void>;
}

/** Serve and open the index in a folder. Replaces the global `fetch` until it is closed. */
export async function openPeer(dir: string): Promise<Peer> {
  const server = await serveFolder(dir);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pagefind/`;
  const original = globalThis.fetch;
  const rounds = new RoundCounter(original, base);
  globalThis.fetch = ((input: string) => rounds.fetch(input)) as typeof fetch;
  // The language of the page is all it asks of the document.
  Object.assign(globalThis, { document: { currentScript: null, querySelector: () => ({ getAttribute: () => "en" }) } });
  const script = join(dir, "pagefind.js");
  const { createInstance } = (await import(pathToFileURL(script).href)) as {
    createInstance: (options: object) => PagefindInstance;
  };
  const scriptBytes = gzipSync(readFileSync(script)).length;
  return {
    interfaceBytes: ["pagefind-ui.js", "pagefind-ui.css"].reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(dir, name))).length,
      0,
    ),
    async measure(query) {
      rounds.reset();
      const instance = createInstance({ basePath: base, noWorker: true });
      await instance.init();
      const { results } = await instance.search(query);
      await Promise.all(results.slice(0, SHOWN_RESULTS).map((result) => result.data()));
      await instance.destroy();
      const requests: SentRequest[] = [{ path: "pagefind.js", wave: 0, bytes: scriptBytes }, ...rounds.requests];
      return {
        query,
        results: results.length,
        cold: addUp(requests),
        warm: addUp(requests.filter(({ path }) => isOfQuery(path))),
      };
    },
    async close() {
      globalThis.fetch = original;
      Reflect.deleteProperty(globalThis, "document");
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isOfQuery(path: string): boolean {
  return /\.pf_(?:index|filter|fragment)$/.test(path);
}

function addUp(requests: readonly SentRequest[]): QueryCost {
  const bytesOf = (pattern: RegExp): number =>
    requests.reduce((sum, { path, bytes }) => sum + (pattern.test(path) ? bytes : 0), 0);
  return {
    waves: new Set(requests.map(({ wave }) => wave)).size,
    reads: requests.length,
    bytes: bytesOf(/./),
    postingBytes: bytesOf(/\.pf_index$/),
    textBytes: bytesOf(/\.pf_fragment$/),
  };
}

async function serveFolder(dir: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://127.0.0.1").pathname).replace(/^\/pagefind\//, "");
    createReadStream(join(dir, path))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
