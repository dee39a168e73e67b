import { beforeAll, describe, expect, it } from "vitest";
import { loadOutline, readPassages, readSections } from "../../../src/core/docs/documents.ts";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { fileOfPack, mixKey } from "../../../src/core/format/chunk.ts";
import { findBlock } from "../../../src/core/format/locator.ts";
import { FIRST_TEXT_UNIT } from "../../../src/core/format/postings.ts";
import { readWithResident, residentTable } from "../../../src/core/index/resident.ts";
import { grep } from "../../../src/core/search/grep.ts";
import { compileText } from "../../../src/core/search/grep-pattern.ts";
import { search } from "../../../src/core/search/search.ts";
import { type BuiltIndex, buildPages, openFiles } from "../../support/build-index.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { ask } from "../../support/small-corpora.ts";

/**
 * Checksums of blocks say which unit they are and where they lie, not of which document they are: a writer that takes
 * two documents for each other, or places that are wrong in the locator, give blocks that fit where they do not belong.
 */
describe("text of another document in the place of a document's", () => {
  const PLACED = 'text block: holds text of "b.md" in the place of "a.md"';
  let built: BuiltIndex;
  let files: Map<string, Uint8Array>;

  beforeAll(async () => {
    built = await buildPages({
      "a.md": "# Alpha\n\nThe kettle whistles.\n",
      "b.md": "# Brave\n\nThe candle flickers.\n",
      "c.md": "# Extra\n\nA kettle beside a kettle, and a kettle more.\n",
    });
    const { reader, index } = await built.open();
    await readWithResident(reader, ["locator"]);
    const locator = residentTable(reader, 0, "locator");
    const [a, b] = [0, 1].map((document) => findBlock(locator, document, FIRST_TEXT_UNIT));
    if (a === undefined || b === undefined) throw new Error("there are two documents");
    expect(a).toMatchObject({ pack: b.pack, length: b.length });
    const name = fileOfPack(index.root.shards[0]?.packs[a.pack] ?? "");
    const pack = Uint8Array.from(built.files.get(name) ?? []);
    const first = pack.slice(a.offset, a.offset + a.length);
    pack.set(pack.subarray(b.offset, b.offset + b.length), a.offset);
    pack.set(first, b.offset);
    for (const { offset } of [a, b]) mixKey(pack, offset, a.offset ^ b.offset);
    files = new Map(built.files).set(name, pack);
  });

  it("is noticed by a search", async () => {
    const { reader } = await openFiles(files, "all");
    const error = await refusalOf(() => search(reader, ask("whistles kettle", { excerpts: 1 })));
    expect(error.message).toBe(PLACED);
  });

  it("is noticed by a search that found the titles in memory", async () => {
    const { reader, next } = await openFiles(files, "all");
    await readWithResident(reader, ["titles"]);
    const error = await refusalOf(() => search(next(), ask("whistles")));
    expect(error.message).toBe(PLACED);
  });

  it("is noticed where sections or lines are read", async () => {
    const { reader } = await openFiles(files, "all");
    const outline = await loadOutline(reader, "docs:a.md");
    if (outline === undefined) throw new Error("the page is in the index");
    expect((await refusalOf(() => readSections(reader, outline, [0]))).message).toBe(PLACED);
    const lines = { outline, startLine: 1, endLine: 3, withFrontmatter: true };
    expect((await refusalOf(() => readPassages(reader, [lines]))).message).toBe(PLACED);
  });

  it("is noticed by grep", async () => {
    const { reader } = await openFiles(files, "all");
    const error = await refusalOf(() =>
      grep(reader, {
        pattern: compileText("whistles", false),
        collection: "",
        acceptsPath: () => true,
        filter: NO_FILTER,
        context: 0,
        offset: 0,
        limit: 10,
      }),
    );
    expect(error.message).toBe(PLACED);
  });

  it("does not trouble who reads the files as they were written", async () => {
    const { reader } = await built.open();
    const { hits } = await search(reader, ask("whistles", { excerpts: 1 }));
    expect(hits.map(({ path }) => path)).toEqual(["a.md"]);
  });
});
