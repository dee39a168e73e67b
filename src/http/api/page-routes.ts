/** Pages for people, and what pages load: entries are made of the lists by which the Worker has its routes. */
import { z } from "zod";
import { EXPLORER_PAGES } from "../explorer/explorer-pages.ts";
import { EXPLORER_PATH } from "../explorer/links.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../page-files.ts";
import { PAGEFIND_PARAMETERS, PAGEFIND_PATH } from "../pagefind-api.ts";
import { count, jsonAnswer, named, routesOf, textAnswer } from "./described-route.ts";

/** Answer of `/` to programs. */
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: z.array(z.string()) }),
);

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

const PAGE_EXAMPLE = "<!doctype html>";
const ROOT_EXAMPLE = {
  name: "Treeline",
  version: "0.1.0",
  addresses: ["https://docs.example.com/mcp", "https://docs.example.com/search?q=…"],
};

/** Files that pages load: those of the explorer may also be among the modules for all pages. */
const FILE_PATHS = [...new Set([...EXPLORER_FILE_PATHS, ...PAGE_SCRIPT_PATHS])];

const FILE_TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".ico": "image/svg+xml" };

/** Routes for browsers. */
export const pageRoutes = routesOf("pages", [
  ...EXPLORER_PAGES.map(({ path, parameters = {} }) => {
    const template = path.replace("*", "{rest}");
    const page = { "text/html": { example: PAGE_EXAMPLE } };
    return {
      path: template,
      operationId: nameOf(path, "show"),
      summary: path === "/" ? "What is indexed, as a page" : `Page of the explorer: ${path}`,
      ...(template !== path && {
        pathParameters: { rest: { description: "What the page is about.", example: "docs:guide/limits.md" } },
      }),
      // A page without a query is a form, where a program would be refused.
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, { required: _, ...parameter }]) => [name, parameter]),
      ),
      answers:
        path === EXPLORER_PATH
          ? { 308: { description: "The explorer begins at the root.", content: {} } }
          : {
              200:
                path === "/"
                  ? jsonAnswer("The page.", rootAnswer, ROOT_EXAMPLE, page)
                  : { description: "The page.", content: page },
            },
      errors: [400, 404, 503] as const,
    };
  }),
  ...FILE_PATHS.map((path) => ({
    path,
    operationId: nameOf(path, "load"),
    summary: `A file that pages load: ${path.slice(1)}`,
    answers: {
      200: textAnswer("The file.", FILE_TYPES[path.slice(path.lastIndexOf("."))] ?? "text/javascript", ""),
    },
    errors: [404] as const,
    isOpen: true as const,
    isTagged: true as const,
  })),
  {
    path: PAGEFIND_PATH,
    operationId: "askPagefind",
    summary: "What pagefind.js asks",
    description: "The business of that module, which may change with it: other programs ask `/search`.",
    parameters: PAGEFIND_PARAMETERS,
    answers: { 200: jsonAnswer("The answer.", pagefindAnswer, { type: { guide: 9, reference: 3 } }) },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);

/** `showExplorerSearch` of `/explorer/search`: a name for generated clients. */
function nameOf(path: string, verb: string): string {
  const words = path
    .replace(/\*$/, "rest")
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== "");
  return `${verb}${(words.length === 0 ? ["root"] : words).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
