import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzeText } from "../../../src/core/text/analyze.ts";
import { buildPages, type OpenReader, type Pages } from "../../support/build-index.ts";
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

/** Every page of an answer, as a caller reads on from it, with how many documents no page could check. */
async function readAll(
  { next }: OpenReader,
  query: string,
  more: Partial<SearchRequest>,
): Promise<{ paths: string[]; unchecked: number; relaxed: boolean; pages: SearchAnswer[] }> {
  const paths: string[] = [];
  const pages: SearchAnswer[] = [];
  let offset = 0;
  for (;;) {
    const answer = await search(next(), ask(query, { ...more, offset }));
    pages.push(answer);
    paths.push(...answer.hits.map(({ path }) => path));
    const reached = answer.positions.at(-1) ?? 0;
    if (reached <= offset) break;
    offset = reached;
  }
  const unchecked = pages.at(-1)?.uncheckedDocuments ?? 0;
  return { paths, unchecked, relaxed: pages.some(({ relaxedPhrases }) => relaxedPhrases.length > 0), pages };
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
            const expected = scanForPhrase(pages, termsOf(words.join(" ")));
            const { paths, unchecked, relaxed } = await readAll(open, `"${words.join(" ")}"`, { limit });
            if (unchecked > 0) continue;
            if (relaxed) expect(expected).toEqual([]);
            else expect({ words, paths: [...paths].sort() }).toEqual({ words, paths: expected });
            expect(new Set(paths).size).toBe(paths.length);
          }
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
