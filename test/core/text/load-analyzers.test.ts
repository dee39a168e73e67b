import { describe, expect, it } from "vitest";
import { ENGLISH, loadAnalyzers } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";

describe("loadAnalyzers", () => {
  it("has English at hand, and loads every other language", async () => {
    const loaded = await loadAnalyzers(["english", "finnish", "none"], async () => analyzerOf);
    expect([...loaded]).toEqual([
      ["english", ENGLISH],
      ["finnish", analyzerOf("finnish")],
      ["none", analyzerOf("none")],
    ]);
    const english = await loadAnalyzers(["english"], () => Promise.reject(new Error("nothing is to be loaded")));
    expect([...english]).toEqual([["english", ENGLISH]]);
  });
});
