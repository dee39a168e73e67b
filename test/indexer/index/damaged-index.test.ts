/**
 * Damage in a real index: whatever byte changes, whatever is missing or foreign, an operation ends with a typed error
 * or with the answer that it gives on the whole index. Never with another answer.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { listDocuments } from "../../../src/core/docs/catalogue.ts";
import { loadLinks, loadOutline, readSections } from "../../../src/core/docs/documents.ts";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { FormatError, StaleGenerationError } from "../../../src/core/errors.ts";
import { fileOfPack } from "../../../src/core/format/chunk.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { search } from "../../../src/core/search/search.ts";
import { suggest } from "../../../src/core/search/suggest.ts";
import { type BuiltIndex, buildPages, openFiles, type Pages } from "../../support/build-index.ts";
import { createMemorySource } from "../../support/memory-source.ts";
import { openTables } from "../../support/open-tables.ts";
import { ask } from "../../support/small-corpora.ts";

const PAGES: Pages = {
  "index.md": "---\ntags: [start]\n---\n# Home\n\nSee [routing](guide/routing.md#dynamic-routes).\n",
  "guide/routing.md":
    "---\ntags: [web]\n---\n# Routing\n\nA route leads to a handler.\n\n## Dynamic routes\n\nUse the `useRouter` hook.\n",
  // So much that texts and tables have packs of their own.
  "numbers.md": `# Numbers\n\n${Array.from({ length: 6_000 }, (_, n) => `${(n * 2_654_435_761) % 1_000_003}`).join(" ")}\n`,
  "guide/caching.md":
    "---\ndescription: How answers are kept\n---\n# Caching\n\nThe cache keeps what a [handler](routing.md) gave.\n",
};
const DOCUMENT = "docs:guide/routing.md";

type Operation = (reader: IndexReader) => Promise<unknown>;

/** Between them these read every table and the text. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  search: (reader) => search(reader, ask("route handler", { withFacetCounts: true, excerpts: 10 })),
  filtered: (reader) =>
    search(reader, ask("the handler", { filter: { include: { tags: ["web"] }, exclude: {} }, sort: "title" })),
  suggest: (reader) => suggest(reader, { query: "dyn", limit: 5, collections: [] }),
  mistyped: (reader) => suggest(reader, { query: "cachig", limit: 5, collections: [] }),
  tree: async (reader) => {
    const outline = await loadOutline(reader, DOCUMENT);
    if (outline === undefined) return undefined;
    return [
      outline,
      await readSections(
        reader,
        outline,
        outline.sections.map(({ ordinal }) => ordinal),
      ),
      await loadLinks(reader, outline),
    ];
  },
  list: (reader) =>
    listDocuments(reader, {
      query: "",
      collection: "",
      folder: "",
      filter: NO_FILTER,
      sort: "path",
      offset: 0,
      limit: 10,
    }),
};

const COUNT = Object.keys(OPERATIONS).length;

/** The answer, without what reading it cost, or the error that it ended with. */
async function outcomeOf(files: ReadonlyMap<string, Uint8Array>, operation: Operation): Promise<unknown> {
  try {
    const { reader } = await openFiles(files, "all");
    const answer = await operation(reader);
    return JSON.parse(JSON.stringify(answer ?? null, (key, value: unknown) => (key === "cost" ? undefined : value)));
  } catch (error) {
    return error;
  }
}

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = bytes.slice();
  flipped[at] = (flipped[at] as number) ^ (1 << ((at * 5) % 8));
  return flipped;
}

