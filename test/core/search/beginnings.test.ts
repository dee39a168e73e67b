import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { ask } from "../../support/small-corpora.ts";

async function openPages(pages: Pages): Promise<OpenReader> {
  return (await buildPages(pages)).open();
}

async function pathsOf({ next }: OpenReader, query: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
  return (await search(next(), ask(query, { limit: 50, ...more }))).hits.map(({ path }) => path);
}

const AUTH: Pages = {
  "auth.md": "# Keys\n\nAuth is by key. Nothing else is asked for.\n",
  "authentication.md": "# Authentication\n\nAuthentication, authentication and more authentication.\n",
  "authorize.md": "# Authorize\n\nAuthorize a client, then authorize again.\n",
  "both.md": "# Sign in\n\nAuth, that is authentication by password.\n",
  "other.md": "# Other\n\nNothing of the kind.\n",
};

describe("a query of one word", () => {
  it("lists pages of longer words behind all that hold the word, and says which they are", async () => {
    const open = await openPages(AUTH);
    const { hits, totalDocuments } = await search(open.next(), ask("auth"));
    expect(totalDocuments).toBe(4);
    expect(
      hits
        .slice(0, 2)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["auth.md", "both.md"]);
    expect(
      hits
        .slice(2)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["authentication.md", "authorize.md"]);
    expect(hits.map(({ isFallback }) => isFallback)).toEqual([false, false, true, true]);
    for (const { sections } of hits) expect(sections[0]?.excerpt.some(({ marked }) => marked)).toBe(true);
  });

  it("does so with a stop word beside it, and not in quotes, with two words or with an exclusion", async () => {
    const open = await openPages(AUTH);
    expect(await pathsOf(open, "the auth")).toHaveLength(4);
    for (const query of ['"auth"', "auth keys", "auth -password"]) {
      expect(await pathsOf(open, query)).not.toContain("authentication.md");
    }
  });

  it("puts every page with the word before every page without it, whatever else they hold", async () => {
    const word = fc.constantFrom("auth", "authentication", "authorize", "author", "lamp", "keys");
    const page = fc.tuple(fc.array(word, { maxLength: 3 }), fc.array(word, { minLength: 1, maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 12 }), async (list) => {
        const pages = Object.fromEntries(
          list.map(([title, text], at) => [`p${at}.md`, `# ${title.join(" ")}\n\n${text.join(" ")}\n`]),
        );
        const holds = (path: string, pattern: RegExp): boolean => pattern.test(pages[path] ?? "");
        const { hits } = await search((await openPages(pages)).reader, ask("auth", { limit: 50 }));
        const found = hits.map(({ path }) => path);
        expect([...found].sort()).toEqual(
          Object.keys(pages)
            .filter((path) => holds(path, /\bauth/))
            .sort(),
        );
        const exact = found.filter((path) => holds(path, /\bauth\b/));
        expect(found.slice(0, exact.length)).toEqual(exact);
        expect(hits.map(({ isFallback }) => isFallback)).toEqual(found.map((path) => !exact.includes(path)));
      }),
      { numRuns: runs(40) },
    );
  });

  it("never adds what a longer word gives to what the word gives", async () => {
    const filler = Array.from({ length: 40 }, (_, n) => `filler${n}`).join(" ");
    const pages = {
      "exact.md": `# A\n\nauth plain ${filler}\n`,
      "both.md": `# A\n\nauth authentication ${filler}\n`,
      "longer.md": `# A\n\nplain authentication ${filler}\n`,
    };
    const { hits } = await search((await openPages(pages)).reader, ask("auth"));
    const scoreOf = (path: string): number => hits.find((hit) => hit.path === `${path}.md`)?.score ?? 0;
    expect(scoreOf("both")).toBeCloseTo(scoreOf("exact"), 9);
    expect(scoreOf("longer")).toBeLessThan(scoreOf("exact"));
  });

  it("finds longer words of a word that stands beside many others", async () => {
    const neighbours = Array.from({ length: 1200 }, (_, n) => `lamp w${n}x`).join(" ");
    const pages = {
      ...Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`many-${n}.md`, `# Many\n\n${neighbours}\n`])),
      "one.md": "# One\n\nA lampshade.\n",
    };
    expect((await pathsOf(await openPages(pages), "lamp")).at(-1)).toBe("one.md");
  });
});

