import { describe, expect, it } from "vitest";
import { countExports, countLines, type House, judgeHouse } from "../support/count-house.ts";

describe("the count of the house", () => {
  it("tells code from comments and blank lines", () => {
    expect(countLines("/**\n * What.\n */\nconst a = 1; // why\n\n  // note\n/* one */\n/* two */ b();\n")).toEqual({
      code: 2,
      comments: 5,
    });
  });

  it("counts exported functions, classes and types, and no values", () => {
    const text = [
      "export function a() {}",
      "export async function b() {}",
      "export abstract class C {}",
      "export interface D {}",
      "export type E = 1;",
      "export const f = (x: number): number => x;",
      "export const g = 1;",
      "function h() {}",
    ];
    expect(countExports(text.join("\n"))).toBe(6);
  });

  it("is above its bound with one more, and names the row", () => {
    const house = { "code lines": 2, files: 1 } as House;
    expect(judgeHouse(house, house).above).toEqual([]);
    expect(judgeHouse(house, { ...house, "code lines": 1 }).above).toEqual(["code lines"]);
  });
});
