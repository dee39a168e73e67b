import { describe, expect, it } from "vitest";
import type { Answer, AnswerForm } from "../../../src/surface/render/answer.ts";
import { formatOrigin, renderAnswer, renderProblem } from "../../../src/surface/render/render.ts";
import { estimateTokens } from "../../../src/surface/render/text.ts";

type RenderOptions = Parameters<typeof renderAnswer>[1];

const COMMIT = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
const BUILT = "2026-01-01T00:00:00Z";
const NOW = Date.parse("2026-01-01T02:00:00Z");
const LAST_LINE = "built 2 h ago from 1a2b3c4";

const text: RenderOptions = {
  format: "text",
  maxTokens: 3000,
  highestMaxTokens: 6000,
  origin: { commit: COMMIT, builtAt: BUILT },
  now: NOW,
  signCursor: async (offset) => `c${offset}`,
};
const json: RenderOptions = { ...text, format: "json" };

/** Forms of a list of documents whose full entries have `size` characters. */
function listOf(count: number, size: number): Answer["forms"] {
  const ids = Array.from({ length: count }, (_, index) => `d${index}`);
  const titles: AnswerForm = {
    detail: "titles",
    blocks: () => ids,
    json: (shown) => ({ documents: ids.slice(0, shown).map((id) => ({ id })) }),
    keepAtLeast: 3,
    more: "Ask for fewer documents with limit.",
  };
  return [
    {
      detail: "full entries",
      blocks: () => ids.map((id) => `${id} ${"x".repeat(size)}`),
      json: (shown) => ({ documents: ids.slice(0, shown).map((id) => ({ id, body: "x".repeat(size) })) }),
    },
    titles,
    { detail: "counts", blocks: () => [`${count} in all`], json: () => ({ count }), perItem: false },
  ];
}

function textsOf({ content }: { content: { text: string }[] }): string[] {
  return content.map((block) => block.text);
}

describe("pages with places of their own", () => {
  const none: AnswerForm = { detail: "results", blocks: () => [], json: () => ({ results: [] }) };
  const pageOf = (forms: Answer["forms"], positions: readonly number[], total = 40): Answer => ({
    summary: "Found.",
    forms,
    page: { offset: 8, total, items: "documents", positions },
  });

  it("go on where the next result stands, not where the last one shown was", async () => {
    const { content } = await renderAnswer(pageOf(listOf(3, 1), [9, 12, 20, 31]), text);
    expect(textsOf({ content }).join("\n")).toContain('cursor "c31"');
    const { structuredContent } = await renderAnswer(pageOf(listOf(3, 1), [9, 12, 20, 31]), json);
    expect(structuredContent).toMatchObject({ nextCursor: "c31" });
  });

  it("go on when everything on them was passed over, and end where nothing is left", async () => {
    expect((await renderAnswer(pageOf([none], [20]), json)).structuredContent).toMatchObject({ nextCursor: "c20" });
    expect((await renderAnswer(pageOf([none], [8]), json)).structuredContent).not.toHaveProperty("nextCursor");
    expect((await renderAnswer(pageOf([none], [20], 8), json)).structuredContent).not.toHaveProperty("nextCursor");
    expect(textsOf(await renderAnswer(pageOf([none], [20]), text)).join("\n")).not.toContain("Shown");
  });
});

