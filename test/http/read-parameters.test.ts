import { describe, expect, it } from "vitest";
import { readNumber, readQuery } from "../../src/http/read-parameters.ts";

const LIMIT = { name: "limit", default: 8, minimum: 1, maximum: 20 };

function limitOf(text: string): { value: number; notes: string[] } {
  const notes: string[] = [];
  return { value: readNumber(new URLSearchParams(text), LIMIT, notes, "/x"), notes };
}

describe("readQuery", () => {
  it("takes q or query without spaces around it", () => {
    expect(readQuery(new URLSearchParams("q=+a+b+"), "words", "/x")).toBe("a b");
    expect(readQuery(new URLSearchParams("query=a"), "words", "/x")).toBe("a");
  });

  it.each(["", "q=", "q=+++", "x=1"])("refuses %j", (text) => {
    expect(() => readQuery(new URLSearchParams(text), "words", "/x")).toThrow("q is missing: words.");
  });

  it("takes 2000 characters and no more", () => {
    expect(readQuery(new URLSearchParams(`q=${"x".repeat(2000)}`), "words", "/x")).toHaveLength(2000);
    expect(() => readQuery(new URLSearchParams(`q=${"x".repeat(2001)}`), "words", "/x")).toThrow("at most 2000");
  });
});

describe("readNumber", () => {
  it("takes a number within its bounds, and the default where there is none", () => {
    expect([limitOf(""), limitOf("limit="), limitOf("limit=1"), limitOf("limit=20")].map(({ value }) => value)).toEqual(
      [8, 8, 1, 20],
    );
  });

  it("cuts what is too much, and says so", () => {
    expect(limitOf("limit=21")).toEqual({ value: 20, notes: ["limit 21 was cut to 20, the maximum."] });
    expect(limitOf(`limit=${"9".repeat(1000)}`).value).toBe(20);
  });

  it.each(["0", "-1", "1.5", "ten", "1e1", " 1", "NaN"])("refuses %j", (text) => {
    expect(() => limitOf(`limit=${encodeURIComponent(text)}`)).toThrow("limit must be a whole number from 1 to 20");
  });
});
