import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { buildCollections, buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery, ask } from "../../support/small-corpora.ts";

/** So many pages hold each word. */
function pagesOf(counts: Readonly<Record<string, number>>): Pages {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([word, count]) =>
      Array.from({ length: count }, (_, n) => [`${word}-${n}.md`, `# Page\n\nHere is ${word} of a kind.\n`]),
    ),
  );
}

async function openCounts(counts: Readonly<Record<string, number>>): Promise<OpenReader> {
  return (await buildPages(pagesOf(counts))).open();
}

async function run({ next }: OpenReader, query: string, more: Partial<SearchRequest> = {}): Promise<SearchAnswer> {
  return search(next(), ask(query, more));
}

/** What a query was corrected to, written=corrected. */
async function correctionsOf(open: OpenReader, query: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
  return (await run(open, query, more)).corrections.map(({ written, corrected }) => `${written}=${corrected}`);
}

/** Distance by the book: insertions, deletions, substitutions and swaps of neighbours. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(i - 2, j - 2) + 1);
      (table[i] as number[])[j] = cost;
    }
  }
  return at(a.length, b.length);
}

function isSwapped(a: string, b: string): boolean {
  return distance(a, b) === 1 && [...a].sort().join("") === [...b].sort().join("");
}

describe("words that no document holds", () => {
  let open: OpenReader;

  beforeAll(async () => {
    open = await openCounts({ kitchen: 1, configuration: 1, router: 1, lamp: 1, table: 1 });
  });

  it.each([
    ["a letter left out", "kitcen", "kitchen"],
    ["a letter too many", "kittchen", "kitchen"],
    ["another letter", "kitchan", "kitchen"],
    ["a key beside the right one", "kirchen", "kitchen"],
    ["a letter twice", "tablle", "table"],
    ["two letters swapped", "ktichen", "kitchen"],
    ["the first two swapped", "iktchen", "kitchen"],
    ["a capital", "Kitcehn", "kitchen"],
    ["all capitals", "KITCEHN", "kitchen"],
    ["six capitals", "ROUTRE", "router"],
    ["two slips in a long word", "cnofigurtaion", "configuration"],
    ["a form that the page does not have", "kicthens", "kitchen"],
  ])("are corrected where there is %s: %s", async (_, written, corrected) => {
    const answer = await run(open, written);
    expect(answer.corrections).toEqual([{ written, corrected }]);
    expect(answer.missingWords).toEqual([]);
    expect(answer.hits).toHaveLength(1);
    expect(answer.hits[0]?.sections[0]?.excerpt.some(({ marked, text }) => marked && text === corrected)).toBe(true);
  });

  it.each([
    ["two slips in a short word", "kithcne"],
    ["three slips in a long word", "cnofigurtaoin"],
    ["three letters", "lmp"],
    ["another first letter", "litchen"],
    ["a first letter more", "ukitchen"],
    ["letters of far keys", "kizchen"],
    ["a number in it", "kitche1"],
    ["a name in mixed case", "kitChan"],
    ["a short name in capitals", "LAPM"],
    ["a name of five letters in capitals", "TALBE"],
    ["sixty-four letters", "x".repeat(64)],
  ])("are reported where there are %s: %s", async (_, written) => {
    const answer = await run(open, `router ${written}`);
    expect(answer.corrections).toEqual([]);
    expect(answer.missingWords).toContain(written);
    expect(answer.hits).toHaveLength(1);
  });

  it("are corrected up to the eighth of a query", async () => {
    const many = ["garden", "kitchen", "ladder", "magnet", "needle", "orange", "pencil", "rocket", "silver"];
    const counted = await openCounts(Object.fromEntries(many.map((word) => [word, 1])));
    const written = many.map((word) => `${word.slice(0, 3)}x${word.slice(3)}`);
    expect(await correctionsOf(counted, written.join(" "))).toEqual(
      many.slice(0, 8).map((word, at) => `${written[at]}=${word}`),
    );
  });

  it("are never corrected in quotes, in exclusions, or where nobody wants it", async () => {
    expect(await correctionsOf(open, '"kitchan"')).toEqual([]);
    expect(await correctionsOf(open, 'router "kitchan"')).toEqual([]);
    expect(await correctionsOf(open, "router -kitchan")).toEqual([]);
    const plain = await run(open, "router kitchan", { correct: false });
    expect(plain).toMatchObject({ corrections: [], missingWords: ["kitchan"] });
  });

  it("are replaced by longer words that begin so where none is near", async () => {
    const answer = await run(open, "config router");
    expect(answer.corrections).toEqual([{ written: "config", corrected: "config…" }]);
    expect(answer.hits.map(({ path }) => path).sort()).toEqual(["configuration-0.md", "router-0.md"]);
  });

  it("are taken for stop words where those are nearest, and then for nothing", async () => {
    const words = await openCounts({ and: 3, with: 3, wilt: 1, lamp: 1 });
    expect(await run(words, "lamp wiht")).toMatchObject({ corrections: [], missingWords: ["wiht"], totalDocuments: 1 });
    // Not where the first letter is another one.
    expect(await run(words, "lamp hand")).toMatchObject({ corrections: [], missingWords: ["hand"] });
  });

  it.each([
    ["unhandled", "handled"],
    ["asynchronous", "synchronous"],
    ["outdated", "updated"],
    ["mutable", "immutable"],
    ["destructure", "restructure"],
    ["implicit", "explicit"],
    ["harden", "harder"],
    ["inspector", "inspect"],
    ["transport", "transform"],
    ["technologies", "technologist"],
    ["notification", "modification"],
    ["pollution", "solution"],
    ["reactive", "relative"],
    ["renderless", "renderers"],
    ["transactions", "transition"],
    ["prop", "pop"],
    ["hugo", "huge"],
  ])("are other words, not slips: %s for %s", async (written, held) => {
    const known = await openCounts({ [held]: 1, lamp: 30 });
    expect(await run(known, `lamp ${written}`)).toMatchObject({ corrections: [], missingWords: [written] });
  });

  it("are no slips of one letter in words of four, unless many documents have what was meant", async () => {
    expect(await correctionsOf(await openCounts({ files: 1, lamp: 30 }), "fies")).toEqual([]);
    expect(await correctionsOf(await openCounts({ files: 3, lamp: 30 }), "fies")).toEqual(["fies=files"]);
    expect(await correctionsOf(await openCounts({ file: 1, lamp: 30 }), "flie")).toEqual(["flie=file"]);
  });

  it("are corrected to the plural or singular where the pages have only that", async () => {
    expect(await correctionsOf(await openCounts({ kitchen: 1 }), "kitcehns")).toEqual(["kitcehns=kitchen"]);
    expect(await correctionsOf(await openCounts({ kitchens: 1 }), "kitcehn")).toEqual(["kitcehn=kitchens"]);
  });

  it("are left where a hyphen or underscore joins them, as their parts are looked up", async () => {
    const joined = await openCounts({ toolbar: 1, tool: 1 });
    expect(await correctionsOf(joined, "tool-baar")).toEqual([]);
    expect(await correctionsOf(joined, "toolbaar")).toEqual(["toolbaar=toolbar"]);
  });

  it("count once more where they are corrected to a word of the query", async () => {
    const once = await run(open, "kitchen");
    const twice = await run(open, "kitchen kitchan");
    expect(twice.scoredTerms).toEqual(once.scoredTerms);
    expect(twice.hits.map(({ path }) => path)).toEqual(["kitchen-0.md"]);
  });

  it("take the nearest word, then one of the same letters, then the most frequent, then the first", async () => {
    // Nearer beats frequent.
    expect(await correctionsOf(await openCounts({ contraption: 1, contraction: 9 }), "contrapttion")).toEqual([
      "contrapttion=contraption",
    ]);
    // The same letters beat frequent.
    expect(await correctionsOf(await openCounts({ united: 1, untied: 1, unite: 9 }), "unitde")).toEqual([
      "unitde=united",
    ]);
    expect(await correctionsOf(await openCounts({ planter: 2, planner: 8 }), "planer")).toEqual(["planer=planner"]);
    expect(await correctionsOf(await openCounts({ planter: 2, planker: 2 }), "planer")).toEqual(["planer=planker"]);
  });

  it("are what a plain look through all words gives", async () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 4, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 25 }),
        fc.array(letters, { minLength: 6, maxLength: 6 }),
        async (words, typed) => {
          const next = await openCounts(Object.fromEntries(words.map((word) => [word, 1])));
          for (const word of typed) {
            const { corrections, missingWords } = await run(next, word);
            if (words.includes(word)) continue;
            const [first] = corrections;
            if (first === undefined || first.corrected.endsWith("…")) {
              // Swapped letters leave nothing to guess, and a stem that is known, or longer words, make a word known.
              const swapped = words.filter((one) => one[0] === word[0] && isSwapped(one, word));
              if (missingWords.length > 0 || first !== undefined) expect(swapped).toEqual([]);
              continue;
            }
            const { corrected } = first;
            expect(corrected[0] === word[0] || isSwapped(corrected, word)).toBe(true);
            const allowed = (word.length >= 8 ? 2 : 1) + (corrected.endsWith("s") === word.endsWith("s") ? 0 : 1);
            expect(distance(corrected, word)).toBeLessThanOrEqual(allowed);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

describe("correction", () => {
  it("changes nothing where every word is known", async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, anyQuery, async (pages, query) => {
        const open = await (await buildPages(pages)).open();
        const plain = await run(open, query, { correct: false, limit: 50 });
        if (plain.missingWords.length > 0) return;
        const { cost: _, ...corrected } = await run(open, query, { limit: 50 });
        const { cost: __, ...expected } = plain;
        expect(corrected).toEqual(expected);
      }),
      { numRuns: runs(40) },
    );
  });

  it("proposes no word of a group that the caller may not see", async () => {
    const built = await buildCollections([
      { name: "open", pages: { "a.md": "# A\n\nA lantern.\n" } },
      { name: "closed", access: "staff", pages: { "b.md": "# B\n\nThe salaries of wizards.\n" } },
    ]);
    const open = await built.open();
    for (const query of ["salareis", "wizadrs", "wizar", "wiz*", "wizar lantern"]) {
      for (const asYouType of [true, false]) {
        const answer = await run(open, query, { asYouType });
        expect(answer.corrections).toEqual([]);
        expect(JSON.stringify(answer)).not.toMatch(/salaries|wizards/);
      }
    }
    const staff = await built.open("all");
    expect(await correctionsOf(staff, "wizadrs")).toEqual(["wizadrs=wizards"]);
    expect(await correctionsOf(staff, "lanturn")).toEqual(["lanturn=lantern"]);
  });

  it("adds up how many documents have a word over all that the caller sees", async () => {
    const built = await buildCollections([
      { name: "one", pages: pagesOf({ plants: 3, plates: 4 }) },
      { name: "two", access: "staff", pages: pagesOf({ plants: 4 }) },
    ]);
    expect(await correctionsOf(await built.open(), "plats")).toEqual(["plats=plates"]);
    expect(await correctionsOf(await built.open("all"), "plats")).toEqual(["plats=plants"]);
  });
});
