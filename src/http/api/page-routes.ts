/** Pages for people, and what pages load: entries are made of the lists by which the Worker has its routes. */
import { z } from "zod";
import { EXPLORER_PAGES } from "../explorer/explorer-pages.ts";
import { EXPLORER_PATH } from "../explorer/links.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../page-files.ts";
import { jsonAnswer, named, routesOf, textAnswer } from "./described-route.ts";

/** Answer of `/` to programs. */
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: z.array(z.string()) }),
);

/** Files that pages load: those of the explorer may also be among the modules for all pages. */
const FILE_PATHS = [...new Set([...EXPLORER_FILE_PATHS, ...PAGE_SCRIPT_PATHS])];

const FILE_TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".ico": "image/svg+xml" };

/** Routes for browsers. */
export const pageRoutes = routesOf("pages", [
  ...EXPLORER_PAGES.map(({ path, parameters = {} }) => {
    const template = path.replace("*", "{rest}");
    const page = { "text/html": {} };
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
                path === "/" ? jsonAnswer("The page.", rootAnswer, page) : { description: "The page.", content: page },
            },
      errors: [400, 404, 503] as const,
    };
  }),
  ...FILE_PATHS.map((path) => ({
    path,
    operationId: nameOf(path, "load"),
    summary: `A file that pages load: ${path.slice(1)}`,
    answers: {
      200: textAnswer("The file.", FILE_TYPES[path.slice(path.lastIndexOf("."))] ?? "text/javascript"),
    },
    errors: [404] as const,
    isOpen: true as const,
    isTagged: true as const,
  })),
]);

/** `showExplorerSearch` of `/explorer/search`: a name for generated clients. */
function nameOf(path: string, verb: string): string {
  const words = path
    .replace(/\*$/, "rest")
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== "");
  return `${verb}${(words.length === 0 ? ["root"] : words).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
