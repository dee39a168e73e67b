/** What `pagefind.js` asks a Worker. */
import { z } from "zod";
import { PAGEFIND_PARAMETERS, PAGEFIND_PATH } from "../pagefind-api.ts";
import { count, jsonAnswer, named, routesOf } from "./described-route.ts";

const counts = z.record(z.string(), z.record(z.string(), count)).describe("Pages by value, by facet key.");
const terms = z.array(z.tuple([z.string(), z.number()])).describe("Terms that were looked up, each with its weight.");

const foundPages = z
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

const readPages = z
  .strictObject({
    pages: z.array(
      z.strictObject({
        key: z.string(),
        title: z.string(),
        description: z.string(),
        url: z.string(),
        facets: z.record(z.string(), z.array(z.string())).describe("Values by facet key."),
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
      }),
    ),
  })
  .describe("To `read`: pages by their keys.");

const pagefindAnswer = named(
  "PagefindAnswer",
  "The answer to the one member that the question has.",
  z.union([foundPages, readPages, counts]),
);

/** The route of Pagefind's interface. */
export const pagefindRoutes = routesOf("pages", [
  {
    path: PAGEFIND_PATH,
    operationId: "askPagefind",
    summary: "What pagefind.js asks",
    description: "The business of that module, which may change with it: other programs ask `/search`.",
    parameters: PAGEFIND_PARAMETERS,
    answers: { 200: jsonAnswer("The answer.", pagefindAnswer) },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);
