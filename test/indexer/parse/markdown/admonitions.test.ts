/**
 * Tests of the fences of admonitions.
 */
import { describe, expect, it } from "vitest";
import { headingsOf, parsePage, proseOf } from "./parsed.ts";

describe("admonitions", () => {
  it.each([
    [":::note", []],
    [":::", []],
    ["::: tip Do this", ["Do this"]],
    [":::tip[Do **this**]", ["Do **this**"]],
    [":::note[Title]{#id .class}", ["Title"]],
    ["::::details Click {open}", ["Click"]],
  ])("show of the fence %j only its title", (fence, title) => {
    expect(proseOf(parsePage(`a\n${fence}\nb\n:::\nc\n`))).toEqual(["a", ...title, "b", "c"]);
  });

  it("have Markdown inside", () => {
    expect(headingsOf(parsePage(":::note\n## A\n:::\n"))).toEqual(["A"]);
  });

  it("are not any line that begins with colons", () => {
    expect(proseOf(parsePage(":: a\n\n:::b!\n"))).toEqual([":: a", ":::b!"]);
  });
});
