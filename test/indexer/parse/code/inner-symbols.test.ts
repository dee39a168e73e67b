/** Tests of symbols inside of values. */
import { describe, expect, it } from "vitest";
import { listOutline } from "../../../../indexer/parse/code/parse-code.ts";
import { outlineOf, parseSource } from "../../languages/parsed.ts";

describe("what stands inside of a value", () => {
  it.each([
    ["csharp", "class A { Action r = () => { void In() {} }; }", ["field A.r", "function A.r.In [inner]"]],
    ["kotlin", "class A {\n val r = object : R {\n fun run() {}\n }\n}", ["property A.r", "method A.r.run [inner]"]],
    ["scala", "class A { val r = new R { def run() = 1 } }", ["field A.r", "function A.r.run [inner]"]],
    ["swift", "class A { let r = { func q() {} } }", ["property A.r", "function A.r.q [inner]"]],
    [
      "php",
      "<?php class A { function m() { return new class { function run() {} }; } }",
      ["method A.m", "method A.m.run [inner]"],
    ],
  ] as const)("is inner and no member of the class in %s", async (language, text, members) => {
    const file = await parseSource(language, text);
    expect(outlineOf(file).slice(1)).toEqual(members);
    const rules = { ignoreKinds: [], stopKinds: ["function", "method", "constructor"] } as const;
    expect(listOutline(file.symbols, rules)).toEqual([true, true, false]);
  });

  it("is in no outline where it stands at the top of a file", async () => {
    const file = await parseSource("php", "<?php $a = new class { function run() {} };");
    expect(listOutline(file.symbols, { ignoreKinds: [], stopKinds: [] })).toEqual([false]);
  });
});
