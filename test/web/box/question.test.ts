import { describe, expect, it } from "vitest";
import { identify, type Question } from "../../../src/web/box/question-state.ts";

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
