import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchRequest } from "../../../src/core/search/answer.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzeText, stopListOf } from "../../../src/core/text/analyze.ts";
import { buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { scanForPhrase } from "../../support/scan-phrases.ts";
import { ask } from "../../support/small-corpora.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "well", "wells", "the", "of", "getUserName", "日本語"];

const someWords = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max }).map((words) => words.join(" "));

/** A page in which the same few words meet in every way: over headings, paragraphs, items and blocks of code. */
const anyPhrasePage: fc.Arbitrary<string> = fc
  .record({
    title: someWords(3),
    inFrontmatter: fc.boolean(),
    intro: someWords(6),
    sections: fc.array(
      fc.record({
        heading: someWords(3),
        texts: fc.array(
          fc.tuple(fc.constantFrom("", "- ", "> ", "**", "code"), someWords(5)).map(([mark, text]) => {
            if (mark === "code") return `\`\`\`\n${text}\n\`\`\``;
            return mark === "**" ? `**${text}** \`alpha\`` : `${mark}${text}`;
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ title, inFrontmatter, intro, sections }) =>
    [
      ...(inFrontmatter ? ["---", `title: ${title}`, "---"] : [`# ${title}`, ""]),
      `${intro}.`,
      ...sections.flatMap(({ heading, texts }) => ["", `## ${heading}`, ...texts.flatMap((text) => ["", text])]),
      "",
    ].join("\n"),
  );

function name(number: number): string {
  return `page-${String(number).padStart(3, "0")}.md`;
}

/** So many pages that most pairs of their words are in the index. */
const anyPhrasePages: fc.Arbitrary<Pages> = fc
  .array(anyPhrasePage, { minLength: 20, maxLength: 40 })
  .map((pages) => Object.fromEntries(pages.map((page, at) => [name(at), page])));

const anyPhrase = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 2 }),
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
);

function termsOf(text: string): string[] {
  return analyzeText(text)
    .filter(({ kind }) => kind !== "whole")
    .map(({ term }) => term);
}

/** Lists that hold a page: those of terms, and of stop words. */
function listsOf(text: string): Set<string> {
  return new Set(analyzeText(text).map(({ term, stop }) => (stop ? stopListOf(term) : term)));
}

/** Of a phrase whose every word is a stop word, or has the stem of one, the words themselves are looked for. */
function listsThatDecide(phrase: string): readonly string[] {
  return parseQuery(`"${phrase}"`).requirements[0]?.anyOf[0]?.deciding ?? [];
}

/** Paths of every page of an answer, as a caller reads on from it, and how many documents could not be checked. */
async function readAll(
  { next }: OpenReader,
  query: string,
  more: Partial<SearchRequest>,
): Promise<{ paths: string[]; unchecked: number; isRelaxed: boolean }> {
  const paths: string[] = [];
  let unchecked = 0;
  let isRelaxed = false;
  let offset = 0;
  for (;;) {
    const answer = await search(next(), ask(query, { ...more, offset }));
    paths.push(...answer.hits.map(({ path }) => path));
    isRelaxed ||= answer.relaxedPhrases.length > 0;
    const reached = answer.positions.at(-1) ?? 0;
    if (reached <= offset) return { paths, unchecked, isRelaxed };
    unchecked = answer.uncheckedDocuments;
    offset = reached;
  }
}

const filler = (words: number): string => Array.from({ length: words }, (_, n) => `filler${n % 50}`).join(" ");

async function openPages(pages: Pages): Promise<OpenReader> {
  return (await buildPages(pages)).open();
}

describe("phrases", () => {
  it("find exactly the documents of which some section holds the words side by side, page by page", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPhrasePages,
        fc.array(anyPhrase, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        async (pages, phrases, limit) => {
          const open = await (await buildPages(pages)).open();
          for (const words of phrases) {
            const deciding = listsThatDecide(words.join(" "));
            const expected = scanForPhrase(pages, termsOf(words.join(" "))).filter((path) =>
              deciding.every((list) => listsOf(pages[path] as string).has(list)),
            );
            const { paths, unchecked, isRelaxed } = await readAll(open, `"${words.join(" ")}"`, { limit });
            if (unchecked > 0) continue;
            if (isRelaxed) expect(expected).toEqual([]);
            else expect({ words, paths: [...paths].sort() }).toEqual({ words, paths: expected });
            expect(new Set(paths).size).toBe(paths.length);
          }
        },
      ),
      { numRuns: runs(15) },
    );
  });

  it("are counted as they are found where one page shows all that there is", async () => {
    await fc.assert(
      fc.asyncProperty(anyPhrasePages, fc.array(anyPhrase, { minLength: 4, maxLength: 4 }), async (pages, phrases) => {
        const open = await openPages(pages);
        for (const words of phrases) {
          const answer = await search(open.next(), ask(`"${words.join(" ")}"`, { limit: 50 }));
          if (answer.uncheckedDocuments > 0 || answer.relaxedPhrases.length > 0) continue;
          expect({ words, total: answer.totalDocuments }).toEqual({ words, total: answer.hits.length });
        }
      }),
      { numRuns: runs(15) },
    );
  });

  it("of two words that stand side by side once are counted once, however many documents hold both apart", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [
        name(n),
        `# Page ${n}\n\nalpha ${n === 70 ? "" : "and more"} beta here.\n`,
      ]),
    );
    const { next } = await openPages(pages);
    for (const query of ['"alpha beta"', '"alpha beta here"']) {
      const answer = await search(next(), ask(query));
      expect(answer.hits.map(({ path }) => path)).toEqual([name(70)]);
      expect(answer.totalDocuments).toBe(1);
    }
  });

  it("keep the order that is asked for", async () => {
    await fc.assert(
      fc.asyncProperty(anyPhrasePages, anyPhrase, async (pages, words) => {
        const open = await openPages(pages);
        const { paths } = await readAll(open, `"${words.join(" ")}"`, { sort: "path", limit: 5 });
        expect(paths).toEqual([...paths].sort());
      }),
      { numRuns: runs(15) },
    );
  });

  it("count stop words inside: other ones are another phrase", async () => {
    const pages = {
      "a.md": "# A\n\nState of the art.\n",
      "b.md": "# B\n\nState and art.\n",
      "c.md": "# C\n\nState art.\n",
    };
    const open = await openPages(pages);
    for (const [phrase, path] of [
      ["state of the art", "a.md"],
      ["state and art", "b.md"],
      ["state art", "c.md"],
    ]) {
      expect((await readAll(open, `"${phrase}"`, {})).paths).toEqual([path]);
    }
  });

  it("are found over the border of two pieces of a long section, and not over that of two sections", async () => {
    const pages = Object.fromEntries([
      ["long.md", `# Long\n\n${filler(200)} alpha\n\nbeta ${filler(200)}\n`],
      ["apart.md", `# Apart\n\n${filler(20)} alpha\n\n## beta\n\n${filler(20)}\n`],
      // Enough pages for the pair to be in the index, with and without the words side by side.
      ...Array.from({ length: 20 }, (_, n) => [name(n), `# Page\n\nalpha ${n < 3 ? "" : "not"} beta\n`]),
    ]);
    const expected = ["long.md", name(0), name(1), name(2)];
    expect((await readAll(await openPages(pages), '"alpha beta"', {})).paths.sort()).toEqual(expected);
    const few = { "long.md": pages["long.md"] as string, "apart.md": pages["apart.md"] as string };
    expect((await readAll(await openPages(few), '"alpha beta"', {})).paths).toEqual(["long.md"]);
  });

  it("are not found where one piece ends with the first word and one far behind it begins with the second", async () => {
    const pages = {
      "a.md": `# A\n\n${["beta alpha", ...Array(8).fill("x"), "beta alpha"].map((word) => (word === "x" ? filler(220) : word)).join("\n\n")}\n`,
    };
    expect((await search((await openPages(pages)).reader, ask('"alpha beta"'))).relaxedPhrases).toEqual([
      ["alpha beta"],
    ]);
  });

  it("are found in titles out of frontmatter", async () => {
    const pages = { "a.md": "---\ntitle: Quick Brown Fox\n---\n\nJumps.\n", "b.md": "# Brown\n\nQuick. Fox.\n" };
    expect((await readAll(await openPages(pages), '"quick brown fox"', {})).paths).toEqual(["a.md"]);
  });

  it("are searched for without being phrases where nothing holds them, on every page of the answer", async () => {
    const pages = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [name(n), `# Page\n\nalpha or beta\n`]));
    const open = await openPages(pages);
    const { paths, isRelaxed } = await readAll(open, '"alpha beta"', { limit: 5 });
    expect(isRelaxed).toBe(true);
    expect(paths).toEqual(Object.keys(pages));
    const strict = await search(open.next(), ask('"alpha or beta"', { offset: 50 }));
    expect(strict).toMatchObject({ hits: [], relaxedPhrases: [] });
  });

  it("with alternatives hold one of them", async () => {
    // Phrases of stop words alone find nothing beside others: those words do not score then.
    const anyContent = anyPhrase.filter((words) => words.some((word) => !["the", "of", "well"].includes(word)));
    await fc.assert(
      fc.asyncProperty(anyPhrasePages, anyContent, anyContent, async (pages, one, other) => {
        const open = await openPages(pages);
        const expected = new Set([one, other].flatMap((words) => scanForPhrase(pages, termsOf(words.join(" ")))));
        const { paths, unchecked, isRelaxed } = await readAll(open, `"${one.join(" ")}" OR "${other.join(" ")}"`, {
          limit: 7,
        });
        if (unchecked > 0 || isRelaxed) return;
        expect({ one, other, paths: [...paths].sort() }).toEqual({ one, other, paths: [...expected].sort() });
      }),
      { numRuns: runs(20) },
    );
  });

  it("are found wherever a long document holds them, among its like, in every order", async () => {
    // Each piece holds all words; only the last one of every other page holds them side by side.
    const long = (n: number): string =>
      Array.from(
        { length: 12 },
        (_, at) => `alpha ${filler(200)} ${at === 11 && n % 2 === 0 ? "alpha beta gamma" : "beta gamma"}`,
      ).join("\n\n");
    const pages = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [name(n), `# Page ${n}\n\n${long(n)}\n`]));
    const open = await openPages(pages);
    const even = [0, 2, 4, 6, 8].map(name);
    for (const sort of ["relevance", "path"] as const) {
      const { paths, unchecked } = await readAll(open, '"alpha beta gamma"', { sort });
      expect(paths.sort()).toEqual(even);
      expect(unchecked).toBe(0);
      const without = await readAll(open, 'alpha -"alpha beta gamma"', { sort });
      expect(without.paths.sort()).toEqual([1, 3, 5, 7].map(name));
    }
    const { hits } = await search(open.next(), ask('"alpha beta gamma"', { documentId: `docs:${name(8)}` }));
    expect(hits.map(({ path }) => path)).toEqual([name(8)]);
  });

  it("are shown by sections that hold their words, where the index alone finds the document", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        name(n),
        `# Page ${n}\n\n## Alpha\n\nalpha alpha alpha alpha\n\n## Beta\n\nbeta beta beta beta\n\n## Both\n\n${filler(30)} alpha ${n < 10 ? "" : "not"} beta ${filler(30)}\n`,
      ]),
    );
    const { hits } = await search((await openPages(pages)).reader, ask('"alpha beta"'));
    expect(hits).toHaveLength(10);
    for (const { sections } of hits) expect(sections.map(({ ordinal }) => ordinal)).toEqual([3]);
  });

  it("are found on one of many short pages that hold the word, for those beside one another come in one read", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [name(n), `# Page ${n}\n\nHere ${n === 43 ? "is the" : "is an"} alpha.\n`]),
    );
    const open = await openPages(pages);
    const answer = await search(open.reader, ask('"the alpha"'));
    expect(answer.hits.map(({ path }) => path)).toEqual([name(43)]);
    expect(answer.uncheckedDocuments).toBe(0);
    expect(answer.cost.reads).toBeLessThan(12);
  });

  it("are looked for first where their words are close, whether or not the index keeps where each of them stands", async () => {
    // So many pages hold alpha that postings say only of the 512 best ones where. The long pages are not among them.
    const textOf = (n: number): string => {
      if (n === 701) return `${"alpha and ".repeat(20)} alpha of the rare`;
      return n < 100 ? `alpha ${filler(300)} rare` : "alpha and ".repeat(5);
    };
    const pages = Object.fromEntries(
      Array.from({ length: 2400 }, (_, n) => [name(n), `# Page ${n}\n\n${textOf(n)}\n`]),
    );
    const open = await openPages(pages);
    const answer = await search(open.reader, ask('"alpha of the rare"'));
    expect(answer.hits.map(({ path }) => path)).toEqual([name(701)]);
  });

  it("that one document at most holds are not looked for once they are found", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [
        name(n),
        `# Page ${n}\n\n${n === 9 ? "alpha alpha alpha beta" : `beta ${filler(300)} alpha`} ${filler(400)}\n`,
      ]),
    );
    const { reader } = await openPages(pages);
    const answer = await search(reader, ask('"alpha beta"', { withFacetCounts: true }));
    expect(answer).toMatchObject({ totalDocuments: 1, uncheckedDocuments: 0 });
    expect(answer.positions.at(-1)).toBe(80);
  });

  it("that one document each holds are found, each in its own, where either may stand there", async () => {
    const textOf = (n: number): string => {
      if (n === 9) return `alpha beta ${filler(300)} gamma`;
      return n === 60 ? `beta ${filler(300)} alpha gamma` : `beta ${filler(300)} alpha ${filler(50)} gamma`;
    };
    const pages = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [name(n), `# Page ${n}\n\n${textOf(n)}\n`]));
    const { paths } = await readAll(await openPages(pages), '"alpha beta" OR "alpha gamma"', {});
    expect(paths.sort()).toEqual([name(9), name(60)]);
  });

  it("do not read postings of stop words beside others, only their pairs", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        name(n),
        `# Page ${n}\n\n${n < 3 ? "State of the art." : "Of the state. The art, of it."}\n`,
      ]),
    );
    const { next } = await openPages(pages);
    const plain = await search(next(), ask("state art", { excerpts: 0 }));
    const quoted = await search(next(), ask('"state of the art"', { excerpts: 0 }));
    expect(quoted.hits.map(({ path }) => path).sort()).toEqual([0, 1, 2].map(name));
    // "state of" 3 documents, as a pair that scores and as one that decides; "of the" and "the art" all of them.
    expect(quoted.cost.postingsDecoded).toBe(plain.cost.postingsDecoded + 3 + 3 + 40 + 40);
  });

  /** Pages with the same words in another order, so that their pairs alone tell them apart. */
  const ORDERS = ["the alpha of beta", "alpha the beta of", "of the beta alpha", "beta of alpha the"];
  const ordered = (count: number): Pages =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), `# Page ${n}\n\n${ORDERS[n % 4]}\n`]));

  it.each([
    ["in front of a word", "the alpha"],
    ["behind a word", "alpha the"],
    ["in front of and behind a word", "of alpha the"],
    ["between two words", "alpha of beta"],
    ["in front of two words", "the beta alpha"],
    ["behind two words", "beta alpha of"],
    ["alone", "of the"],
  ])("with stop words %s are found in all pages that hold them, and in no other", async (_, phrase) => {
    const pages = ordered(40);
    const expected = scanForPhrase(pages, termsOf(phrase));
    const { paths, unchecked, isRelaxed } = await readAll(await openPages(pages), `"${phrase}"`, {});
    if (expected.length === 0) expect(isRelaxed).toBe(true);
    else expect(paths.sort()).toEqual(expected);
    expect(unchecked).toBe(0);
  });

  it("of two words are decided by their pair, with a stop word too, and need no text", async () => {
    for (const [count, phrase] of [
      [40, "the alpha"],
      [40, "of the"],
      // Of so few pages words have no pairs, and stop words have.
      [8, "of the"],
    ] as const) {
      const pages = ordered(count);
      const { next } = await openPages(pages);
      const answer = await search(next(), ask(`"${phrase}"`, { excerpts: 0, limit: 50 }));
      expect(answer.hits.map(({ path }) => path).sort()).toEqual(scanForPhrase(pages, termsOf(phrase)));
      expect(answer.hits.length).toBeGreaterThan(1);
      expect(answer.cost).toMatchObject({ bytesScanned: 0 });
    }
  });

  it("that no page holds are known by their pairs to be nowhere", async () => {
    const { next } = await openPages(ordered(40));
    // Both pairs are in the index, of different pages.
    const answer = await search(next(), ask('"the alpha the"', { excerpts: 0 }));
    expect(answer).toMatchObject({ relaxedPhrases: [["the alpha the"]], uncheckedDocuments: 0 });
    expect(answer.cost.bytesScanned).toBe(0);
  });

  it("with a stop word that one page holds are not looked for once they are found", async () => {
    const textOf = (n: number): string => (n === 7 ? `alpha alpha the` : `the ${filler(300)} alpha ${filler(400)}`);
    const pages = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [name(n), `# Page ${n}\n\n${textOf(n)}\n`]));
    const answer = await search((await openPages(pages)).reader, ask('"alpha the"'));
    expect(answer.hits.map(({ path }) => path)).toEqual([name(7)]);
    expect(answer).toMatchObject({ totalDocuments: 1, uncheckedDocuments: 0 });
  });

  it("of many words are found, though not all of their pairs are looked up", async () => {
    const words = Array.from({ length: 28 }, (_, n) => (n % 4 === 3 ? "of" : `long${n}`));
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        name(n),
        `# Page ${n}\n\n${(n % 2 === 0 ? words : [...words].reverse()).join(" ")}\n`,
      ]),
    );
    const { paths, unchecked } = await readAll(await openPages(pages), `"${words.join(" ")}"`, { limit: 5 });
    expect(paths.sort()).toEqual(Object.keys(pages).filter((_, n) => n % 2 === 0));
    expect(unchecked).toBe(0);
  });

  it("read little text a page, however long the documents that may hold them", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => {
        const words = Array.from({ length: 3000 }, (_, at) => `word${(n * 3000 + at) * 7919}`).join(" ");
        return [name(n), `# Page ${n}\n\nthe alpha. An alpha is ${words}\n`];
      }),
    );
    const { next } = await openPages(pages);
    const plain = await search(next(), ask("alpha", { excerpts: 0 }));
    const quoted = await search(next(), ask('"the alpha is"', { excerpts: 0 }));
    expect(quoted).toMatchObject({ hits: [], relaxedPhrases: [] });
    expect(quoted.uncheckedDocuments).toBeGreaterThan(0);
    // Three rounds of 20,000 bytes at most, and the chunks of the pairs.
    expect(quoted.cost.bytes - plain.cost.bytes).toBeGreaterThan(5000);
    expect(quoted.cost.bytes - plain.cost.bytes).toBeLessThan(62_000);
  });

  it("that could not be checked are told, not taken for missing", async () => {
    // Each piece holds both words; only the last one holds them side by side.
    const pieces = Array.from(
      { length: 40 },
      (_, n) => `alpha ${filler(200)} ${n === 39 ? "alpha beta gamma" : "beta gamma"}`,
    );
    const pages = { "a.md": `# A\n\n${pieces.join("\n\n")}\n`, "b.md": "# B\n\nalpha beta gamma\n" };
    const open = await openPages(pages);
    const found = await search(open.next(), ask('"alpha beta gamma"'));
    expect(found.hits.length + found.uncheckedDocuments).toBe(2);
    expect(found.relaxedPhrases).toEqual([]);
    const without = await search(open.next(), ask('alpha -"alpha beta gamma"'));
    expect(without.hits).toEqual([]);
  });
});

