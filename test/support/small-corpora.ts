/**
 * Corpora for tests of search: random ones of plain words for fast-check, and a large one that looks like
 * documentation to the format (many terms, many chunks).
 */
import fc from "fast-check";
import type { SearchRequest } from "../../src/core/search/answer.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import type { Pages } from "./build-index.ts";

const WORDS =
  "alpha beta gamma delta epsilon zeta route handler cache render getUserName snake_case v1.2 日本語 the and how".split(
    " ",
  );

const someWords = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));

/** A page of plain words: a title, perhaps a description and facets, some sections. */
const anyPage: fc.Arbitrary<string> = fc
  .record({
    title: someWords,
    description: fc.option(someWords, { nil: undefined }),
    tags: fc.uniqueArray(fc.constantFrom("red", "green", "blue"), { maxLength: 2 }),
    intro: fc.option(someWords, { nil: undefined }),
    sections: fc.array(
      fc.record({ heading: someWords, text: someWords, level: fc.integer({ min: 2, max: 4 }), code: fc.boolean() }),
      { maxLength: 4 },
    ),
  })
  .map(({ title, description, tags, intro, sections }) =>
    [
      "---",
      ...(description === undefined ? [] : [`description: ${description}`]),
      ...(tags.length === 0 ? [] : [`tags: [${tags.join(", ")}]`]),
      "---",
      `# ${title}`,
      "",
      ...(intro === undefined ? [] : [intro, ""]),
      ...sections.flatMap(({ heading, text, level, code }) => [
        `${"#".repeat(level)} ${heading}`,
        "",
        code ? `\`\`\`\n${text}\n\`\`\`` : text,
        "",
      ]),
    ].join("\n"),
  );

/** A few pages in a few folders. */
export const anyPages: fc.Arbitrary<Pages> = fc
  .uniqueArray(fc.tuple(fc.constantFrom("a", "b/c", "guide"), fc.nat({ max: 30 }), anyPage), {
    selector: ([folder, number]) => `${folder}/${number}`,
    minLength: 1,
    maxLength: 12,
  })
  .map((pages) => Object.fromEntries(pages.map(([folder, number, text]) => [`${folder}/page-${number}.md`, text])));

/** So many pages that words and pairs stand in many of them, and few edits are few. */
export const manyPages: fc.Arbitrary<Pages> = fc
  .tuple(anyPages, anyPages, anyPages, anyPages, anyPages)
  .map((parts) => Object.assign({}, ...parts.map((pages, at) => prefixed(pages, `part-${at}`))) as Pages);

function prefixed(pages: Pages, folder: string): Pages {
  return Object.fromEntries(Object.entries(pages).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** A query out of the words that such pages hold, and of some that they do not. */
export const anyQuery: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...WORDS, "absent", "user", "routing", "C++"), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(" "));

/** So many different words that the terms of a query lie in chunks of their own, far from one another. */
export function makeLargeCorpus(pages: number): Pages {
  let seed = 1;
  const next = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % limit;
  };
  // Few words are frequent, most are rare, as in text.
  const word = (): string => `w${Math.floor(next(9000) ** 2 / 9000).toString(36)}x`;
  const sentence = (): string => `${Array.from({ length: 12 }, word).join(" ")}.`;
  return Object.fromEntries(
    Array.from({ length: pages }, (_, n) => [
      `part-${n % 7}/page-${n}.md`,
      [
        `# Page ${word()} ${n}`,
        ...Array.from({ length: 4 }, () => `## About ${word()}\n\n${sentence()} ${sentence()} ${sentence()}`),
      ].join("\n\n"),
    ]),
  );
}

/** A search request that asks for the query alone, and what differs from that. */
export function ask(query: string, more: Partial<SearchRequest> = {}): SearchRequest {
  return makeSearchRequest(query, more);
}
