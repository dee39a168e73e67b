import { describe, expect, it } from "vitest";
import { type AddressParameters, describeUnknown, readParameters } from "../../src/surface/parameters.ts";

const TABLE = {
  q: { kind: "text", required: true, description: "words", aliases: ["query"] },
  limit: { kind: "integer", default: 8, minimum: 1, maximum: 20, description: "how many" },
  sort: { kind: "choice", values: ["score", "path"], default: "score", description: "order" },
  deep: { kind: "boolean", default: true, description: "all of it" },
  collection: { kind: "texts", default: [], description: "where" },
  from: { kind: "text", default: "", description: "where to begin" },
  format: { kind: "choice", values: ["json", "html"], default: "json", description: "form" },
  "f.KEY": { kind: "facets", prefix: "f.", description: "facets" },
} as const satisfies AddressParameters;

function read(text: string) {
  const notes: string[] = [];
  return { ...readParameters(new URLSearchParams(text), TABLE, notes, "/x"), notes };
}

function limitOf(text: string): { value: number; notes: string[] } {
  const { limit, notes } = read(`q=a&${text}`);
  return { value: limit, notes };
}

describe("readParameters", () => {
  it("fills in what an address leaves out", () => {
    expect(read("q=a&sort=&deep=&limit=")).toEqual({
      ...{ q: "a", limit: 8, sort: "score", deep: true, collection: [], from: "", format: "json", notes: [] },
    });
  });

  it("takes what is given", () => {
    expect(read("q=a&sort=PATH&deep=0&limit=2&collection=x&collection=&collection=y&from=z&format=html&f.a=b")).toEqual(
      {
        ...{
          q: "a",
          limit: 2,
          sort: "path",
          deep: false,
          collection: ["x", "y"],
          from: "z",
          format: "html",
          notes: [],
        },
      },
    );
  });

  it("names what a word may be, and the nearest", () => {
    expect(() => read("q=a&sort=paht")).toThrow('sort must be one of score, path; got "paht".');
    expect(() => read("q=a&deep=yes")).toThrow('deep must be true or false; got "yes".');
  });
});

describe("describeUnknown", () => {
  it("names what means nothing with the nearest that does, the first five of it", () => {
    const given = new URLSearchParams("q=a&query=b&f.type=c&format=d&limt=1&a1=&a2=&a3=&a4=&a5=");
    const notes = describeUnknown(given, TABLE);
    expect(notes[0]).toBe('"limt" is no parameter and was not used; nearest: limit.');
    expect(notes).toHaveLength(5);
  });
});

describe("a query", () => {
  it("takes q or query without spaces around it", () => {
    expect(read("q=+a+b+").q).toBe("a b");
    expect(read("query=a").q).toBe("a");
  });

  it.each(["", "q=", "q=+++", "x=1"])("refuses %j", (text) => {
    expect(() => read(text)).toThrow("q is missing: words.");
  });

  it("takes 2000 characters and no more", () => {
    expect(read(`q=${"x".repeat(2000)}`).q).toHaveLength(2000);
    expect(() => read(`q=${"x".repeat(2001)}`)).toThrow("at most 2000");
  });
});

describe("a number", () => {
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
