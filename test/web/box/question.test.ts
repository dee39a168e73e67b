import { describe, expect, it } from "vitest";
import { MAX_QUERY_LENGTH } from "../../../src/core/search/answer.ts";
import { cutQuery, identify, type Question } from "../../../src/web/box/question-state.ts";

const ask = (changes: Partial<Question> = {}): Question => ({
  ...{ query: "lamp", filters: { type: ["guide", "page"], version: ["2"] }, collections: ["docs"], offset: 0 },
  ...changes,
});

describe("identify", () => {
  it("names questions alike that have one answer", () => {
    const same = ask({ filters: { version: ["2"], type: ["page", "guide"] }, offset: 6 });
    expect(identify(same)).toBe(identify(ask()));
  });

  it("tells words, filters and collections apart", () => {
    const others = [
      ask(),
      ask({ query: "lamps" }),
      ask({ filters: {} }),
      ask({ filters: { type: ["guide"], version: ["2"] } }),
      ask({ collections: [] }),
    ];
    expect(new Set(others.map((question) => identify(question))).size).toBe(others.length);
  });

  it("leaves out a key", () => {
    const other = ask({ filters: { type: ["adr"], version: ["2"] } });
    expect(identify(other, "type")).toBe(identify(ask(), "type"));
    expect(identify(other, "version")).not.toBe(identify(ask(), "version"));
  });
});

describe("cutQuery", () => {
  it("cuts what is too long, between characters", () => {
    expect(cutQuery("lamp")).toBe("lamp");
    expect(cutQuery("a".repeat(MAX_QUERY_LENGTH + 1))).toHaveLength(MAX_QUERY_LENGTH);
    expect(cutQuery(`${"a".repeat(MAX_QUERY_LENGTH - 1)}😀`)).toBe("a".repeat(MAX_QUERY_LENGTH - 1));
  });
});
