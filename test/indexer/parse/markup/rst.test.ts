/**
 * Tests of pages of reStructuredText: titles, sections with their lines, blocks, ids and links.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkup } from "../../../../indexer/parse/markup/parse.ts";
import type { ParsedDocument } from "../../../../indexer/parse/parsed-document.ts";
import { runs } from "../../../support/runs.ts";
import { codeOf, findPartitionFaults, headingsOf, linksOf, proseOf } from "../markdown/parsed.ts";

function parse(text: string, path = "guide/page.rst"): ParsedDocument {
  return parseMarkup({ path, text }).parsed;
}

const levelsOf = (text: string) =>
  parse(text).sections.map(({ title, level, startLine, endLine }) => [title, level, startLine, endLine]);

describe("titles of reStructuredText", () => {
  it("have levels in the order in which their adornments first occur", () => {
    const text = "====\nPage\n====\n\nA\n~~~\n\nB\n^^^\n\nC\n~~~\n\nOther\n=====\n";
    expect(levelsOf(text)).toEqual([
      ["Page", 0, 1, 4],
      ["A", 2, 5, 7],
      ["B", 3, 8, 10],
      ["C", 2, 11, 13],
      ["Other", 4, 14, 15],
    ]);
    expect(parse("Page\n====\n\n====\nOver\n====\n").sections[1]?.level).toBe(2);
  });

  it("are no text above a short line, a rule, a list item or a line in a paragraph", () => {
    expect(
      headingsOf(
        parse("Page\n====\n\nfoo\n--\n\n- item\n------\n\ntext\nmore\n----\n\n----\n\n1) a\nnext line\n---------\n"),
      ),
    ).toEqual([]);
    expect(parse("译者\n::\n\n   code\n\n标题\n====\n").title).toBe("标题");
  });

  it("are told from tables, and numbers begin them", () => {
    const page = parse("1. One\n======\n\n===  ===\na    b\n===  ===\nc    d\n===  ===\n\nNext\n====\n");
    expect(page.title).toBe("1. One");
    expect(headingsOf(page)).toEqual(["Next"]);
    expect(proseOf(page)).toEqual(["a b", "c d"]);
  });

  it("are the file's name where there are none", () => {
    expect(parse("text", "a/01-first-steps.rst").title).toBe("First steps");
  });
});

describe("blocks of reStructuredText", () => {
  it("are prose and code with the lines of the source", () => {
    const page = parse(
      "Page\n====\n\nText goes\non::\n\n    a = 1\n\n      b\n\n.. code-block:: Python\n   :caption: A file\n\n   import os\n\nEnd.\n",
    );
    expect(page.sections[0]?.blocks).toEqual([
      { kind: "prose", text: "Text goes on:", line: 4 },
      { kind: "code", text: "a = 1\n\n  b", line: 7 },
      { kind: "prose", text: "A file", line: 12 },
      { kind: "code", text: "import os", line: 14 },
      { kind: "prose", text: "End.", line: 16 },
    ]);
    expect(page.sections[0]?.codeLanguages).toEqual(["python"]);
    expect(page.sections[0]?.summary).toBe("Text goes on:");
  });

  it("leave out comments and what shows nothing", () => {
    const text =
      ".. a comment\n   goes on\n\n   here\n\n..\n\nshown\n\n.. contents::\n   :local:\n\n.. raw:: html\n\n   <b>\n\n.. index:: single: x\n";
    expect(proseOf(parse(text))).toEqual(["shown"]);
    expect(codeOf(parse(text))).toEqual([]);
  });

  it("are read in admonitions, lists, fields and definitions", () => {
    const text =
      ".. note:: Mind\n   this.\n\n   .. warning::\n      :class: x\n\n      Inner text.\n\n- one\n- two\n  goes on\n\n  ::\n\n     code\n\nterm\n   meaning\n\n:param x: first\n:param y: second\n\n.. versionadded:: 3.5\n";
    expect(proseOf(parse(text))).toEqual([
      "Mind this.",
      "Inner text.",
      "one",
      "two goes on",
      "term",
      "meaning",
      "param x: first",
      "param y: second",
      "Added in version 3.5",
    ]);
    expect(codeOf(parse(text))).toEqual(["code"]);
  });

  it("are rows of tables", () => {
    const grid = "+---+-----+\n| a | b   |\n|   | b2  |\n+===+=====+\n| c | d   |\n+---+-----+\n";
    expect(proseOf(parse(grid))).toEqual(["a b b2", "c d"]);
    expect(proseOf(parse("=== ===\nopen table\n\nText\n"))).toEqual(["open table", "Text"]);
  });

  it("describe objects of Sphinx, which have ids", () => {
    const page = parse(
      "os\n==\n\n.. module:: os\n\nFiles\n-----\n\n.. class:: Path(a)\n           Path(b)\n\n   Text.\n\n   .. method:: open(*args)\n      :async:\n\n      Opens.\n",
    );
    expect(proseOf(page)).toEqual(["os", "Path(a) Path(b)", "Text.", "open(*args)", "Opens."]);
    expect(page.ids).toEqual({ os: 0, "module-os": 0, files: 1, "os.Path": 1, "os.Path.open": 1 });
  });

  it("give properties of the page", () => {
    const text =
      ":orphan:\n\nPage\n====\n\n:Author: A B\n:Date: 2024\n\n.. meta::\n   :description lang=en: What it is\n   :language: de\n\nText.\n\n:author: no\n";
    expect(parse(text)).toMatchObject({
      description: "What it is",
      frontmatter: { author: "A B", date: "2024", language: "de" },
    });
    expect(proseOf(parse(text))).toEqual(["Text.", "author: no"]);
  });
});

describe("inline markup of reStructuredText", () => {
  it("is the text that a reader sees", () => {
    expect(
      proseOf(
        parse(
          "A *b* **c** ``d *e*`` :func:`~os.path.join` :meth:`!x` `plain` 2*3*4 \\*f\\* g\\ h |sub| [1]_ :pep:`8`\n\n.. |sub| replace:: put *in*\n",
        ),
      ),
    ).toEqual(["A b c d *e* join x plain 2*3*4 *f* gh put *in* PEP 8"]);
  });

  it("has links to addresses, pages, labels and files", () => {
    const text = [
      "`Site <https://a.example/x>`_ Name_ `two words`__ https://b.example/. :doc:`../intro` :doc:`Start </start>`",
      ":ref:`My_Label` :ref:`shown <label>` :download:`data.csv` `own`_ unknown_ snake_case_name",
      "",
      ".. _Name: https://n.example",
      ".. _own:",
      "",
      ".. toctree::",
      "   :maxdepth: 2",
      "",
      "   install",
      "   Use it <usage/index>",
      "   self",
      "",
      ".. include:: other.rst",
    ].join("\n");
    expect(linksOf(parse(text))).toEqual([
      ["https://a.example/x", "Site"],
      ["https://n.example", "Name"],
      ["https://b.example/", "https://b.example/"],
      ["../intro", "../intro"],
      ["/start", "Start"],
      ["ref:my_label", "My_Label"],
      ["ref:label", "shown"],
      ["data.csv", "data.csv"],
      ["#own", "own"],
      ["install", ""],
      ["usage/index", "Use it"],
      ["other.rst", "other.rst"],
    ]);
  });

  it("makes anchors as docutils does, and ids of labels", () => {
    const page = parse(
      "Page\n====\n\n.. _My_Label:\n\n2. Über C++\n-----------\n\n.. _again:\n\nSame\n----\n\nSame\n----\n\n.. _here:\n\nText.\n",
    );
    expect(page.sections.map(({ anchor }) => anchor)).toEqual(["", "uber-c", "same", "same-1"]);
    expect(page.ids).toMatchObject({ page: 0, my_label: 1, "my-label": 1, again: 2, here: 3 });
  });
});

describe("hostile reStructuredText", () => {
  it("makes sections that share out the lines, whatever the text", () => {
    const piece = fc.constantFrom(
      "=",
      "-",
      "==== ====",
      "+--+",
      "| a",
      ".. x::",
      ".. _a:",
      "..",
      "::",
      "`",
      "``",
      "*",
      "**",
      "|",
      " ",
      "   ",
      "\n",
      "\n\n",
      "text",
      ":a:",
      "- ",
      "\t",
      "\\",
      "_",
      "__",
      ">>>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        expect(findPartitionFaults(parse(text), text)).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});
