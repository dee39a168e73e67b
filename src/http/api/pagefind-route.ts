/** `/pagefind/pages` described. */
import { z } from "zod";
import { PAGEFIND_PARAMETERS, PAGEFIND_PATH } from "../pagefind-api.ts";
import { count, type DescribedRoute, facets, named } from "./described-route.ts";

const counts = z.record(z.string(), z.record(z.string(), count)).describe("Pages by value, by facet key.");
const terms = z.array(z.tuple([z.string(), z.number()])).describe("Terms that were looked up, each with its weight.");

const found = z
  .strictObject({
    generation: z.string().describe("Which generation of the index the keys are of."),
    pages: z.array(
      z.strictObject({
        key: z.string().describe("What the page is read by."),
        score: z.number().describe("0 where no words were given."),
        sortValue: z.string().optional().describe("What it was put in order by."),
      }),
    ),
    terms,
    unfiltered: count.describe("Pages that there would be without the filter."),
    counts: z.strictObject({ filtered: counts, all: counts }).optional(),
  })
  .describe("To `find`: all pages, best first.");

const page = z.strictObject({
  ...{ key: z.string(), title: z.string(), description: z.string(), url: z.string(), facets },
  isSitePage: z.boolean().describe("True for a page of a built site."),
  meta: z.record(z.string(), z.unknown()).describe("Meta data that the page names."),
  words: z.array(z.string()).describe("The text, up to a bound."),
  joiner: z.enum([" ", ""]).describe("What stands between words."),
  wordCount: count.describe("Words of the whole page."),
  matches: z
    .array(z.strictObject({ at: count.describe("Index in `words`."), weight: z.number(), rarity: z.number() }))
    .describe("Where terms stand."),
  anchors: z
    .array(z.strictObject({ level: count, id: z.string(), title: z.string(), at: count }))
    .describe("Headings that have an address."),
});

/** Answer of `/pagefind/pages`. */
const answer = named(
  "PagefindAnswer",
  "The answer to the one member that the question has.",
  z.union([found, z.strictObject({ pages: z.array(page) }).describe("To `read`: pages by their keys."), counts]),
);

const EXAMPLE = { type: { guide: 9, reference: 3 } };

/** What the module with Pagefind's interface asks. */
export const pagefindRoute: DescribedRoute = {
  ...{ method: "get", path: PAGEFIND_PATH, operationId: "askPagefind", tag: "pages" },
  summary: "What pagefind.js asks",
  description: "The business of that module, which may change with it: other programs ask `/search`.",
  parameters: PAGEFIND_PARAMETERS,
  answers: {
    200: { description: "The answer.", content: { "application/json": { schema: answer, example: EXAMPLE } } },
  },
  ...{ errors: [400, 404, 503], isTagged: true },
};
