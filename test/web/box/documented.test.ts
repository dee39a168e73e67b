import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANSWER_STYLES } from "../../../src/web/box/answer-rows.ts";
import { ATTRIBUTES, readLightness, STYLES } from "../../../src/web/box/make.ts";
import { ENGLISH } from "../../../src/web/box/strings.ts";

const ALL_STYLES = STYLES + ANSWER_STYLES;
const PAGE = readFileSync(new URL("../../../docs/search-box.md", import.meta.url), "utf8");

const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] as string))].sort();

describe("docs/search-box.md", () => {
  it("names the custom properties that the styles read, and no others", () => {
    expect(matches(PAGE, /(--treeline-[a-z-]+)/g)).toEqual(matches(ALL_STYLES, /var\((--treeline-[a-z-]+)/g));
  });

  it("names every part that the styles know", () => {
    const parts = matches(ALL_STYLES, /\[part~?=([a-z-]+)\]/g);
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.filter((part) => !PAGE.includes(`\`${part}\``))).toEqual([]);
  });

  it("names every attribute and every string", () => {
    expect(ATTRIBUTES.filter((name) => !PAGE.includes(`| \`${name}\` |`))).toEqual([]);
    expect(Object.keys(ENGLISH).filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("readLightness", () => {
  it("tells dark backgrounds from light ones, and from those that one sees through", () => {
    expect(readLightness("color(srgb 1 1 1)")).toBeCloseTo(1);
    expect(readLightness("color(srgb 0.08 0.08 0.12)")).toBeLessThan(0.1);
    expect(readLightness("color(srgb 0 -0.01 1e-7 / 0.9)")).toBeCloseTo(0, 1);
    expect(readLightness("color(srgb 0 0 0 / 0)")).toBeUndefined();
  });
});
