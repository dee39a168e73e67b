/**
 * Tests of the scanner for HTML and JSX tags.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMarkupEnd, isComponentName, openScanBudget, scanTag } from "../../../../indexer/parse/markdown/tag.ts";

function scan(text: string) {
  return scanTag(text, 0, text.length, openScanBudget());
}

describe("scanTag", () => {
  it.each([
    ["<a>", "open", "a"],
    ["<Tabs.Item>", "open", "Tabs.Item"],
    ["<my-element>", "open", "my-element"],
    ["</a>", "close", "a"],
    ["</a >", "close", "a"],
    ["<a/>", "empty", "a"],
    ["<a />", "empty", "a"],
    ["<br>", "empty", "br"],
    ["<Link>", "open", "Link"],
    ["<>", "open", ""],
    ["</>", "close", ""],
    ["<a\nb\n>", "open", "a"],
    ["<a {...b}>", "open", "a"],
    ["<a b={() => c > d}>", "open", "a"],
  ])("reads %j as %s %j", (text, kind, name) => {
    expect(scan(text)).toMatchObject({ kind, name, end: text.length });
  });

  it.each([
    ["<"],
    ["<a"],
    ["<a b"],
    ["< a>"],
    ["<1>"],
    ["<a b=>"],
    ['<a b="c>'],
    ["<a b={c>"],
    ["<a/b>"],
    ["<a&>"],
    ["</"],
    ['<a b="c"d>'],
  ])("finds no tag in %j", (text) => {
    expect(scan(text)).toBeUndefined();
  });

  it("reads attributes with string values, however they are written", () => {
    const tag = scan(`<a One="1 > 0" two='2' three=3 four={"4"} five={six} seven {/* x */} onEight="">`);
    expect([...(tag?.attributes ?? [])]).toEqual([
      ["one", "1 > 0"],
      ["two", "2"],
      ["three", "3"],
      ["four", "4"],
      ["five", ""],
      ["oneight", ""],
    ]);
  });

  it("knows a tag with braces for JSX", () => {
    expect(scan("<div style={a}>")?.hasBraces).toBe(true);
    expect(scan('<div style="a">')?.hasBraces).toBe(false);
  });

  it("does not read beyond the limit", () => {
    expect(scanTag("<a>", 0, 2, openScanBudget())).toBeUndefined();
  });

  it("finds tags or none in any text, and never ends beyond it", () => {
    const part = fc.constantFrom("<", ">", "/", "a", "B", "=", '"', "'", "{", "}", " ", "\n", ".", "!", "-");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = `<${parts.join("")}`;
        const tag = scan(text);
        if (tag !== undefined) expect(text[tag.end - 1]).toBe(">");
      }),
    );
  });
});

describe("findMarkupEnd", () => {
  it.each([
    ["<!-- a --> b", 10],
    ["<!--> a", 5],
    ["<!---> a", 6],
    ["<?a?> b", 5],
    ["<!DOCTYPE a> b", 12],
    ["<![CDATA[a]]> b", 13],
    ["<!-- a", -1],
    ["<a>", -1],
    ["<! a>", -1],
  ])("finds the end of %j at %i", (text, end) => {
    expect(findMarkupEnd(text, 0, text.length, openScanBudget())).toBe(end);
  });
});

describe("isComponentName", () => {
  it("tells components from HTML elements by their first letter, and old HTML by capitals alone", () => {
    expect(["Note", "Tabs.Item", ""].map(isComponentName)).toEqual([true, true, true]);
    expect(["div", "my-element", "TABLE", "H2"].map(isComponentName)).toEqual([false, false, false, false]);
  });
});
