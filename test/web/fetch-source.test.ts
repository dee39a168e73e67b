import { afterEach, describe, expect, it } from "vitest";
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { createFetchSource } from "../../src/web/fetch-source.ts";
import { HostError, type HostProblem } from "../../src/web/host-error.ts";
import { describeRangeSource, type SourceUnderTest } from "../core/index/range-source-contract.ts";
import { type HostHabits, type StaticHost, serveFiles } from "../support/static-host.ts";

const MAX_WHOLE_FILE_BYTES = 2 * 1024 * 1024;

/** A source over a host with these habits, and the files that the host serves. */
async function openSource(habits: HostHabits): Promise<SourceUnderTest> {
  const files = new Map<string, Uint8Array>();
  const host = await serveFiles((path) => files.get(path.slice("index/".length)), habits);
  return {
    source: createFetchSource(`${host.url}index`),
    put: async (file, bytes) => {
      files.set(file, bytes);
    },
    remove: async (file) => {
      files.delete(file);
    },
    close: host.close,
  };
}

describeRangeSource("the range source over fetch", () => openSource({}));
describeRangeSource("the range source over fetch, from a host without byte ranges", () =>
  openSource({ ranges: false }),
);
describeRangeSource("the range source over fetch, from a host without conditional requests", () =>
  openSource({ conditional: false }),
);
describeRangeSource("the range source over fetch, from a host that names a wrong type", () =>
  openSource({ type: "text/html" }),
);
describeRangeSource("the range source over fetch, from a host that compresses whole files", () =>
  openSource({ compress: "whole" }),
);

