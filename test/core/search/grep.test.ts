import { beforeAll, describe, expect, it } from "vitest";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { InputError } from "../../../src/core/errors.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { type GrepAnswer, type GrepPattern, grep } from "../../../src/core/search/grep.ts";
import { compileExpression, compileText } from "../../../src/core/search/grep-pattern.ts";
import { type BuiltIndex, buildCollections, buildPages, type Pages } from "../../support/build-index.ts";

function find(
  reader: IndexReader,
  pattern: string | GrepPattern,
  more: Partial<Parameters<typeof grep>[1]> = {},
): Promise<GrepAnswer> {
  return grep(reader, {
    pattern: typeof pattern === "string" ? compileText(pattern, false) : pattern,
    collection: "",
    acceptsPath: () => true,
    filter: NO_FILTER,
    context: 0,
    offset: 0,
    limit: 1000,
    ...more,
  });
}

/** `path:line` of what was found. */
function placesOf({ files }: GrepAnswer): string[] {
  return files.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`));
}

describe("grep", () => {
  const pages: Pages = {
    "b.md": "one\nTwo two\n\nthree two\n",
    "a/x.md": "---\ntags: [red]\n---\n# Two\n\ntext\nmore\ntwo\nlast",
    "a/y.md": "# Nothing\n",
    "c.md": "two",
  };
  let built: BuiltIndex;

  beforeAll(async () => {
    built = await buildPages(pages);
  });

  it("finds lines in order of path, frontmatter and last lines without an end among them", async () => {
    const { reader } = await built.open();
    const answer = await find(reader, "two");
    expect(placesOf(answer)).toEqual(["a/x.md:4", "a/x.md:8", "b.md:2", "b.md:4", "c.md:1"]);
    expect(answer).toMatchObject({ total: 5, candidates: 4, scanned: 4 });
    expect(placesOf(await find(reader, "tags: ["))).toEqual(["a/x.md:2"]);
    expect(placesOf(await find(reader, "last"))).toEqual(["a/x.md:9"]);
  });

  it("gives columns, counts and lines around", async () => {
    const { reader } = await built.open();
    const answer = await find(reader, compileText("two", true), { context: 2 });
    const [file] = answer.files;
    expect(file).toMatchObject({ id: "docs:a/x.md", path: "a/x.md", url: "", count: 1 });
    expect(file?.matches).toEqual([{ line: 8, column: 1, text: "two", before: ["text", "more"], after: ["last"] }]);
    expect(answer.files[1]?.matches[0]).toMatchObject({
      line: 2,
      column: 5,
      before: ["one"],
      after: ["", "three two"],
    });
  });

  it("pages through matches, counting all of them on each page", async () => {
    const { next } = await built.open();
    const places: string[] = [];
    for (let offset = 0; offset < 5; offset += 2) {
      const page = await find(next(), "two", { offset, limit: 2 });
      expect(page.total).toBe(5);
      expect(page.files.map(({ count }) => count)).toEqual([2, 2, 1]);
      places.push(...placesOf(page));
    }
    expect(places).toEqual(["a/x.md:4", "a/x.md:8", "b.md:2", "b.md:4", "c.md:1"]);
  });

  it("looks only where path, filter and collection say", async () => {
    const { reader } = await built.open();
    expect(placesOf(await find(reader, "two", { acceptsPath: (path) => path.startsWith("a/") }))).toHaveLength(2);
    const red = { include: { tags: ["red"] }, exclude: {} };
    const filtered = await find(reader, "two", { filter: red });
    expect(placesOf(filtered)).toEqual(["a/x.md:4", "a/x.md:8"]);
    expect(filtered.candidates).toBe(1);
    await expect(find(reader, "two", { filter: { include: { tags: ["green"] }, exclude: {} } })).rejects.toThrow(
      InputError,
    );
    const two = await buildCollections([
      { name: "docs", pages: { "p.md": "two" } },
      { name: "notes", pages: { "p.md": "two", "q.md": "two" } },
    ]);
    const found = await find((await two.open()).reader, "two", { collection: "notes" });
    expect(found.files.map(({ id }) => id)).toEqual(["notes:p.md", "notes:q.md"]);
    expect(found.candidates).toBe(2);
  });

  it("shows nobody the texts of other groups", async () => {
    const two = await buildCollections([
      { name: "open", pages: { "p.md": "secret" } },
      { name: "inner", access: "staff", pages: { "q.md": "secret" } },
    ]);
    expect((await find((await two.open()).reader, "secret")).files.map(({ id }) => id)).toEqual(["open:p.md"]);
    expect((await find((await two.open()).reader, "secret", { collection: "inner" })).candidates).toBe(0);
    const all = await find((await two.open("all")).reader, "secret");
    expect(all.files.map(({ id }) => id)).toEqual(["inner:q.md", "open:p.md"]);
  });

  it("scans small documents where a bundle that comes first would take all that a call may read", async () => {
    let seed = 1;
    const noise = (length: number): string =>
      Array.from({ length }, () => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        return ((seed >>> 16) % 36).toString(36);
      }).join("");
    const bundle = `need eedle\n${Array.from({ length: 500 }, () => noise(5_000)).join("\n")}\n`;
    const { reader } = await (await buildPages({ "a.md": bundle, "b.md": "a needle\n", "c.md": "needles\n" })).open();
    const answer = await find(reader, "needle");
    expect(placesOf(answer)).toEqual(["b.md:1", "c.md:1"]);
    expect([answer.candidates, answer.scanned]).toEqual([3, 2]);
  });

  it("finds what a section or a long line was cut at", async () => {
    const line = `${"word ".repeat(3000)}nee\u0301dle ${"word ".repeat(3000)}`;
    const { reader } = await (
      await buildPages({ "long.md": `${line}\n${"x".repeat(9000)}needle${"y".repeat(9000)}\n` })
    ).open();
    expect(placesOf(await find(reader, "nee\u0301dle"))).toEqual(["long.md:1"]);
    expect(placesOf(await find(reader, "xneedley"))).toEqual(["long.md:2"]);
    expect(placesOf(await find(reader, compileExpression("^word.*nee.*word $", false)))).toEqual(["long.md:1"]);
  });
});