describe("a damaged index", () => {
  let built: BuiltIndex;
  const answers = new Map<string, unknown>();

  beforeAll(async () => {
    built = await buildPages(PAGES);
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      const answer = await outcomeOf(built.files, operation);
      expect(answer).not.toBeInstanceOf(Error);
      answers.set(name, answer);
    }
  });

  /** Run operations over files with one changed; how often each kind of outcome came. */
  async function check(
    name: string,
    bytes: Uint8Array | undefined,
    names = Object.keys(OPERATIONS),
  ): Promise<Record<string, number>> {
    const files = new Map(built.files);
    if (bytes === undefined) files.delete(name);
    else files.set(name, bytes);
    const outcomes: Record<string, number> = {};
    for (const operation of names) {
      const outcome = await outcomeOf(files, OPERATIONS[operation] as Operation);
      if (!(outcome instanceof Error)) expect(outcome).toEqual(answers.get(operation));
      else if (!(outcome instanceof FormatError || outcome instanceof StaleGenerationError)) throw outcome;
      const kind = outcome instanceof Error ? outcome.name : "right";
      outcomes[kind] = (outcomes[kind] ?? 0) + 1;
    }
    return outcomes;
  }

  it("with any byte of any file changed gives a typed error or the right answer", async () => {
    let refused = 0;
    for (const [name, bytes] of built.files) {
      const isRead = name.endsWith(".pack") || name === POINTER_FILE;
      const step = isRead ? Math.max(1, Math.floor(bytes.length / 250)) : Math.ceil(bytes.length / 3);
      for (let at = 0, turn = 0; at < bytes.length; at += step, turn++) {
        // Packs are read by all operations, so they take turns on them.
        const names = Object.keys(OPERATIONS);
        const outcomes = await check(
          name,
          flip(bytes, at),
          name === POINTER_FILE ? names.slice(0, 1) : [names[turn % names.length] as string],
        );
        refused += outcomes["FormatError"] ?? 0;
        if (!isRead) expect(Object.keys(outcomes)).toEqual(["right"]);
        if (name === POINTER_FILE) expect(Object.keys(outcomes)).toEqual(["FormatError"]);
      }
    }
    expect(refused).toBeGreaterThan(250);
  });

  it("with a byte of a chunk changed is refused by whoever reads the chunk, and by nobody else", async () => {
    const { index } = await built.open();
    const [shard] = index.root.shards;
    const [entry] = shard?.tables.links.entries ?? [];
    const name = fileOfPack(shard?.packs[entry?.pack ?? 0] ?? "");
    const bytes = flip(built.files.get(name) ?? new Uint8Array(), (entry?.offset ?? 0) + 10);
    expect(await check(name, bytes, ["tree"])).toEqual({ FormatError: 1 });
    expect(await check(name, bytes, ["search", "filtered", "list"])).toEqual({ right: 3 });
  });

  it("with a file cut short anywhere gives a typed error or the right answer", async () => {
    for (const [name, bytes] of built.files) {
      for (const part of [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
        const outcomes = await check(name, bytes.slice(0, Math.floor(bytes.length * part)));
        if (name === POINTER_FILE) expect(outcomes).toEqual({ FormatError: COUNT });
      }
      await check(name, bytes.slice(0, -1));
    }
  });

  it("without a pack is stale, so that whoever reads it reads the pointer again", async () => {
    for (const name of built.files.keys()) {
      const outcomes = await check(name, name === POINTER_FILE ? new Uint8Array() : undefined);
      if (name.endsWith(".pack")) expect(outcomes["StaleGenerationError"] ?? 0).toBeGreaterThan(0);
      else if (name !== POINTER_FILE) expect(outcomes).toEqual({ right: COUNT });
    }
  });

  it("with the pointer of another corpus is stale, not that corpus", async () => {
    const other = await buildPages({ "other.md": "# Other\n\nA route to another handler.\n" });
    expect(await check(POINTER_FILE, other.files.get(POINTER_FILE))).toEqual({ StaleGenerationError: COUNT });
  });

  it("with something else in the place of the pointer says what it found", async () => {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    for (const foreign of [
      encode("<!doctype html><title>404</title>"),
      encode("{}"),
      new Uint8Array(),
      new Uint8Array(500),
    ]) {
      expect(await check(POINTER_FILE, foreign)).toEqual({ FormatError: COUNT });
    }
    const root = [...built.files].find(([name]) => name.endsWith(".root"))?.[1];
    expect(await check(POINTER_FILE, root)).toEqual({ FormatError: COUNT });
  });

  it("of a newer version is refused with both versions in the message", async () => {
    const pointer = (built.files.get(POINTER_FILE) ?? new Uint8Array()).slice();
    pointer[4] = 2;
    const error = await outcomeOf(new Map(built.files).set(POINTER_FILE, pointer), OPERATIONS["search"] as Operation);
    expect((error as Error).message).toBe("pointer: format version 2 is not known, only up to 1");
  });

  it("with two packs exchanged is refused", async () => {
    const packs = [...built.files.keys()].filter((name) => name.endsWith(".pack"));
    expect(packs).toHaveLength(2);
    const [first, second] = packs as [string, string];
    const files = new Map(built.files);
    files.set(first, built.files.get(second) ?? new Uint8Array());
    files.set(second, built.files.get(first) ?? new Uint8Array());
    for (const operation of Object.values(OPERATIONS)) {
      expect(await outcomeOf(files, operation)).toBeInstanceOf(FormatError);
    }
  });
});

describe("two chunks of one length that changed places", () => {
  it("are both refused, though each is whole", async () => {
    // Values above the target stand alone in their chunks, which are of one length then.
    const terms = Array.from({ length: 40 }, (_, n) => ({
      key: keyOf(`key${n + 10}`),
      value: new Uint8Array(4097).fill(n),
    }));
    const { reader, files, directories } = await openTables({ terms });
    const [name, bytes] = [...files][0] ?? ["", new Uint8Array()];
    const whole = bytes.slice();
    const { entries } = directories.terms;
    let exchanged = 0;
    for (const [at, entry] of entries.entries()) {
      const twin = entries.slice(at + 1).find(({ length }) => length === entry.length);
      if (twin === undefined) continue;
      exchanged++;
      bytes.set(whole.subarray(entry.offset, entry.offset + entry.length), twin.offset);
      bytes.set(whole.subarray(twin.offset, twin.offset + twin.length), entry.offset);
      const cold = new IndexReader({
        ...reader.index,
        source: createMemorySource(new Map([[name, bytes]])),
        cache: new LruCache(0),
      });
      for (const { prefix } of [entry, twin]) {
        const failed: unknown = await cold.lookUp(0, "terms", [prefix]).catch((error: unknown) => error);
        expect(failed).toBeInstanceOf(FormatError);
        expect((failed as FormatError).detail.code).toBe("checksum");
      }
      bytes.set(whole);
    }
    expect(exchanged).toBeGreaterThan(10);
  });
});