describe("createFetchSource", () => {
  const hosts: StaticHost[] = [];

  async function serve(files: Readonly<Record<string, Uint8Array>>, habits: HostHabits = {}): Promise<StaticHost> {
    const host = await serveFiles((path) => files[path], habits);
    hosts.push(host);
    return host;
  }

  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });

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

  it("names the status of any other answer", async () => {
    const source = createFetchSource("https://example.org/", async () => new Response(null, { status: 503 }));
    expect(await problemOf(source.readRange("a.pack", 0, 1))).toBe("refused");
    await expect(source.readPointer()).rejects.toThrow("https://example.org/treeline.pointer: the host answered 503");
  });

  it("loads a file once that the host only sends whole, however many ranges are wanted of it", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, at) => at % 251);
    const host = await serve({ "a.pack": bytes }, { ranges: false });
    const source = createFetchSource(host.url);
    const offsets = [0, 100, 200, 300, 400, 500];
    const parts = await Promise.all(offsets.map((offset) => source.readRange("a.pack", offset, 10)));
    expect(parts).toEqual(offsets.map((offset) => bytes.slice(offset, offset + 10)));
    host.reset();
    expect(await source.readRange("a.pack", 4990, 10)).toEqual(bytes.slice(4990));
    expect(host.requests).toEqual([]);
  });

  it("refuses a host that only sends whole files when one is too large to load", async () => {
    const host = await serve({ "a.pack": new Uint8Array(MAX_WHOLE_FILE_BYTES + 1) }, { ranges: false });
    const source = createFetchSource(host.url);
    const error = await failureOf(source.readRange("a.pack", 0, 10));
    expect(error).toMatchObject({ problem: "no-ranges" });
    expect(String(error)).toContain("needs byte ranges");
    const small = await serve({ "a.pack": new Uint8Array(MAX_WHOLE_FILE_BYTES) }, { ranges: false });
    expect(await createFetchSource(small.url).readRange("a.pack", 0, 10)).toEqual(new Uint8Array(10));
  });

  it("counts a body that says no length as it comes, and stops where it is too large", async () => {
    let sent = 0;
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
      });
    const source = createFetchSource("https://example.org/", async () => new Response(endless()));
    expect(await problemOf(source.readRange("a.pack", 0, 10))).toBe("no-ranges");
    expect(sent).toBeLessThan(MAX_WHOLE_FILE_BYTES + 8 * 65_536);
  });

  it("tells that parts of a compressed file cannot be read", async () => {
    const bytes = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 251);
    const host = await serve({ "a.pack": bytes }, { compress: "slice" });
    expect(await problemOf(createFetchSource(host.url).readRange("a.pack", 50, 100))).toBe("encoded");
    expect(await problemOf(createFetchSource(host.url).readRange("a.pack", 0, 40))).toBe("encoded");
  });

  it("tells so, too, where the browser gives no answer to what it cannot unpack", async () => {
    const source = createFetchSource("https://example.org/", async (_, { method }) => {
      if (method === "HEAD") return new Response(null);
      throw new TypeError("Failed to fetch");
    });
    expect(await problemOf(source.readRange("a.pack", 50, 100))).toBe("encoded");
    expect(await problemOf(source.readPointer())).toBe("unreachable");
  });

  it("takes a page for no file, whether the host knows ranges or not", async () => {
    const fallback = "<!doctype html><title>My site</title>".padEnd(9000, " ");
    for (const ranges of [true, false]) {
      const host = await serve({}, { fallback, ranges });
      const source = createFetchSource(host.url);
      expect(await problemOf(source.readPointer())).toBe("page-instead-of-file");
      await source.readRange("a.pack", 100, 10).catch(() => undefined);
      expect(await source.explainDamage()).toMatchObject({ problem: "page-instead-of-file" });
    }
  });

  it("explains no damage where files begin as files", async () => {
    const host = await serve({ "a.pack": new Uint8Array(1000), "b.pack": new Uint8Array(10) });
    const source = createFetchSource(host.url);
    await source.readRange("a.pack", 0, 10);
    await source.readRange("b.pack", 0, 10);
    await source.readRange("gone.pack", 0, 10).catch(() => undefined);
    expect(await source.explainDamage()).toBeUndefined();
  });

  it("says that a host does not answer, and what a page may not be allowed", async () => {
    const host = await serve({});
    await host.close();
    hosts.pop();
    const error = await failureOf(createFetchSource(host.url).readPointer());
    expect(error).toMatchObject({ problem: "unreachable" });
    expect(String(error)).toContain("Access-Control-Allow-Origin");
  });

  it("begins no read when its signal is over, and lets one on its way come in", async () => {
    const host = await serve({ "a.pack": new Uint8Array(100) });
    const abort = new AbortController();
    const source = createFetchSource(host.url).withSignal(abort.signal);
    const reading = source.readRange("a.pack", 0, 10);
    abort.abort(new Error("typed on"));
    expect(await reading).toHaveLength(10);
    await expect(source.readRange("a.pack", 20, 10)).rejects.toThrow("typed on");
    expect(host.requests).toHaveLength(1);
  });

  it("asks once for what lies within a part that is on its way, and again when that is damaged", async () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at);
    const host = await serve({ "a.pack": bytes });
    const source = createFetchSource(host.url);
    const reads = [source.readRange("a.pack", 10, 50), source.readRange("a.pack", 20, 10)];
    reads.push(source.readRange("a.pack", 55, 10));
    const first = source.readFresh?.("a.pack", 20, 10);
    expect(await Promise.all(reads)).toEqual([bytes.slice(10, 60), bytes.slice(20, 30), bytes.slice(55, 65)]);
    expect(await first).toEqual(bytes.slice(20, 30));
    const asked = host.requests.map(({ range }) => range);
    expect(asked.toSorted()).toEqual(["bytes=10-59", "bytes=20-29", "bytes=55-64"]);
    await source.readRange("a.pack", 20, 10);
    expect(host.requests).toHaveLength(4);
  });

  it("lets caches keep one long part of a file at a time, and replaces what was damaged there", async () => {
    const asked: RequestInit["cache"][] = [];
    const source = createFetchSource("https://example.org/index", async (_, { cache, headers }) => {
      asked.push(cache);
      const [first = 0, last = 0] = (new Headers(headers).get("range") ?? "")
        .slice("bytes=".length)
        .split("-")
        .map(Number);
      return new Response(new Uint8Array(last - first + 1), { status: 206 });
    });
    await Promise.all([0, 10_000, 20_000].map((offset) => source.readRange("a.pack", offset, 8_000)));
    expect(asked.splice(0)).toEqual(["default", "no-store", "no-store"]);
    await Promise.all([source.readRange("a.pack", 0, 100), source.readRange("a.pack", 10_000, 8_000)]);
    expect(asked.splice(0)).toEqual(["no-store", "default"]);
    await source.readFresh?.("a.pack", 0, 8_000);
    expect(asked).toEqual(["reload"]);
  });

  it("knows a file that is gone, and one that is too short, from a host that cannot serve", async () => {
    const host = await serve({ "a.pack": new Uint8Array(100) });
    const source = createFetchSource(host.url);
    expect(await failureOf(source.readRange("b.pack", 0, 10))).toBeInstanceOf(StaleGenerationError);
    expect(await failureOf(source.readRange("a.pack", 95, 10))).toBeInstanceOf(FormatError);
  });
});

async function failureOf(read: Promise<unknown>): Promise<unknown> {
  return read.then(
    () => new Error("the read succeeded"),
    (error: unknown) => error,
  );
}

async function problemOf(read: Promise<unknown>): Promise<HostProblem | undefined> {
  const error = await failureOf(read);
  return error instanceof HostError ? error.problem : undefined;
}