describe("renderAnswer in text", () => {
  it("strips invisible characters from the summary too", async () => {
    const { content } = await renderAnswer({ summary: "Title\u202e \u001b[31mred", forms: listOf(1, 1) }, text);
    expect(JSON.stringify(content)).not.toMatch(/202e|001b/i);
    expect(JSON.stringify(content)).toContain("Title [31mred");
  });

  it("sends the summary, one block an item, notes, and last the commit with its age", async () => {
    const answer: Answer = {
      summary: "Found 2.",
      forms: listOf(2, 1),
      notes: ["limit 500 was cut to 100, the maximum."],
    };
    const rendered = await renderAnswer(answer, text);
    expect(textsOf(rendered)).toEqual([
      "Found 2.",
      "d0 x",
      "d1 x",
      "limit 500 was cut to 100, the maximum.",
      LAST_LINE,
    ]);
    expect(rendered.structuredContent).toBeUndefined();
  });

  it("degrades to titles and says what is missing and how to get it", async () => {
    const rendered = await renderAnswer({ summary: "Found 50.", forms: listOf(50, 400) }, text);
    const texts = textsOf(rendered);
    expect(texts[1]).toBe("d0");
    expect(texts.at(-2)).toContain("Only titles fit into 3000 tokens.");
    expect(texts.at(-2)).toContain("Ask for fewer documents with limit.");
    expect(texts.at(-2)).toContain("raise max_tokens, up to 6000");
    expect(texts.at(-1)).toBe(LAST_LINE);
  });

  it("gives a cursor that continues after what was shown, not after what was asked for", async () => {
    const page = { offset: 20, total: 500, items: "documents" };
    const rendered = await renderAnswer({ summary: "s", forms: listOf(400, 400), page }, { ...text, maxTokens: 200 });
    const texts = textsOf(rendered);
    const shown = texts.filter((line) => /^d\d+$/.test(line)).length;
    expect(shown).toBeGreaterThan(3);
    expect(texts.at(-2)).toContain(`Shown 21–${20 + shown} of 500 documents.`);
    expect(texts.at(-2)).toContain(`cursor "c${20 + shown}"`);
  });

  it("gives a cursor where a page has no result and further ones may have some", async () => {
    const page = { offset: 40, total: 90, items: "documents", positions: [52] };
    const rendered = await renderAnswer({ summary: "s", forms: listOf(0, 1), page }, text);
    const texts = textsOf(rendered);
    expect(texts.at(-2)).toContain("None of the documents 41–52 matches");
    expect(texts.at(-2)).toContain('cursor "c52"');
    const end = { offset: 52, total: 52, items: "documents", positions: [60] };
    const last = await renderAnswer({ summary: "s", forms: listOf(0, 1), page: end }, text);
    expect(textsOf(last)).toEqual(["s", LAST_LINE]);
  });

  it("gives no cursor on the last page", async () => {
    const page = { offset: 8, total: 10, items: "documents" };
    const rendered = await renderAnswer({ summary: "s", forms: listOf(2, 1), page }, text);
    expect(textsOf(rendered)).toEqual(["s", "d0 x", "d1 x", LAST_LINE]);
  });

  it("stays within the budget, whatever the number and size of items", async () => {
    for (const count of [0, 1, 7, 100]) {
      for (const size of [1, 300, 5000]) {
        for (const maxTokens of [150, 300, 1000, 6000]) {
          const page = { offset: 0, total: 1000, items: "documents" };
          const rendered = await renderAnswer(
            { summary: "s", forms: listOf(count, size), page },
            { ...text, maxTokens },
          );
          expect(estimateTokens(textsOf(rendered).join(""))).toBeLessThanOrEqual(maxTokens);
        }
      }
    }
  });

  it("cuts the text of a single item that does not fit in any form", async () => {
    const body = "word ".repeat(5000);
    const only: AnswerForm = {
      detail: "full text",
      blocks: () => [body],
      json: () => ({ body }),
      more: "Read it by lines.",
    };
    const rendered = await renderAnswer({ summary: "One section.", forms: [only] }, { ...text, maxTokens: 500 });
    const texts = textsOf(rendered);
    expect(texts[1]?.length).toBeGreaterThan(1000);
    expect(texts.at(-2)).toContain("Read it by lines.");
    expect(estimateTokens(texts.join(""))).toBeLessThanOrEqual(500);
  });

  it("strips invisible characters and says so, and keeps them in raw text and says that", async () => {
    const form: AnswerForm = { detail: "full text", blocks: () => ["a\u202eb"], json: () => ({ text: "a\u202eb" }) };
    const stripped = textsOf(await renderAnswer({ summary: "s", forms: [form] }, text));
    expect(stripped).toContain("ab");
    expect(stripped).toContain("1 invisible or direction-changing character removed from the text.");
    const raw = textsOf(await renderAnswer({ summary: "s", forms: [{ ...form, raw: true }] }, text));
    expect(raw).toContain("a\u202eb");
    expect(raw).toContain("The text holds 1 invisible or direction-changing character.");
  });

  it("says that the age is unknown where there is no commit", async () => {
    const origin = { commit: "none", builtAt: "" };
    expect(textsOf(await renderAnswer({ summary: "s", forms: listOf(1, 1) }, { ...text, origin })).at(-1)).toBe(
      "built at an unknown time, no commit",
    );
  });
});

