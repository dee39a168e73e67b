/** docs/http-api.md names every address, and every parameter with the bounds and defaults by which it is read. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describedRoutes } from "../../src/http/api/routes.ts";
import type { Parameter } from "../../src/surface/parameters.ts";

const page = readFileSync(new URL("../../docs/http-api.md", import.meta.url), "utf8");
/** By heading: `GET /search`. */
const chapters = new Map(
  page.split(/^## /m).map((chapter): [string, string] => [chapter.slice(0, chapter.indexOf("\n")), chapter]),
);
const NUMBERS = new Intl.NumberFormat("en-US");

/** What the second column says of a parameter; undefined where it says it in words of its own. */
function boundsOf(parameter: Parameter): string | undefined {
  switch (parameter.kind) {
    case "text":
      return parameter.required ? "required" : undefined;
    case "integer":
      if (parameter.default === undefined) return undefined;
      return `${NUMBERS.format(Number(parameter.default))}; ${NUMBERS.format(Number(parameter.maximum))}`;
    case "boolean":
      return `\`${parameter.default}\``;
    case "choice":
      return parameter.default === undefined
        ? parameter.values.map((value) => `\`${value}\``).join(", ")
        : `\`${parameter.default}\``;
    default:
      return undefined;
  }
}

/** First and second column of the table of parameters, where a chapter has one. */
function rowsOf(chapter: string): [string, string][] {
  const [, table = ""] = /^\| parameter \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(chapter) ?? [];
  return [...table.matchAll(/^\| `([^`]+)` \| (.*?) ?\| /gm)].map(([, name = "", bounds = ""]) => [name, bounds]);
}

describe("the page of the HTTP interface", () => {
  // Other addresses of the same are told where clients are connected.
  const told = describedRoutes.filter(({ path }) => !/^\/(?:$|\.well-known|sse|s\/)/.test(path));

  it.each(told.map(({ method, path }) => [method.toUpperCase(), path]))("has a chapter about %s %s", (method, path) => {
    const headings = [...chapters.keys()].filter((heading) => heading.startsWith(`${method} `));
    expect(headings.flatMap((heading) => heading.slice(method.length + 1).split(", "))).toContain(path);
  });

  it.each(
    describedRoutes
      // Forms of small answers are told in a sentence.
      .filter(({ method, path, parameters }) => method === "get" && parameters && !/^\/(?:corpora|connect)$/.test(path))
      .map((route) => [route.path, route.parameters ?? {}] as const),
  )("has the parameters of %s as they are read", (path, parameters) => {
    const chapter = chapters.get(`GET ${path}`);
    const rows = rowsOf(chapter ?? "");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(parameters));
    for (const [name, bounds] of rows) {
      const expected = boundsOf(parameters[name] as Parameter);
      if (expected !== undefined) expect(bounds, name).toBe(expected);
    }
  });
});