describe("a word with a star", () => {
  it("finds all words that begin so, the word itself among them", async () => {
    const open = await openPages(AUTH);
    for (const query of ["auth*", "AUTH*", "auth**", "auth* password"]) {
      expect((await pathsOf(open, query)).sort()).toEqual(["auth.md", "authentication.md", "authorize.md", "both.md"]);
    }
    const { interpretation } = await search(open.next(), ask("auth*"));
    expect(interpretation?.beginnings).toEqual(["auth"]);
  });

  it("finds identifiers that begin so, and not words that begin like their parts", async () => {
    const open = await openPages({
      "a.md": "# A\n\nCall useRouter here.\n",
      "b.md": "# B\n\nA rounded route to use.\n",
    });
    for (const query of ["useRou*", "useR*", "use*"]) {
      expect((await pathsOf(open, query))[0]).toBe("a.md");
    }
    expect(await pathsOf(open, "useRou*")).toEqual(["a.md"]);
  });

  it("says of no single letter that longer words were looked up", async () => {
    const open = await openPages({ "a.md": "# A\n\nPlan b for bees.\n", "c.md": "# C\n\nBees.\n" });
    const { hits, interpretation } = await search(open.next(), ask("b*"));
    expect(hits.map(({ path }) => path)).toEqual(["a.md"]);
    expect(interpretation?.beginnings).toEqual([]);
  });

  it("finds words whose stems end before the star", async () => {
    const open = await openPages({
      "a.md": "# A\n\nConfiguration of universities, running.\n",
      "b.md": "# B\n\nNothing.\n",
    });
    for (const query of ["configurati*", "configuratio*", "universit*", "runni*"]) {
      expect(await pathsOf(open, query)).toEqual(["a.md"]);
    }
  });

  it("counts fifty of them, those that most documents hold", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [`p${n}.md`, `# P\n\n${`pre${n}x `.repeat(n < 50 ? 60 : 1)}\n`]),
    );
    const { hits, scoredTerms } = await search((await openPages(pages)).reader, ask("pre*", { limit: 50 }));
    expect(hits).toHaveLength(50);
    expect(scoredTerms).toEqual(["pre"]);
  });

  it("weighs a match by how many documents hold any of them, and less than an exact one", async () => {
    const filler = Array.from({ length: 30 }, (_, n) => `filler${n}`).join(" ");
    const pages = Object.fromEntries([
      ...Array.from({ length: 30 }, (_, n) => [`p${n}.md`, `# P\n\nauthentication ${filler}\n`]),
      ["rare.md", `# P\n\nauthority ${filler}\n`],
      ["exact.md", `# P\n\nauth ${filler}\n`],
      ...Array.from({ length: 5 }, (_, n) => [`o${n}.md`, `# P\n\nother ${filler}\n`]),
    ]);
    const open = await openPages(pages as Pages);
    const { hits } = await search(open.next(), ask("auth*", { limit: 50 }));
    const scoreOf = (path: string): number => hits.find((hit) => hit.path === path)?.score ?? 0;
    // A rare longer word gains nothing by being rare.
    expect(scoreOf("rare.md")).toBeCloseTo(scoreOf("p0.md"), 9);
    expect(scoreOf("exact.md")).toBeGreaterThan(scoreOf("p0.md"));
    const ratio = async (prefix_penalty: number): Promise<number> => {
      const answer = await search(open.next(), ask("auth*", { limit: 50, ranking: { prefix_penalty }, explain: true }));
      const body = (path: string): number =>
        answer.hits.find((hit) => hit.path === path)?.explanation?.words[0]?.body ?? 0;
      return body("p0.md") / body("exact.md");
    };
    expect(await ratio(0)).toBeCloseTo(1, 9);
    expect(await ratio(0.5)).toBeCloseTo(0.5, 9);
    expect(await ratio(0.9)).toBeCloseTo(0.1, 9);
  });
});

describe("a query that is being typed", () => {
  it("finds longer words for its last word alone", async () => {
    const open = await openPages(AUTH);
    expect((await pathsOf(open, "password authen", { asYouType: true })).sort()).toEqual([
      "authentication.md",
      "both.md",
    ]);
    expect(await pathsOf(open, "authen nothing", { asYouType: true, correct: false })).not.toContain(
      "authentication.md",
    );
  });

  it("finds every page of a word with each letter of it from the second on", async () => {
    const word = fc.constantFrom(
      "configuration",
      "universities",
      "generalization",
      "running",
      "authorized",
      "日本語文",
    );
    await fc.assert(
      fc.asyncProperty(word, fc.array(word, { minLength: 1, maxLength: 3 }), async (typed, others) => {
        const pages = { "a.md": `# A\n\nThe ${typed} here.\n`, "b.md": `# B\n\n${others.join(" and ")}\n` };
        const open = await openPages(pages);
        for (let length = 2; length <= typed.length; length++) {
          const paths = await pathsOf(open, typed.slice(0, length), { asYouType: true });
          expect(paths, typed.slice(0, length)).toContain("a.md");
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it("takes a slip in the last word for one when nothing begins so", async () => {
    const open = await openPages(AUTH);
    const answer = await search(open.next(), ask("authentciation", { asYouType: true }));
    expect(answer.hits.map(({ path }) => path)).toContain("authentication.md");
    expect(answer.corrections).toEqual([{ written: "authentciation", corrected: "authentication" }]);
  });
});
