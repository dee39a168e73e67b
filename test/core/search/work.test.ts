import { beforeAll, describe, expect, it } from "vitest";
import { utf8Length } from "../../../src/core/bytes/encodings.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { search } from "../../../src/core/search/search.ts";
import { findSimilar } from "../../../src/core/search/similar.ts";
import { suggest } from "../../../src/core/search/suggest.ts";
import { type BuiltIndex, buildPages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [
    `page-${n}.md`,
    `# Page ${n}\n\nÉvery alpha stands before beta here.\n\n## Further\n\nThe beta of page ${n} precedes its alpha.\n`,
  ]),
);

describe("the work of a query", () => {
  let built: BuiltIndex;
  beforeAll(async () => {
    built = await buildPages(PAGES);
  });

  async function costOf(run: (reader: IndexReader) => Promise<unknown>): Promise<IndexReader["cost"]> {
    const { reader } = await built.open();
    await run(reader);
    return reader.cost;
  }

  it("counts each document that got a score, and the entries of its words and pairs", async () => {
    const one = await costOf((reader) => search(reader, ask("alpha", { excerpts: 0 })));
    expect(one).toMatchObject({ candidatesScored: 20, postingsDecoded: 20, bytesScanned: 0 });
    const two = await costOf((reader) => search(reader, ask("page alpha", { excerpts: 0 })));
    expect(two).toMatchObject({ candidatesScored: 20 });
    expect(two.postingsDecoded).toBeGreaterThanOrEqual(40);
  });

  it("counts the text that excerpts are cut from, in bytes of UTF-8", async () => {
    const { bytesScanned } = await costOf((reader) => search(reader, ask("every", { limit: 1, excerpts: 1 })));
    expect(bytesScanned).toBe(utf8Length("# Page 0\n\nÉvery alpha stands before beta here.\n\n"));
  });

  it("counts the text that is read for a phrase", async () => {
    const { bytesScanned } = await costOf((reader) => search(reader, ask('"beta of page"', { limit: 3, excerpts: 0 })));
    expect(bytesScanned).toBeGreaterThan(3 * "The beta of page".length);
  });

  it("counts sections that are compared with a draft, and what is suggested from", async () => {
    const content = "The beta of page seven precedes its alpha, says a draft.";
    const found = await costOf((reader) =>
      findSimilar(reader, { content, limit: 5, threshold: 0.2, collection: undefined }),
    );
    expect(found.candidatesScored).toBeGreaterThan(4);
    expect(found.bytesScanned).toBeGreaterThan(4 * content.length * 0.5);
    const typed = await costOf((reader) => suggest(reader, { query: "page 1", limit: 5, collections: [] }));
    expect(typed.candidatesScored).toBeGreaterThanOrEqual(11);
  });
});
