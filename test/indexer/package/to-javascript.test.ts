import { describe, expect, it } from "vitest";
import { toJavascript } from "../../../indexer/package/write-package.ts";

describe("a module as JavaScript", () => {
  it("loses types and comments, and names other modules by their JavaScript", () => {
    const text = `/** About. */
import { a, type B } from "./a.ts";
import type { C } from "../c.ts";
import schema from "../schema.json" with { type: "json" };
export { d } from "./d.ts";
export async function load(b: B, c: C): Promise<unknown> {
  // Later.
  return [await import("./e.ts"), a, b, c, schema, "./not-a-module.ts"];
}
`;
    const script = toJavascript(text, "x.ts");
    expect(script).not.toMatch(/About|Later|: B|Promise|c\.ts/);
    for (const part of ['{ a } from "./a.js"', '"../schema.json" with', 'from "./d.js"', 'import("./e.js")']) {
      expect(script).toContain(part);
    }
    expect(script).toContain('"./not-a-module.ts"');
  });

  it("names what it starts by its JavaScript, and no other address", () => {
    const text = `export const worker = new URL("./prepare-worker.ts", import.meta.url);
export const page = new URL("./page.ts", "https://example.org/");
export const data = new URL("../data.wasm", import.meta.url);
`;
    expect(toJavascript(text, "x.ts").split("\n")).toEqual([
      'export const worker = new URL("./prepare-worker.js", import.meta.url);',
      'export const page = new URL("./page.ts", "https://example.org/");',
      'export const data = new URL("../data.wasm", import.meta.url);',
      "",
    ]);
  });

  it("is started by Node without options, which not every system passes on", () => {
    expect(toJavascript("#!/usr/bin/env -S node --x=8\nexport {};\n", "x.ts")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it("is refused with its path where it is no TypeScript", () => {
    expect(() => toJavascript("export const = 1;", "indexer/x.ts")).toThrow("indexer/x.ts: ");
  });
});
