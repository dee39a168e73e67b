import { describe, expect, it } from "vitest";
import { createWorkerSource } from "../../../src/web/pagefind/make-pagefind.ts";

const FOLDER = "https://search.example.org/pagefind/";
const FOUND = { generation: "g", pages: [{ key: "0.1", score: 2 }], terms: [["a", 1]], unfiltered: 1 };
const REQUEST = {
  ...{ query: "a", filter: {}, added: {}, language: "", sort: undefined, withCounts: false, ranking: {}, typing: true },
};

/** A source whose Worker gives the same answer to everything, and what it was asked. */
function sourceOf(answer: unknown, status = 200): { source: ReturnType<typeof createWorkerSource>; asked: string[] } {
  const asked: string[] = [];
  const source = createWorkerSource(FOLDER, async (url) => {
    asked.push(url);
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
  });
  return { source, asked };
}

describe("pages of a Worker", () => {
  it("are asked for by one request, and before they are wanted by none", async () => {
    const { source, asked } = sourceOf(FOUND);
    await source.preload(REQUEST);
    expect(asked).toEqual([]);
    expect(await source.find(REQUEST)).toEqual({ ...FOUND, counts: undefined });
    expect(asked).toHaveLength(1);
  });

  it("are there where the Worker answers", async () => {
    await sourceOf({ kind: { guide: 1 } }).source.check();
    await expect(sourceOf({ error: "no such corpus" }, 404).source.check()).rejects.toThrow("no such corpus");
    await expect(sourceOf({ kind: 1 }).source.check()).rejects.toThrow("not as Treeline");
  });

  it("are read some at a time", async () => {
    const { source, asked } = sourceOf({ pages: [] });
    await source.read(
      { ...FOUND, terms: [["a", 1]], counts: undefined },
      Array.from({ length: 45 }, (_, at) => `0.${at}`),
    );
    expect(asked).toHaveLength(3);
  });

  it.each([null, [], "<!doctype html>", ""])(
    "are refused where the answer is none of Treeline's: %j",
    async (answer) => {
      const { source } = sourceOf(answer);
      await expect(source.find(REQUEST)).rejects.toThrow("pages answers, but not as Treeline does");
      await expect(source.read({ ...FOUND, terms: [], counts: undefined }, ["0.1"])).rejects.toThrow("not as Treeline");
    },
  );

  it("are refused in the words of the Worker, or with its status", async () => {
    await expect(sourceOf({ error: "too many" }, 429).source.find(REQUEST)).rejects.toThrow("too many");
    await expect(sourceOf({ error: {} }, 500).source.find(REQUEST)).rejects.toThrow("status 500");
    await expect(sourceOf("<!doctype html>", 502).source.find(REQUEST)).rejects.toThrow("status 502");
  });
});
