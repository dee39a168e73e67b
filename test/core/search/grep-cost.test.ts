import { beforeAll, describe, expect, it } from "vitest";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { type GrepAnswer, type GrepPattern, grep } from "../../../src/core/search/grep.ts";
import { compileExpression, compileText } from "../../../src/core/search/grep-pattern.ts";
import { type BuiltIndex, buildPages, type Pages } from "../../support/build-index.ts";

/** Building some megabytes of text takes longer than other tests. */
const BUILD_TIMEOUT_MS = 120_000;

function find(reader: IndexReader, pattern: string | GrepPattern, limit = 1000, from = 0): Promise<GrepAnswer> {
  return grep(reader, {
    pattern: typeof pattern === "string" ? compileText(pattern, false) : pattern,
    collection: "",
    acceptsPath: () => true,
    filter: NO_FILTER,
    context: 0,
    from,
    offset: 0,
    limit,
  });
}

/** Words as they come in no language; equal seeds give equal words. */
function noise(seed: number, words: number): string {
  let state = seed + 1;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 12) % limit;
  };
  const letters = (word: number): string =>
    ((word * 7919) % 300_763_000).toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
  return Array.from({ length: words }, () => letters(next(3000) + 100)).join(" ");
}

/** Pages of about 16 kB each, of which one in ten holds a needle and all hold `everywhere`. */
function largePages(count: number): Pages {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      pathOf(at),
      `# Page ${at}\n\neverywhere\n\n${Array.from({ length: 20 }, (_, line) => noise(at * 50 + line, 150)).join("\n\n")}\n\n${at % 10 === 3 ? "a needle here" : ""}\n`,
    ]),
  );
}

function pathOf(page: number): string {
  return `part-${String(page).padStart(4, "0")}.md`;
}

const MAX_READS = 12;
const MAX_SCANNED_BYTES = 2_000_000;

describe("the cost of grep", () => {
  const count = 170;
  let built: BuiltIndex;

  beforeAll(async () => {
    built = await buildPages(largePages(count));
  }, BUILD_TIMEOUT_MS);

  it("of what few documents hold is a few reads of their texts, in two waves", async () => {
    const { reader, source, next } = await built.open();
    const answer = await find(reader, "a needle here");
    expect(answer).toMatchObject({ total: count / 10, candidates: count / 10, scanned: count / 10 });
    expect(reader.cost.reads).toBeLessThanOrEqual(MAX_READS);
    expect(source.rounds).toBe(2);
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    expect(answer.bytesScanned).toBeLessThan((count / 10) * 20_000);
    // The same again from memory.
    source.reset();
    const again = await find(next(), "a needle here");
    expect(source.reads).toEqual([]);
    expect(again).toEqual(answer);
  });

  it("of what no document holds is no text", async () => {
    const { reader, source } = await built.open();
    expect(await find(reader, "absolutely-not-there")).toMatchObject({ total: 0, candidates: 0, bytesScanned: 0 });
    expect(source.rounds).toBe(1);
  });

  it.each([
    ["everywhere", false],
    ["=> {", false],
    [".", true],
    ["^$", true],
    ["(a+)+$", true],
    ["[a-z]+ [a-z]+ .*needle", true],
    ["(foo|bar|baz|qux|quux|corge|grault|garply|waldo|fred)x", true],
  ])("of %j keeps to its bounds", async (pattern, regex) => {
    const { reader, source, next } = await built.open();
    const wanted = regex ? compileExpression(pattern, false) : pattern;
    const answer = await find(reader, wanted);
    expect(reader.cost.reads).toBeLessThanOrEqual(MAX_READS);
    expect(source.reads.length + 1).toBe(reader.cost.reads);
    expect(source.mostAtOnce).toBeLessThanOrEqual(6);
    expect(answer.bytesScanned).toBeLessThanOrEqual(MAX_SCANNED_BYTES);
    expect(source.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(5_000_000);
    // What is in memory changes nothing: pages of an answer are pages of one list.
    expect(await find(next(), wanted)).toEqual(answer);
  });

  it("of what all documents hold ends after 2 MB of text, and says how far it came", async () => {
    const { reader } = await built.open();
    const answer = await find(reader, "everywhere");
    expect(answer.candidates).toBe(count);
    expect(answer.scanned).toBeGreaterThan(50);
    expect(answer.scanned).toBeLessThan(count);
    expect(answer.total).toBe(answer.scanned);
    expect(answer.files.map(({ path, matches }) => `${path}:${matches[0]?.line}`)).toEqual(
      Array.from({ length: answer.scanned }, (_, at) => `${pathOf(at)}:3`),
    );
  });

  it("goes on where it ended, until all documents are scanned once", async () => {
    const { reader } = await built.open();
    const paths: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const answer: GrepAnswer = await find(reader, "everywhere", 1000, from);
      paths.push(...answer.files.map(({ path }) => path));
      from = answer.next;
    }
    expect(paths).toEqual(Array.from({ length: count }, (_, at) => pathOf(at)));
  });

  it("of a single file above the bounds is its beginning", async () => {
    const big = `# Big\n\n${Array.from({ length: 4000 }, (_, at) => `${noise(at, 90)} end`).join("\n\n")}\n`;
    expect(big.length).toBeGreaterThan(MAX_SCANNED_BYTES);
    const { reader } = await (await buildPages({ "big.md": big, "small.md": "the end" })).open();
    expect(await find(reader, "end", 10_000)).toMatchObject({ total: 1, candidates: 2, scanned: 1, next: 1 });
    const answer = await find(reader, "end", 10_000, 1);
    expect(answer).toMatchObject({ candidates: 2, scanned: 0, next: undefined });
    expect(answer.total).toBeGreaterThan(1000);
    expect(answer.bytesScanned).toBeLessThanOrEqual(MAX_SCANNED_BYTES);
    const lines = big.split("\n");
    for (const { line, text } of answer.files[0]?.matches ?? []) expect(text).toBe(lines[line - 1]);
  });

  it("of an expression that is slow everywhere is bounded by its work", async () => {
    const line = `${Array.from(noise(1, 200_000).replaceAll(/\W/g, "")).slice(0, 1_000_000).join("")}\n`;
    const { reader } = await (await buildPages({ "a.md": line, "b.md": "aaa\n" })).open();
    for (const pattern of ["[^a-z].{400}[a-m]", "[^a-z]([a-m].{1,30}){30}", "[^a-z].{100}[a-m].{100}[n-z].{300}"]) {
      const begun = performance.now();
      const answer = await find(reader, compileExpression(pattern, true));
      expect(answer.scanned).toBeLessThan(2);
      expect(answer.next).toBeLessThan(2);
      expect(performance.now() - begun).toBeLessThan(15_000);
    }
    for (const pattern of ["(a+)+$", "(a|aa)*b", ".*.*.*=.*", "(.*a){20}"]) {
      const answer = await find(reader, compileExpression(pattern, true));
      expect(answer.scanned).toBe(answer.candidates);
    }
  });
});
