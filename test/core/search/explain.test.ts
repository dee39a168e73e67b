import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentHit, Explanation } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { anyOperators } from "../../support/any-query.ts";
import { buildCollections, buildPages } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, anyQuery, ask } from "../../support/small-corpora.ts";

function sumOf({ words, wholeTitle, pairs, sectionsTotal, collectionWeight }: Explanation): number {
  const ofWords = words.reduce((sum, { body, title, path, description }) => sum + body + title + path + description, 0);
  return (ofWords + wholeTitle + pairs + sectionsTotal) * collectionWeight;
}

function sumOfSections({ sections }: Explanation): number {
  return sections.reduce(
    (sum, { share, text, heading, title, coverage }) => sum + share * (text + heading + title + coverage),
    0,
  );
}

function expectWhole({ score, explanation }: DocumentHit): void {
  if (explanation === undefined) throw new Error("not explained");
  expect(sumOf(explanation)).toBeCloseTo(score, 6);
  expect(sumOfSections(explanation)).toBeCloseTo(explanation.sectionsTotal, 6);
  const { words, sections, pairs, wholeTitle } = explanation;
  const parts = [
    pairs,
    wholeTitle,
    ...words.flatMap(({ body, title, path, description }) => [body, title, path, description]),
    ...sections.flatMap(({ share, text, heading, title, coverage }) => [share, text, heading, title, coverage]),
  ];
  for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
}

describe("explanations", () => {
  it("add up to the score, part by part, whatever the query, the weights of collections and the ranking", async () => {
    const anyRanking = fc.constantFrom(
      {},
      { bm25_k1: 0, code_weight: 0 },
      { title_weight: 9, term_proximity_bonus: 0 },
      { bm25_b: 0, full_coverage_bonus: 50, prefix_penalty: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        anyPages,
        anyPages,
        fc.array(fc.oneof(anyQuery, anyOperators, fc.constantFrom("rout*", "alpha OR beta gamma", "ha", "rendar")), {
          minLength: 4,
          maxLength: 4,
        }),
        fc.constantFrom(0.25, 1, 3),
        anyRanking,
        async (one, other, queries, weight, ranking) => {
          const built = await buildCollections([
            { name: "one", pages: one, weight },
            { name: "other", access: "staff", pages: other },
          ]);
          const { next } = await built.open("all");
          for (const query of queries) {
            for (const asYouType of [true, false]) {
              const answer = await search(next(), ask(query, { explain: true, limit: 50, ranking, asYouType }));
              for (const hit of answer.hits) expectWhole(hit);
            }
          }
        },
      ),
      { numRuns: runs(15) },
    );
  });

  it("add up with pairs, and for documents so far down that their sections do not count", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 320 }, (_, n) => [
        `p${n}.md`,
        `# ${n % 9 === 0 ? "Thread" : "Page"}\n\n${"word ".repeat(n % 23)}needle ${n % 60 === 0 ? "" : "and "}thread\n\n## More\n\nneedle\n`,
      ]),
    );
    const { next } = await (await buildPages(pages)).open();
    const paired: number[] = [];
    const counted: boolean[] = [];
    for (let offset = 0; offset < 320; offset += 40) {
      const { hits } = await search(next(), ask("needle thread", { explain: true, limit: 40, offset, excerpts: 0 }));
      for (const hit of hits) {
        expectWhole(hit);
        paired.push(hit.explanation?.pairs ?? 0);
        counted.push((hit.explanation?.sectionsTotal ?? 0) > 0);
      }
    }
    expect(counted).toEqual(Array.from({ length: 320 }, (_, at) => at < 200));
    expect(paired.filter((pairs) => pairs > 0)).toHaveLength(6);
  });

  it("weigh each part as it was measured", async () => {
    const filler = "cloth button ribbon";
    const describe = (page: string, description: string): string => `---\ndescription: ${description}\n---\n${page}`;
    const pages = {
      // The same number of words everywhere in titles, paths and descriptions, so that their lengths cancel out.
      "needle.md": describe(
        "# Needle\n\nneedle\n\n## One\n\nneedle\n\n## Two\n\nneedle\n\n## Three\n\nneedle\n",
        "Needle",
      ),
      "heading.md": describe(`# Heading\n\n## Needle\n\n${filler}\n`, "Cloth"),
      "text.md": describe(`# Text\n\n## Part\n\nneedle ${filler}\n`, "Cloth"),
      ...Object.fromEntries(
        ["one", "two", "three", "four", "five"].map((name) => [
          `${name}.md`,
          describe(`# ${name}\n\n## Part\n\nthread ${filler}\n`, "Cloth"),
        ]),
      ),
    };
    const { next } = await (await buildPages(pages)).open();
    const { hits } = await search(next(), ask("needle", { explain: true, excerpts: 0 }));
    const explained = Object.fromEntries(hits.map(({ path, explanation }) => [path, explanation]));
    const { "needle.md": named, "heading.md": headed, "text.md": inText } = explained;
    const [word] = named?.words ?? [];
    if (word === undefined) throw new Error("not found");
    // BM25 of a word that is all of a field of average length is its inverse document frequency.
    const rarity = Math.log(1 + (8 - 1 + 0.5) / (1 + 0.5));
    expect(word.title).toBeCloseTo(0.5 * rarity, 6);
    expect(word.path).toBeCloseTo(0.3 * rarity, 6);
    expect(word.description).toBeCloseTo(0.3 * rarity, 6);
    expect(named?.wholeTitle).toBeCloseTo((3 + 3) * rarity, 6);
    expect(named?.sections.map(({ share }) => share)).toEqual([1.5, 1.5 * 0.2, 1.5 * 0.1]);
    expect(named?.sections[0]?.title).toBeCloseTo(0.1 * rarity, 6);
    // The bonus of a section that holds the whole query in its text alone, without weights.
    const unit = (inText?.sections[0]?.coverage ?? 0) / (0.6 + 0.05);
    expect(headed?.sections[0]?.heading).toBeCloseTo(0.4 * unit, 6);
    expect(headed?.sections[0]?.coverage).toBeCloseTo((0.6 + 1.5 + 0.05) * unit, 6);
  });

  it("give nothing for a pair in more than one document of fifty", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [
        `p${n}.md`,
        `# Page\n\n${n < 20 ? "red fox" : n < 41 ? "blue jay" : n < 60 ? "red hen and fox, blue hen and jay" : "other"}\n`,
      ]),
    );
    const { next } = await (await buildPages(pages)).open();
    const pairOf = async (query: string): Promise<number | undefined> =>
      (await search(next(), ask(query, { explain: true, limit: 1, excerpts: 0 }))).hits[0]?.explanation?.pairs;
    expect(await pairOf("red fox")).toBeGreaterThan(0);
    expect(await pairOf("blue jay")).toBe(0);
  });

  it("are absent where nobody asks for them", async () => {
    const { reader } = await (await buildPages({ "a.md": "# A\n\nlamp\n" })).open();
    const { hits } = await search(reader, ask("lamp"));
    expect(hits[0]).not.toHaveProperty("explanation");
  });
});
