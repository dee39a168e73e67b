/** Plans of renames: every edit can be got, in every format, and nothing grows past its budget. */
import { decode } from "@toon-format/toon";
import { describe, expect, it } from "vitest";
import type { PlannedFile, RenamePlan } from "../../../src/core/code/rename-plan.ts";
import { describePlan } from "../../../src/mcp/tools/rename.ts";
import { FORMATS, type Format, renderAnswer } from "../../../src/surface/render/render.ts";
import { estimateTokens } from "../../../src/surface/render/text.ts";

/** Files with so many certain and likely edits. */
function planOf(
  counts: readonly (readonly [certain: number, likely: number])[],
  declarations = 1,
  folder = "src",
): RenamePlan {
  const edits = (count: number, from: number) =>
    Array.from({ length: count }, (_, at) => ({
      at: { line: from + at, column: 3 },
      oldText: "open",
      newText: "start",
    }));
  const files = counts.map(([certain, likely], at) => ({
    record: { id: `code:src/f${at}.ts`, hash: `hash${at}` },
    certain: edits(certain, 1),
    likely: edits(likely, certain + 1),
  })) as unknown as PlannedFile[];
  const symbols = Array.from({ length: declarations }, (_, at) => ({
    id: `code:${folder}/f0.ts#Store.open~${at + 1}`,
    record: { name: "open" },
  }));
  return {
    symbol: symbols[0],
    newName: "start",
    declarations: symbols,
    files,
    textOnly: { total: 0, places: [] },
    mentions: { total: 0, sections: [] },
    conflicts: [],
    gaps: [],
  } as unknown as RenamePlan;
}

async function render(plan: RenamePlan, format: Format, offset: number, maxTokens: number, limit = 50) {
  let next: number | undefined;
  const rendered = await renderAnswer(describePlan(plan, offset, limit), {
    format,
    maxTokens,
    highestMaxTokens: 10_000,
    origin: { commit: "none", builtAt: "" },
    now: 0,
    signCursor: async (at) => {
      next = at;
      return `c${at}`;
    },
  });
  return { texts: rendered.content.map(({ text }) => text), value: rendered.structuredContent, next };
}

/** `file:line` of the edits that an answer shows. */
function editsIn(format: Format, { texts, value }: Awaited<ReturnType<typeof render>>): string[] {
  if (format === "json") {
    const { files } = value as {
      files: { filePath: string; certain: { line: number }[]; likely: { line: number }[] }[];
    };
    return files.flatMap((one) => [...one.certain, ...one.likely].map(({ line }) => `${one.filePath}:${line}`));
  }
  if (format === "toon") {
    const files = Object.entries(decode(texts[0] ?? "") as Record<string, { edits?: { line: number }[] }>);
    return files.flatMap(([path, { edits }]) => (edits ?? []).map(({ line }) => `${path}:${line}`));
  }
  return texts
    .filter((text) => text.startsWith("src/"))
    .flatMap((text) => [...text.matchAll(/@(\d+):/g)].map(([, line]) => `${text.split(" ")[0]}:${line}`));
}

describe("a plan", () => {
  it.each(FORMATS)("gives each edit once, page by page, inside of large files too, as %s", async (format) => {
    const plan = planOf([
      [250, 40],
      [1, 0],
      [0, 3],
      [30, 1],
    ]);
    const found: string[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages++) {
      const page = await render(plan, format, offset, 500, 2);
      const shown = editsIn(format, page);
      expect(shown.length).toBeGreaterThan(0);
      found.push(...shown);
      offset = page.next;
    }
    const all = plan.files.flatMap(({ record, certain, likely }) =>
      [...certain, ...likely].map(({ at }) => `${record.id.slice("code:".length)}:${at.line}`),
    );
    expect(found).toEqual(all);
    expect(pages).toBeGreaterThan(2);
  });

  it.each(["json", "toon"] as const)("with thousands of declarations stays in its budget, as %s", async (format) => {
    const { texts } = await render(planOf([[3001, 0]], 3001), format, 0, 1000);
    expect(estimateTokens(texts.join("\n"))).toBeLessThanOrEqual(1000);
    expect(texts[0]).toMatch(/moreDeclarations"?: ?2991/);
  });

  it("names no declaration rather than no edit where there is hardly any room", async () => {
    const { value, next } = await render(planOf([[30, 0]], 3001, "deep/".repeat(30)), "json", 0, 400);
    expect(value).toMatchObject({ declarations: [], moreDeclarations: 3001, files: [{ filePath: "src/f0.ts" }] });
    expect(next).toBeGreaterThan(0);
  });
});
