import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { FORMAT_VERSION, splitRoot } from "../../../src/core/format/root.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { buildCollections, buildPages } from "../../support/build-index.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { createMemorySource } from "../../support/memory-source.ts";

describe("openIndex", () => {
  it("describes the generation that the pointer names", async () => {
    const built = await buildPages({ "a.md": "# A\n\nOne two three.\n\n## B\n\nFour.", "b.md": "# C" });
    const { index } = await built.open();
    const pointer = decodePointer(built.files.get(POINTER_FILE) ?? new Uint8Array());
    expect(index.generation.id).toBe(pointer.root.slice(0, 12));
    expect(built.files.has(pointer.root)).toBe(true);
    const [root, ...levels] = splitRoot(pointer.rootBytes);
    expect(built.files.get(pointer.root)).toEqual(root);
    const held = [...built.files].flatMap(([name, bytes]) => (name.endsWith(".level") ? [bytes] : []));
    expect(held).toEqual(levels);
    expect(built.files.has(pointer.manifest)).toBe(true);
    expect(built.files.has(index.log)).toBe(true);
    expect(index.generation).toMatchObject({
      formatVersion: FORMAT_VERSION,
      documents: 2,
      sections: 3,
      commit: "none",
    });
    expect(index.generation.terms).toBe(index.root.shards[0]?.terms);
    expect(index.generation.indexBytes + index.generation.textBytes).toBe(
      [...built.files].filter(([name]) => name.endsWith(".pack")).reduce((sum, [, bytes]) => sum + bytes.length, 0),
    );
  });

  it("sums over collections and shards", async () => {
    const { index } = await (
      await buildCollections([
        { name: "docs", pages: { "a.md": "# A\n\nWords here." } },
        { name: "plans", access: "staff", pages: { "b.md": "# B\n\nMore words here.", "c.md": "# C" } },
      ])
    ).open();
    expect(index.generation.documents).toBe(3);
    expect(index.generation.terms).toBe(index.root.shards.reduce((sum, { terms }) => sum + terms, 0));
  });

  it("refuses a pointer of a newer version with both versions in the message", async () => {
    const built = await buildPages({ "a.md": "# A" });
    const pointer = (built.files.get(POINTER_FILE) ?? new Uint8Array()).slice();
    pointer[4] = FORMAT_VERSION + 1;
    const open = () => openIndex(pointer, createMemorySource(built.files), inflateRaw, new LruCache(1000));
    const error = await refusalOf(open);
    expect(error.message).toContain("format version 2");
    expect(error.message).toContain("up to 1");
  });

  it("reads nothing but the pointer", async () => {
    const { source } = await (await buildPages({ "a.md": "# A" })).open();
    expect(source.reads).toEqual([]);
  });
});
