import { describe, expect, it } from "vitest";
import { writeMarkdown } from "../../../src/http/explorer/markdown.ts";

/** A line behind a paragraph. */
const write = (line: string): string => writeMarkdown(`x\n\n${line}`, () => undefined).toString();

describe("a heading", () => {
  it.each([
    ["# a", "a"],
    ["   ###### a b ##  ", "a b"],
    ["# C#", "C#"],
  ])("%j has the text %j", (line, text) => expect(write(line)).toContain(`<strong>${text}</strong>`));

  it.each(["#", "## ##"])("%j is empty", (line) => expect(write(line)).toBe(`<p dir="auto">x</p>`));

  it.each(["#a", "    # a", "####### a"])("%j is none", (line) => expect(write(line)).not.toContain("<strong>"));
});

describe("the rule of a table", () => {
  it.each(["|---|", "--|--", " | :-- | :-: | ", ":-:|-", "|-|-"])("is %j", (line) => {
    expect(write(`a | b\n${line}`)).toContain("<table>");
  });

  it.each(["|a|-|", "--|:", "-- --|--", "| |--|", "||"])("is not %j", (line) => {
    expect(write(`a | b\n${line}`)).not.toContain("<table>");
  });
});
