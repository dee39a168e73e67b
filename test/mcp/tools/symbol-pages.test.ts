/** Pages of symbols and references: whatever the limits and budgets on the way, every result comes once. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { ask } from "./workshop.ts";

type Given = Readonly<Record<string, unknown>>;

const CALLS: readonly (readonly [tool: string, given: Given])[] = [
  ["find_symbol", { query: "*" }],
  ["find_symbol", { query: "create" }],
  ["find_symbol", { query: "*a*", exported: true }],
  ["search_nodes", { include: ["calls", "called_by", "signature"] }],
  ["search_nodes", { query: "*S*" }],
  ["references", { symbol: "Lamp" }],
  ["references", { symbol: "formatNumber" }],
];

/** One page as its results' names, in the order shown, and the cursor of the next. */
async function readPage(tool: string, given: Given): Promise<{ names: string[]; cursor: string | undefined }> {
  const { text, texts, json, isError } = await ask(tool, given);
  expect(isError, text).toBe(false);
  if (given.format === "json") {
    const rows = (json.symbols ?? json.references) as {
      filePath: string;
      line?: number;
      id?: string;
      column?: number;
    }[];
    const names = rows.map(({ filePath, line, id, column }) => id ?? `${filePath} ${line}:${column}`);
    return { names, cursor: json.nextCursor as string | undefined };
  }
  const names = texts.flatMap((block) => {
    const [path] = /^\S+(?= \(\d+ results?\)\n)/.exec(block) ?? [];
    // Rows of a package have their own paths.
    if (block.startsWith("package ")) return [...block.matchAll(/^ {2}(\S+ @\d+:\d+) /gm)].map(([, at]) => `${at}`);
    return path === undefined ? [] : [...block.matchAll(/^ {2}@(\d+:\d+) /gm)].map(([, at]) => `${path} ${at}`);
  });
  return { names, cursor: /cursor "([^"]+)"/.exec(text)?.[1] };
}

it.each(CALLS)("all pages of %s %j give every result once", { timeout: 60_000 }, async (tool, given) => {
  for (const format of ["json", "text"]) {
    const maximum = tool === "find_symbol" ? 100 : 200;
    const whole = { ...given, format, limit: maximum, max_tokens: 6000 };
    const all: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await readPage(tool, { ...whole, ...(cursor !== undefined && { cursor }) });
      all.push(...page.names);
      cursor = page.cursor;
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(3);
    const anyPage = fc.record({
      limit: fc.integer({ min: 1, max: 40 }),
      max_tokens: fc.integer({ min: 380, max: 1500 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(anyPage), async (sizes) => {
        const names: string[] = [];
        let cursor: string | undefined;
        do {
          const size = sizes.next().value as Given;
          const page = await readPage(tool, { ...given, format, ...size, ...(cursor !== undefined && { cursor }) });
          expect(page.names.length).toBeGreaterThan(0);
          names.push(...page.names);
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(names.toSorted()).toEqual(all.toSorted());
      }),
      { numRuns: runs(15) },
    );
  }
});
