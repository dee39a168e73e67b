import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { type GrepBounds, LARGE_BOUNDS, scanTexts } from "../../../src/core/search/grep.ts";
import { compileText } from "../../../src/core/search/grep-pattern.ts";
import { buildPages } from "../../support/build-index.ts";
import { anyFile, anyLiteral } from "../../support/grep-cases.ts";

const PAGES = 30;

it("finds the same lines in one call and in many, whatever the bounds and however many patterns", async () => {
  const texts = fc.sample(anyFile, { numRuns: PAGES, seed: 3 });
  const pages = Object.fromEntries(texts.map((text, at) => [`part-${at % 4}/page-${at}.md`, `${text}\nlast ${at}`]));
  const { next } = await (await buildPages(pages)).open();
  const scan = (patterns: readonly string[], bounds: GrepBounds, from: number) =>
    scanTexts(next(), {
      patterns: patterns.map((text) => compileText(text, true)),
      collection: "",
      acceptsPath: () => true,
      filter: NO_FILTER,
      bounds,
      from,
      priority: (id) => (id.includes("part-2") ? 0 : 1),
    });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(anyLiteral, fc.constant("last")), { minLength: 1, maxLength: 3 }),
      fc.record({
        batches: fc.integer({ min: 1, max: 3 }),
        textBytes: fc.integer({ min: 200, max: 4000 }),
        readBytes: fc.integer({ min: 4000, max: 20_000 }),
        scannedBytes: fc.integer({ min: 1000, max: 5000 }),
        lookups: fc.integer({ min: 0, max: 8 }),
        mostLookups: fc.integer({ min: 0, max: 8 }),
        reads: fc.integer({ min: 1, max: 20 }),
      }),
      async (patterns, bounds) => {
        const found: string[] = [];
        let scanned = 0;
        let calls = 0;
        for (let from: number | undefined = 0; from !== undefined; calls++) {
          expect(calls).toBeLessThanOrEqual(PAGES);
          const part: Awaited<ReturnType<typeof scan>> = await scan(patterns, bounds, from);
          for (const { path, lines } of part.files)
            found.push(...lines.flatMap((own, at) => own.map(({ line }) => `${at} ${path}:${line}`)));
          expect(part.cut).toBeUndefined();
          scanned += part.scanned;
          from = part.next;
          if (from === undefined) expect(scanned).toBe(part.candidates);
        }
        const expected = patterns.flatMap((text, at) =>
          Object.entries(pages).flatMap(([path, whole]) =>
            whole.split("\n").flatMap((line, number) => (line.includes(text) ? [`${at} ${path}:${number + 1}`] : [])),
          ),
        );
        expect(found.sort()).toEqual(expected.sort());
        const all = await scan(patterns, LARGE_BOUNDS, 0);
        expect(all.next).toBeUndefined();
        expect(all.files.reduce((sum, { lines }) => sum + lines.flat().length, 0)).toBe(expected.length);
      },
    ),
  );
});