describe("exclusions", () => {
  const anyExcluded = fc.constantFrom(...WORDS, "absent", "the of", "alpha beta", "beta getUserName");

  it("leave out every document that holds the word or phrase, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPhrasePages,
        fc.constantFrom("alpha", "beta", "日本語"),
        fc.array(anyExcluded, { minLength: 1, maxLength: 2 }),
        async (pages, wanted, excluded) => {
          const open = await openPages(pages);
          const query = `${wanted} ${excluded.map((text) => `-"${text}"`).join(" ")}`;
          const { paths, unchecked } = await readAll(open, query, { limit: 9 });
          const { paths: all } = await readAll(open, wanted, { limit: 50 });
          const out = new Set(excluded.flatMap((text) => scanForPhrase(pages, termsOf(text))));
          for (const path of paths) expect(out.has(path), `${query} gives ${path}`).toBe(false);
          if (unchecked === 0) expect([...paths].sort()).toEqual(all.filter((path) => !out.has(path)).sort());
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it("leave out documents of words so frequent that their postings are short, stop words too", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 1500 }, (_, n) => [
        name(n),
        `# Page ${n}\n\nlamp ${n % 3 === 0 ? "" : "shade"} ${n % 5 === 0 ? "whereas" : ""} ${filler(n % 7)}\n`,
      ]),
    );
    const { next } = await openPages(pages);
    for (const [word, holds] of [
      ["shade", (n: number) => n % 3 !== 0],
      ["whereas", (n: number) => n % 5 === 0],
    ] as const) {
      const seen: string[] = [];
      for (let offset = 0; ; ) {
        const answer = await search(next(), ask(`lamp -${word}`, { limit: 50, offset, excerpts: 0 }));
        seen.push(...answer.hits.map(({ path }) => path));
        const reached = answer.positions.at(-1) ?? 0;
        if (reached <= offset) break;
        offset = reached;
      }
      expect(seen.length).toBeGreaterThan(200);
      expect(seen.filter((path) => holds(Number(path.slice(5, -3))))).toEqual([]);
      if (word === "shade") expect((await search(next(), ask(`lamp -${word}`))).totalDocuments).toBe(500);
    }
  });

  it("of phrases with stop words leave out those that hold them, and need no text for two words", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        name(n),
        `# Page ${n}\n\nlamp ${n % 3 === 0 ? "of the" : "the of"} alpha\n`,
      ]),
    );
    const { next } = await openPages(pages);
    const pathsOf = (isHolder: boolean): string[] => Object.keys(pages).filter((_, n) => (n % 3 === 0) === isHolder);
    for (const [excluded, isLeft] of [
      ["of the", false],
      ["the of", true],
      ["the alpha", false],
      ["of the alpha", false],
    ] as const) {
      const answer = await search(next(), ask(`lamp -"${excluded}"`, { limit: 50, excerpts: 0 }));
      expect(answer.hits.map(({ path }) => path).sort(), excluded).toEqual(pathsOf(isLeft));
      if (excluded.split(" ").length === 2) expect(answer.cost.bytesScanned).toBe(0);
    }
  });

  it("of an identifier leave out those that hold it, and keep those that hold its parts", async () => {
    const pages = {
      "a.md": "# A\n\nlamp getUserName\n",
      "b.md": "# B\n\nlamp of a user name\n",
      "c.md": "# C\n\nlamp get user name\n",
    };
    const open = await openPages(pages);
    expect((await readAll(open, "lamp -getUserName", {})).paths.sort()).toEqual(["b.md", "c.md"]);
    expect((await readAll(open, 'lamp -"getUserName"', {})).paths).toEqual(["b.md"]);
  });
});
