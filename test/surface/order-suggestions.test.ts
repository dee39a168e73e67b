import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderSuggestions } from "../../src/surface/order-suggestions.ts";
import { runs } from "../support/runs.ts";

function order(query: string, texts: readonly string[], limit = 10): string[] {
  return orderSuggestions(query, texts, limit).map((at) => texts[at] as string);
}

describe("orderSuggestions", () => {
  it("takes texts that hold every word, the typed ones perhaps only begun, in any order", () => {
    const texts = ["getting started", "starting over", "to get it started", "none", "started"];
    expect(order("get st", texts).sort()).toEqual(["getting started", "to get it started"]);
    expect(order("st get", texts).sort()).toEqual(["getting started", "to get it started"]);
  });

  it("puts words that stand early first, and leaves equally good texts in their order", () => {
    expect(order("get", ["one two three get", "getting b", "getting a"])).toEqual([
      "getting b",
      "getting a",
      "one two three get",
    ]);
  });

  it("has none for no word, of no texts, and for words that every object has", () => {
    expect(order("", ["a"])).toEqual([]);
    expect(order(" ", ["a"])).toEqual([]);
    expect(order("a", [])).toEqual([]);
    expect(order("__proto__", ["a", "__proto__ b"])).toEqual(["__proto__ b"]);
    expect(order("constructor", ["a", "constructor b"])).toEqual(["constructor b"]);
  });

  it("finds what looking at every word of every text finds", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "日", "é"), minLength: 1, maxLength: 4 });
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const query = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(query, fc.array(text, { maxLength: 12 }), (typed, texts) => {
        const expected = texts.flatMap((one, at) =>
          typed.split(" ").every((part) => one.split(" ").some((whole) => whole.startsWith(part))) ? [at] : [],
        );
        expect([...orderSuggestions(typed, texts, 100)].sort((a, b) => a - b)).toEqual(expected);
        expect(orderSuggestions(typed, texts, 2).length).toBe(Math.min(2, expected.length));
      }),
      { numRuns: runs(500) },
    );
  });
});
