import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeRandom } from "../../../bench/random.ts";
import { encodeCount } from "../../../indexer/index/word-tables.ts";
import { sortEntries } from "../../../indexer/index/write-table.ts";
import { keysOfWord } from "../../../src/core/format/word-tables.ts";
import { readNearWords } from "../../../src/core/search/correct.ts";
import { type OpenTables, openTables } from "../../support/open-tables.ts";
import { runs } from "../../support/runs.ts";

const LETTERS = "abcdefghiklmnoprstu";
const MANY_TERMS = 5_000;

/** Words of 4 to 13 letters, each with a number of documents. */
function makeWords(count: number): Map<string, number> {
  const random = makeRandom(7);
  const letter = (): string => LETTERS[Math.floor(random() * LETTERS.length)] as string;
  const words = new Map<string, number>();
  while (words.size < count) {
    const word = Array.from({ length: 4 + Math.floor(random() * 10) }, letter).join("");
    words.set(word, 2 ** Math.floor(random() * 5));
  }
  return words;
}

function open(words: ReadonlyMap<string, number>, terms: number): Promise<OpenTables> {
  const spelling = [...words].flatMap(([word, count]) =>
    keysOfWord(word).map((key) => ({ key, value: Uint8Array.of(encodeCount(count)) })),
  );
  return openTables({ spelling: sortEntries(spelling) }, { terms });
}

/** The word with one slip at an index. */
function slip(word: string, kind: "leave out" | "put in" | "change" | "swap", at: number, letter: string): string {
  if (kind === "leave out") return word.slice(0, at) + word.slice(at + 1);
  if (kind === "put in") return word.slice(0, at) + letter + word.slice(at);
  if (kind === "change") return word.slice(0, at) + letter + word.slice(at + 1);
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}

const anySlip = fc.record({
  kind: fc.constantFrom("leave out", "put in", "change", "swap" as const),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  letter: fc.constantFrom(...LETTERS),
});

describe("words near a mistyped one", () => {
  const words = makeWords(3_000);
  const list = [...words.keys()];
  let many: OpenTables;

  beforeAll(async () => {
    many = await open(words, MANY_TERMS);
    expect(many.directories.spelling.entries.length).toBeGreaterThan(50);
  });

  async function findsWord(written: string, meant: string): Promise<boolean> {
    const near = await readNearWords(many.reader, [{ word: written, edits: written.length >= 8 ? 2 : 1 }]);
    return near.get(meant) === words.get(meant);
  }

  it("hold what was meant wherever the one slip is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...list), anySlip, async (meant, { kind, place, letter }) => {
        const written = slip(meant, kind, Math.floor(place * meant.length), letter);
        fc.pre(written.length >= 4);
        expect(await findsWord(written, meant)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it("hold what was meant by a long word with a letter changed near either end", async () => {
    const long = list.filter((word) => word.length >= 10);
    const end = fc.nat({ max: 2 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...long), end, end, async (meant, first, last) => {
        const written = slip(slip(meant, "change", first, "x"), "change", meant.length - 1 - last, "z");
        expect(await findsWord(written, meant)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });

  it("hold all words that go on from what was typed", async () => {
    for (const typed of ["abcd", "stra", "comp", ...list.slice(0, 50).map((word) => word.slice(0, 4))]) {
      const near = await readNearWords(many.reader, [{ word: typed, edits: 1 }]);
      for (const word of list) if (word.startsWith(typed)) expect(near.get(word)).toBe(words.get(word));
    }
  });

  it("come in one round of a few reads, a small part of the table", async () => {
    for (const written of ["kitchen", "abcd", "configuration", "hotel"]) {
      const { reader, source } = await open(words, MANY_TERMS);
      await readNearWords(reader, [{ word: written, edits: written.length >= 8 ? 2 : 1 }]);
      expect(source.rounds).toBe(1);
      expect(source.reads.length).toBeLessThanOrEqual(5);
      expect(reader.cost.bytes).toBeLessThan(many.bytes / 4);
    }
  });

  it("are the same however the words lie in chunks", async () => {
    const few = await open(new Map([...words].slice(0, 1_500)), MANY_TERMS);
    const rest = await open(new Map([...words].slice(1_500)), MANY_TERMS);
    for (const written of list.slice(0, 100).map((word) => `${word.slice(0, -2)}xz`)) {
      const mistyped = [{ word: written, edits: 2 }] as const;
      const parts = [...(await readNearWords(few.reader, mistyped)), ...(await readNearWords(rest.reader, mistyped))];
      expect(new Map(parts)).toEqual(await readNearWords(many.reader, mistyped));
    }
  });

  it("are all words where there are few", async () => {
    const few = new Map([...words].slice(0, 900));
    const { reader } = await open(few, 1_000);
    expect(await readNearWords(reader, [{ word: "configuration", edits: 2 }])).toEqual(few);
  });
});