describe("renderAnswer in JSON", () => {
  it("sends one object as text and as structured content, with the generation, and last the commit line", async () => {
    const rendered = await renderAnswer({ summary: "Found 2.", forms: listOf(2, 1), notes: ["n"] }, json);
    const expected = {
      documents: [
        { id: "d0", body: "x" },
        { id: "d1", body: "x" },
      ],
      notes: ["n"],
      generation: { commit: COMMIT, builtAt: BUILT, ageSeconds: 7200 },
    };
    expect(rendered.structuredContent).toEqual(expected);
    expect(JSON.parse(rendered.content[0]?.text ?? "")).toEqual(expected);
    expect(rendered.content.at(-1)?.text).toBe(LAST_LINE);
  });

  it("degrades and pages like text", async () => {
    const page = { offset: 0, total: 400, items: "documents" };
    const rendered = await renderAnswer({ summary: "s", forms: listOf(400, 400), page }, { ...json, maxTokens: 400 });
    const value = rendered.structuredContent as { documents: object[]; leftOut: string; nextCursor: string };
    expect(value.documents.length).toBeGreaterThan(3);
    expect(value.nextCursor).toBe(`c${value.documents.length}`);
    expect(value.leftOut).toContain("Only titles fit");
    expect(estimateTokens(rendered.content[0]?.text ?? "")).toBeLessThanOrEqual(400);
  });
});

describe("what corpora put into calls and notes", () => {
  it("is stripped of invisible characters there, too", async () => {
    const form: AnswerForm = { ...listOf(400, 40)[1], more: "Read \u202eb.ts." } as AnswerForm;
    for (const format of ["text", "toon", "json"] as const) {
      const options = { ...text, format, maxTokens: 300 };
      const { content } = await renderAnswer({ summary: "s", forms: [form], notes: ["Of \u202ea.ts."] }, options);
      const all = textsOf({ content }).join("\n");
      expect(all).toContain("Of a.ts.");
      expect(all).toContain("Read b.ts.");
    }
  });
});

describe("raw texts", () => {
  it("are the first block, also where they are empty", async () => {
    const raw = (body: string): AnswerForm => ({ detail: "text", blocks: () => [body], json: () => ({}), raw: true });
    for (const body of ["", "a\u202e"]) {
      const { content } = await renderAnswer({ summary: "", forms: [raw(body)] }, text);
      expect(textsOf({ content })[0]).toBe(body);
      expect(content.at(-1)?.text).toBe(LAST_LINE);
    }
  });
});

describe("renderProblem", () => {
  it("marks the result as an error and names the commit where one is open", () => {
    const problem = { kind: "bad-input", message: "wrong\u202e", nearest: ["right"], example: "f(1)" } as const;
    expect(renderProblem(problem, text.origin, NOW)).toEqual({
      isError: true,
      content: [
        { type: "text", text: "wrong\nDid you mean: right?\nExample: f(1)" },
        { type: "text", text: LAST_LINE },
      ],
    });
    expect(renderProblem(problem, undefined, NOW).content).toHaveLength(1);
  });
});

describe("formatOrigin", () => {
  it.each([
    [{}, "built 2 h ago from 1a2b3c4"],
    [{ committedAt: "2026-08-21T10:00:00Z" }, "built 2 h ago from 1a2b3c4 of 21 Aug"],
    [
      { committedAt: "2025-12-31T10:00:00Z", dirty: true as const },
      "built 2 h ago from 1a2b3c4 of 31 Dec 2025 with changes",
    ],
    [{ commit: "v1.2" }, "built 2 h ago from v1.2"],
    [{ commit: "none", builtAt: "" }, "built at an unknown time, no commit"],
  ])("says when it was built and from which state of the files: %j", (origin, line) => {
    expect(formatOrigin({ origin: { commit: COMMIT, builtAt: BUILT, ...origin }, now: NOW })).toBe(line);
  });
});
