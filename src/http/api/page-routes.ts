/** Pages for people, and what pages load, described: each entry is made of the list by which the Worker has its routes. */
import { z } from "zod";
import { EXPLORER_PAGES } from "../explorer/explorer-pages.ts";
import { EXPLORER_PATH } from "../explorer/navigation.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../page-files.ts";
import type { Parameters } from "../parameters.ts";
import type { DescribedBody, DescribedRoute } from "./described-route.ts";
import { named } from "./described-route.ts";

/** Answer of `/` to programs. */
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: z.array(z.string()) }),
);

const PAGE_EXAMPLE = "<!doctype html>";
const ROOT_EXAMPLE = {
  ...{ name: "Treeline", version: "0.1.0" },
  addresses: ["https://docs.example.com/mcp", "https://docs.example.com/search?q=…"],
};

/** Files that pages load: those of the explorer may also be among the modules for all pages. */
const FILE_PATHS = [...new Set([...EXPLORER_FILE_PATHS, ...PAGE_SCRIPT_PATHS])];

const FILE_TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".ico": "image/svg+xml" };

/** Routes for browsers. */
export const pageRoutes: readonly DescribedRoute[] = [
  ...EXPLORER_PAGES.map(({ path, parameters }): DescribedRoute => {
    const content: Record<string, DescribedBody> = {
      ...(path === "/" && { "application/json": { schema: rootAnswer, example: ROOT_EXAMPLE } }),
      "text/html": { example: PAGE_EXAMPLE },
    };
    const template = path.replace("*", "{rest}");
    return {
      ...{ method: "get", path: template, operationId: nameOf(path, "show"), tag: "pages" },
      summary: path === "/" ? "What is indexed, as a page" : `Page of the explorer: ${path}`,
      ...(template !== path && {
        pathParameters: { rest: { description: "What the page is about.", example: "docs:guide/limits.md" } },
      }),
      ...(parameters !== undefined && { parameters: ofPages(parameters) }),
      answers:
        path === EXPLORER_PATH
          ? { 308: { description: "The explorer begins at the root.", content: {} } }
          : { 200: { description: "The page.", content } },
      errors: [400, 404, 503],
    };
  }),
  ...FILE_PATHS.map((path): DescribedRoute => {
    const type = FILE_TYPES[path.slice(path.lastIndexOf("."))] ?? "text/javascript";
    return {
      ...{ method: "get", path, operationId: nameOf(path, "load"), tag: "pages" },
      summary: `A file that pages load: ${path.slice(1)}`,
      answers: { 200: { description: "The file.", content: { [type]: { example: "" } } } },
      ...{ errors: [404], isOpen: true, isTagged: true },
    };
  }),
];

/** A page without a query is a form, where a program would be refused. */
function ofPages(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const { kind, description, example } = parameter;
      const shown = example === undefined ? { description } : { description, example };
      return [name, kind === "query" ? { kind: "text", ...shown } : parameter];
    }),
  );
}

/** `showExplorerSearch` of `/explorer/search`: a name for generated clients. */
function nameOf(path: string, verb: string): string {
  const words = path
    .replace(/\*$/, "rest")
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== "");
  return `${verb}${(words.length === 0 ? ["root"] : words).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
