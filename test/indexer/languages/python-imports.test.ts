/** Tests of what Python imports, and where dotted names lead. */
import { describe, expect, it } from "vitest";
import { importsOf, parseSource, usesOf } from "./parsed.ts";

const parse = (text: string) => parseSource("python", text);

describe("imports of Python", () => {
  it("name module, what is taken of it, and what it is called here", async () => {
    const text =
      "from __future__ import annotations\nimport os.path, sys as s\nfrom ..a.b import c as d, e\nfrom . import *\nfrom .x import (\n    y,\n)\n";
    expect(importsOf(await parse(text))).toEqual([
      "__future__ annotations",
      "os.path * as os",
      "sys * as s",
      "..a.b c as d",
      "..a.b e",
      ". *",
      ".x y",
    ]);
  });

  it("are for types alone under TYPE_CHECKING, and belong to the function they stand in", async () => {
    const text =
      "if TYPE_CHECKING:\n    from a import B\nelse:\n    from c import D\ndef f():\n    import e\n    e.run()\n";
    const file = await parse(text);
    expect(importsOf(file)).toEqual(["a B for types", "c D", "e * as e"]);
    expect(file.imports.map(({ from }) => from)).toEqual([-1, -1, 0]);
    expect(usesOf(file)).toContain("calls import e.run in f");
  });

  it("of dotted modules lead to the module with the longest name", async () => {
    const text = "import a\nimport a.b\na.f()\na.b.g()\n";
    const file = await parse(text);
    const calls = file.uses.filter(({ kind }) => kind === "calls").map(({ target }) => [target.root, target.members]);
    expect(calls).toEqual([
      [{ kind: "import", import: 0 }, ["f"]],
      [{ kind: "import", import: 1 }, ["g"]],
    ]);
  });
});
