/**
 * Tests of plain text and of notebooks as pages.
 */
import { describe, expect, it } from "vitest";
import { parseMarkup } from "../../../../indexer/parse/markup/parse.ts";
import { codeOf, headingsOf, proseOf } from "../markdown/parsed.ts";

const parse = (path: string, text: string) => parseMarkup({ path, text });

describe("plain text", () => {
  it("is paragraphs below underlined titles, with nothing taken for markup", () => {
    const { parsed, text } = parse(
      "a.txt",
      "The guide\n\nSome *text* `x`_\n.. note:: goes on\n\nPart\n====\n\n- item::\n\n   more\n",
    );
    expect(parsed.title).toBe("The guide");
    expect(proseOf(parsed)).toEqual(["Some *text* `x`_ .. note:: goes on", "- item::", "more"]);
    expect(parsed.sections.map(({ title, startLine }) => [title, startLine])).toEqual([
      ["The guide", 1],
      ["Part", 6],
    ]);
    expect(text).toContain(".. note::");
  });

  it("has its first line as title where it stands alone and ends no sentence", () => {
    expect(parse("the-name.txt", "A sentence alone.\n\nMore.\n").parsed.title).toBe("The name");
    expect(parse("x.txt", "\n\nNAME\n----\n\ntext\n").parsed.title).toBe("NAME");
  });

  it("is reStructuredText where Sphinx gave it that ending", () => {
    expect(proseOf(parse("_sources/a.rst.txt", "A\n=\n\n*b*\n").parsed)).toEqual(["b"]);
  });
});

describe("a notebook", () => {
  const cell = (type: string, ...source: string[]) => ({ cell_type: type, metadata: {}, source });
  const notebook = (cells: unknown[], rest: object = {}) =>
    JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "python" } }, cells, ...rest });

  it("is the Markdown of its cells, without what they put out", () => {
    const code = { ...cell("code", "s = '''\n", "```\n", "'''\n"), outputs: [{ text: "hidden" }] };
    const { parsed, text } = parse(
      "n.ipynb",
      notebook([
        cell("markdown", "# Title\n", "\n", "Text.\n", "```\n", "open"),
        code,
        cell("raw", "hidden"),
        { cell_type: "markdown", source: "## Next: Part" },
      ]),
    );
    expect(parsed.title).toBe("Title");
    expect(headingsOf(parsed)).toEqual(["Next: Part"]);
    expect(parsed.ids).toEqual({ Title: 0, "Next:-Part": 1 });
    expect(codeOf(parsed)).toEqual(["open", "s = '''\n```\n'''"]);
    expect(parsed.sections[0]?.codeLanguages).toEqual(["python"]);
    expect(text).not.toContain("hidden");
    expect(text.split("\n")[(parsed.sections[1]?.startLine ?? 0) - 1]).toBe("## Next: Part");
    expect(parsed.diagnostics).toEqual([]);
  });

  it("may begin with frontmatter, and shows no pictures as text", () => {
    const { parsed, text } = parse(
      "n.ipynb",
      notebook([
        cell("raw", "---\n", "title: T\n", "lang: de\n", "---"),
        cell("markdown", `![x](data:image/png;base64,${"A".repeat(5000)})`),
      ]),
    );
    expect(parsed).toMatchObject({ title: "T", frontmatter: { lang: "de" } });
    expect(text.length).toBeLessThan(200);
  });

  it("is one diagnostic and a name where it is anything else", () => {
    for (const text of ["", "{", "[]", '{"nbformat": 3, "worksheets": []}', '{"nbformat": 4, "cells": {}}']) {
      const { parsed } = parse("my-notes.ipynb", text);
      expect(parsed.title).toBe("My notes");
      expect(parsed.diagnostics).toMatchObject([{ code: "notebook-unread", path: "my-notes.ipynb", line: 1 }]);
    }
    const odd = [
      null,
      1,
      {},
      { cell_type: "markdown" },
      { cell_type: "markdown", source: 5 },
      { cell_type: "code", source: [1, "a"] },
    ];
    expect(codeOf(parse("n.ipynb", notebook(odd, { metadata: [] })).parsed)).toEqual(["a"]);
  });
});
