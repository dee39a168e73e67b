import { describe, expect, it } from "vitest";
import { countColumns, cutLabel } from "../../../../src/surface/render/picture/compose.ts";

describe("a label", () => {
  it("counts two columns for what may be drawn wide", () => {
    expect(countColumns("src/über.ts")).toBe(11);
    expect(countColumns("日本語.md")).toBe(9);
    expect(countColumns("😀")).toBe(2);
  });

  it("keeps its end where it is too long, and never takes more than it may", () => {
    expect(cutLabel("src/core/graph/components.ts", 16)).toBe("…h/components.ts");
    expect(cutLabel("short.ts", 16)).toBe("short.ts");
    for (let most = 1; most < 20; most++)
      expect(countColumns(cutLabel("日本語/ファイル/長い名前.md", most))).toBeLessThanOrEqual(most);
  });
});
