import { describe, expect, it } from "vitest";
import { ENGLISH } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { loadAnalyzers, loadedAnalyzer } from "../../../src/core/text/load-analyzers.ts";

describe("loadAnalyzers", () => {
  it("has English at hand, and every other language once it is loaded", async () => {
    expect(loadedAnalyzer("english")).toBe(ENGLISH);
    expect(() => loadedAnalyzer("finnish")).toThrow("the analyzer of finnish was not loaded");
    await loadAnalyzers(["english", "finnish", "none"], async () => analyzerOf);
    expect(loadedAnalyzer("finnish")).toBe(analyzerOf("finnish"));
    expect(loadedAnalyzer("none")).toBe(analyzerOf("none"));
    expect(loadedAnalyzer("english")).toBe(ENGLISH);
  });
});
