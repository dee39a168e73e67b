import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createFetchSource } from "../../src/element/fetch-source.ts";
import { describeRangeSource, type SourceUnderTest } from "../core/index/range-source-contract.ts";

/** A web host on the loopback: with byte ranges or without, and answering conditional requests or not. */
async function openHost(host: { readonly ranges: boolean; readonly conditional: boolean }): Promise<SourceUnderTest> {
  const files = new Map<string, Uint8Array>();
  const server = createServer((request, response) =>
    answer(files.get(`${request.url}`.slice("/index/".length)), request, response),
  );
  const answer = (bytes: Uint8Array | undefined, request: IncomingMessage, response: ServerResponse): void => {
    if (bytes === undefined) {
      response.writeHead(404).end("not here");
      return;
    }
    const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`;
    if (host.conditional && request.headers["if-none-match"] === etag) {
      response.writeHead(304, { etag }).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!host.ranges || range === null) {
      response.writeHead(200, { etag }).end(bytes);
      return;
    }
    const first = Number(range[1]);
    if (first >= bytes.length) {
      response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
      return;
    }
    const part = bytes.subarray(first, Number(range[2]) + 1);
    response
      .writeHead(206, { etag, "content-range": `bytes ${first}-${first + part.length - 1}/${bytes.length}` })
      .end(part);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    source: createFetchSource(`http://127.0.0.1:${port}/index`),
    put: async (file, bytes) => {
      files.set(file, bytes);
    },
    remove: async (file) => {
      files.delete(file);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describeRangeSource("the range source over fetch", () => openHost({ ranges: true, conditional: true }));
describeRangeSource("the range source over fetch, from a host without byte ranges", () =>
  openHost({ ranges: false, conditional: true }),
);
describeRangeSource("the range source over fetch, from a host without conditional requests", () =>
  openHost({ ranges: true, conditional: false }),
);

describe("createFetchSource", () => {
  it("asks for the range in a header, below the address with or without a slash at its end", async () => {
    for (const address of ["https://example.org/index", "https://example.org/index/"]) {
      const asked: { url: string; range: string | null }[] = [];
      const source = createFetchSource(address, async (url, init) => {
        asked.push({ url, range: new Headers(init.headers).get("range") });
        return new Response(new Uint8Array(10), { status: 206 });
      });
      await source.readRange("a.pack", 20, 10);
      expect(asked).toEqual([{ url: "https://example.org/index/a.pack", range: "bytes=20-29" }]);
    }
  });

  it("fails loudly on any other answer", async () => {
    const source = createFetchSource("https://example.org/", async () => new Response(null, { status: 503 }));
    await expect(source.readRange("a.pack", 0, 1)).rejects.toThrow("a.pack: the host answered 503");
    await expect(source.readPointer()).rejects.toThrow("503");
  });
});
