import { describe, expect, it } from "vitest";
import { cutLabel } from "../../../../src/surface/render/picture/compose.ts";

describe("a label", () => {
  it("counts two columns for what may be drawn wide", () => {
    for (const [text, columns] of [
      ["src/über.ts", 11],
      ["日本語.md", 9],
      ["😀", 2],
    ] as const) {
      expect(cutLabel(text, columns)).toBe(text);
      expect(cutLabel(text, columns - 1)).not.toBe(text);
    }
  });

  it("keeps its end where it is too long, and never takes more than it may", () => {
    expect(cutLabel("src/core/graph/components.ts", 16)).toBe("…h/components.ts");
    expect(cutLabel("short.ts", 16)).toBe("short.ts");
    expect(cutLabel("日本語/ファイル/長い名前.md", 7)).toBe("…前.md");
  });
});
