/**
 * Tests of pages of AsciiDoc: titles, sections with their lines, blocks, ids and links.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkup } from "../../../../indexer/parse/markup/parse.ts";
import type { ParsedDocument } from "../../../../indexer/parse/parsed-document.ts";
import { runs } from "../../../support/runs.ts";
import { codeOf, findPartitionFaults, headingsOf, linksOf, proseOf } from "../markdown/parsed.ts";

function parse(text: string, path = "guide/page.adoc"): ParsedDocument {
  return parseMarkup({ path, text }).parsed;
}

describe("titles of AsciiDoc", () => {
  it("open sections with the lines and anchors of the source", () => {
    const text =
      "= Page\nA. Author <a@b.c>\nv1\n:lang: de\n\nText.\n\n== One Two\n\n=== Three-C++!\n\n[#own]\n== One Two\n\n== One Two [[other,x]]\n";
    const page = parse(text);
    expect(page.sections.map(({ title, level, anchor, startLine }) => [title, level, anchor, startLine])).toEqual([
      ["Page", 0, "", 1],
      ["One Two", 2, "_one_two", 8],
      ["Three-C++!", 3, "_three_c", 10],
      ["One Two", 2, "own", 13],
      ["One Two", 2, "other", 15],
    ]);
    expect(page.frontmatter).toEqual({ lang: "de" });
    expect(proseOf(page)).toEqual(["Text."]);
  });

  it("may be underlined, and are none in blocks or over delimiters", () => {
    expect(
      headingsOf(
        parse(
          "git-add(1)\n==========\n\nNAME\n----\ntext\n\n----\n== no\n----\n\n.Title\n======\ninside\n======\n\n[discrete]\n== Apart\n",
        ),
      ),
    ).toEqual(["NAME"]);
  });

  it("take the signs of anchors that the page sets", () => {
    expect(
      parse("= P\n:idprefix:\n:idseparator: -\n\n== A b. c\n\n== A b. c\n").sections.map(({ anchor }) => anchor),
    ).toEqual(["", "a-b-c", "a-b-c-2"]);
  });

  it("come behind frontmatter", () => {
    const page = parse("---\ntitle: Mine\ntags: [a]\n---\n== One\n");
    expect(page).toMatchObject({ title: "Mine", bodyStartLine: 5, frontmatter: { tags: ["a"] } });
    expect(page.sections[1]?.startLine).toBe(5);
  });
});

describe("blocks of AsciiDoc", () => {
  it("are prose and code", () => {
    const page = parse(
      [
        "[source,Ruby]",
        "----",
        "puts 1",
        "",
        "== no",
        "----",
        "",
        "NOTE: Mind this.",
        "",
        "* one",
        "** two",
        "goes on",
        "+",
        "attached",
        "",
        "term:: meaning",
        "",
        "// comment",
        "////",
        "hidden",
        "////",
        "====",
        "inside",
        "====",
        "",
        "```js",
        "let a;",
        "```",
        "",
        " literal",
        "",
        "|===",
        "|a |b",
        "2+|c",
        "|===",
        "",
        "image::x.png[Alt, 200]",
        "++++",
        "<b>",
        "++++",
        "ifdef::x[]",
        "shown",
        "endif::[]",
      ].join("\n"),
    );
    expect(proseOf(page)).toEqual([
      "Mind this.",
      "one",
      "two goes on",
      "attached",
      "term meaning",
      "inside",
      "a b",
      "c",
      "Alt",
      "shown",
    ]);
    expect(codeOf(page)).toEqual(["puts 1\n\n== no", "let a;", "literal"]);
    expect(page.sections[0]?.codeLanguages).toEqual(["ruby", "js"]);
    expect(page.sections[0]?.blocks.map(({ line }) => line)).toEqual([
      3, 8, 10, 11, 14, 16, 23, 27, 30, 33, 34, 37, 42,
    ]);
  });
});

describe("inline markup of AsciiDoc", () => {
  it("is the text that a reader sees", () => {
    const text =
      ":name: Treeline\n\n{name} {unknown} *b* _i_ `code *x*` **u**nbound #m# snake_case_name 2*3*4 \\*no* `+{name}+` ((term)) (((hidden))) kbd:[Ctrl] x^2^ footnote:[Foot.]";
    expect(proseOf(parse(text))).toEqual([
      "Treeline {unknown} b i code *x* unbound m snake_case_name 2*3*4 *no* {name} term Ctrl x2 (Foot.)",
    ]);
  });

  it("has links to pages, places and addresses", () => {
    const text =
      "https://a.example/b[Site^] https://c.example. link:x.html[X, window=_blank] xref:other.adoc#sec[Other] <<here,There>> <<here>> <<p.adoc#>> linkgit:git-add[1]\n\ninclude::part.adoc[]\n\n[[here]]\nText\n";
    expect(linksOf(parse(text))).toEqual([
      ["https://a.example/b", "Site"],
      ["https://c.example", "https://c.example"],
      ["x.html", "X"],
      ["other.adoc#sec", "Other"],
      ["#here", "There"],
      ["#here", "here"],
      ["p.adoc#", "p.adoc"],
      ["git-add", "git-add(1)"],
      ["part.adoc", "part.adoc"],
    ]);
    expect(parse(text).ids).toEqual({ here: 0 });
  });

  it("counts cross-references of Antora from the folder of pages", () => {
    const hrefs = (text: string) => linksOf(parse(text, "docs/modules/ROOT/pages/a/b.adoc")).map(([href]) => href);
    expect(hrefs("xref:c.adoc[] xref:cli:d.adoc#x[] xref:#own[]")).toEqual([
      "/docs/modules/ROOT/pages/c.adoc",
      "/docs/modules/cli/pages/d.adoc#x",
      "#own",
    ]);
  });
});

describe("hostile AsciiDoc", () => {
  it("makes sections that share out the lines, whatever the text", () => {
    const piece = fc.constantFrom(
      "=",
      "== a",
      "----",
      "....",
      "|===",
      "--",
      "[[a]]",
      "[",
      "]",
      "{a}",
      ":a: b",
      "::",
      "`",
      "*",
      "_",
      "<<",
      ">>",
      " ",
      "\n",
      "\n\n",
      "text",
      "* ",
      "+",
      "```",
      "////",
      "link:",
      "\\",
      "---\n",
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
