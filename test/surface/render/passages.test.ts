import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToLines, fence, type Passage, passageForms } from "../../../src/surface/render/passages.ts";
import { estimateTokens } from "../../../src/surface/render/text.ts";

const readOn = ({ nodeId }: Passage, fromLine: number): string => `read(${nodeId}, ${fromLine})`;

function passage(text: string, startLine = 1): Passage {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const place = { startLine, endLine: startLine + lines - 1 };
  return { nodeId: "d:a.md#b", headingPath: ["A", "B"], url: "", ...place, text, sections: [] };
}

describe("fence", () => {
  it("has more backticks than the text has in a row", () => {
    expect(fence("a\n")).toBe("```\na\n```");
    expect(fence("```\na\n```\n")).toBe("````\n```\na\n```\n````");
    expect(fence("no line feed")).toBe("```\nno line feed\n```");
    expect(fence("")).toBe("```\n```");
  });

  it("is not closed by anything in the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "a", "\n", " ") }), (text) => {
        const [open, ...rest] = fence(text).split("\n");
        const close = rest.pop();
        expect(close).toBe(open);
        expect(rest.some((line) => line.includes(open as string))).toBe(false);
      }),
    );
  });
});

describe("cutToLines", () => {
  it("cuts at the end of a line", () => {
    expect(cutToLines("one\ntwo\nthree\n", 2)).toEqual({ text: "one\ntwo\n", lines: 2, charactersLeft: 0 });
    expect(cutToLines("one\ntwo", 100)).toEqual({ text: "one\ntwo", lines: 2, charactersLeft: 0 });
  });

  it("cuts inside a first line that is too long, and counts what it lost", () => {
    expect(cutToLines("a".repeat(1000), 10)).toEqual({ text: "a".repeat(40), lines: 1, charactersLeft: 960 });
  });
});

describe("passageForms", () => {
  it("shows whole passages under their headers", () => {
    const [whole] = passageForms([passage("x\ny\n", 7)], readOn);
    expect(whole.blocks()).toEqual(["d:a.md#b @7-8 A > B\n```\nx\ny\n```"]);
    expect(whole.more).toBeUndefined();
  });

  it("tells which sections it shows whole", () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join("");
    const sections = [
      { nodeId: "d:a.md#n1", startLine: 1, endLine: 12 },
      { nodeId: "d:a.md#n2", startLine: 13, endLine: 40 },
      { nodeId: "d:a.md#n3", startLine: 41, endLine: 60 },
    ];
    const [whole, headers] = passageForms([{ ...passage(text, 11), sections }], readOn);
    // The first began before these lines.
    expect(whole.sections?.(1)).toEqual(["d:a.md#n2", "d:a.md#n3"]);
    expect(whole.shorten?.(80)?.sections?.(1)).toEqual([]);
    expect(headers.sections).toBeUndefined();
  });

  it("says how many lines are left, and where to read on, in both formats", () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join("");
    const [whole] = passageForms([passage(text)], readOn);
    const cut = whole.shorten?.(80);
    expect(cut?.blocks()[0]).toMatch(/^d:a\.md#b @1-(\d+) of 1-50 A > B\n/);
    const [section] = (cut?.json(1).sections ?? []) as { endLine: number; linesLeft: number; nextLines: string }[];
    const endLine = section?.endLine ?? 0;
    expect(section).toMatchObject({ linesLeft: 50 - endLine, nextLines: `${endLine + 1}-50` });
    expect(cut?.more).toBe(`Left: lines ${endLine + 1}-50: read(d:a.md#b, ${endLine + 1}).`);
  });

  it("says how much a line lost that is longer than the budget, and reads on behind it", () => {
    const [whole] = passageForms([passage(`${"a".repeat(10_000)}\nb\n`)], readOn);
    expect(whole.shorten?.(200)?.more).toMatch(/^Left: 9,\d{3} characters of line 1; line 2: read\(d:a\.md#b, 2\)\.$/);
    const [only] = passageForms([passage("a".repeat(10_000))], readOn);
    expect(only.shorten?.(200)?.more).toMatch(/^Left: 9,\d{3} characters of line 1\.$/);
    expect(only.shorten?.(200)?.json(1)).toMatchObject({
      sections: [{ endLine: 1, charactersLeft: expect.any(Number) }],
    });
  });

  it("shows no text where too little of it would fit", () => {
    const [whole, headers] = passageForms([passage("a\n".repeat(500))], readOn);
    expect(whole.shorten?.(40)).toBeUndefined();
    expect(headers?.blocks()).toEqual(["d:a.md#b @1-500 A > B"]);
  });

  it("keeps what it shortens within the budget, whatever the texts are", () => {
    const anyText = fc.array(fc.string({ maxLength: 60 }), { maxLength: 60 }).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(
        fc.array(anyText, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 50, max: 900 }),
        (texts, budget) => {
          const [whole] = passageForms(
            texts.map((text) => passage(text)),
            readOn,
          );
          const cut = whole.shorten?.(budget);
          const tokens = (cut?.blocks() ?? []).reduce((sum, block) => sum + estimateTokens(block), 0);
          expect(tokens).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });
});
