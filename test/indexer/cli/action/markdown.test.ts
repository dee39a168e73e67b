/** Text of others is code in a summary: it mentions nobody, links nowhere and begins no HTML. */
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { codeSpan, formatTable } from "../../../../indexer/cli/action/run-action.ts";
import { runs } from "../../../support/runs.ts";

const markdown = new MarkdownIt({ html: true, linkify: true });
const hostile = fc
  .array(
    fc.constantFrom(
      "`",
      "``",
      "|",
      "\\",
      "<img src=x>",
      "@somebody",
      "https://evil.example",
      "[a](b)",
      "\n\n# ",
      "**",
      "-->",
      "&#64;",
      " ",
      "a",
      "\u202e",
      "é",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("a span of code", () => {
  it("is one span and nothing else, with the text in it", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = codeSpan(text);
        fc.pre(span !== "");
        const [inline, ...more] = markdown.parse(`see ${span} there`, {}).filter(({ type }) => type === "inline");
        expect(more).toEqual([]);
        const children = inline?.children ?? [];
        expect(children.map(({ type }) => type)).toEqual(["text", "code_inline", "text"]);
        const whole = text.replace(/\s+/g, " ").trim().replaceAll("\u202e", "\\u{202e}");
        expect(children[1]?.content.trim()).toBe(whole);
      }),
      { numRuns: runs(300) },
    );
  });

  it("ends no cell of a table", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tokens = markdown.parse(formatTable([["Name", codeSpan(text, true)]]).join("\n"), {});
        expect(tokens.filter(({ type }) => type === "td_open")).toHaveLength(2);
        const cell = tokens.filter(({ type }) => type === "inline").at(-1);
        const inside = (cell?.children ?? []).map(({ type }) => type);
        expect(inside).toEqual(codeSpan(text) === "" ? [] : ["code_inline"]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("is short, and none for no text", () => {
    expect(codeSpan("x".repeat(1000)).length).toBeLessThan(310);
    expect([codeSpan(""), codeSpan(" \n ")]).toEqual(["", ""]);
  });
});
