import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { symbolPaths } from "../../../../indexer/languages/base/code-file.ts";

const symbol = (name: string, parent = -1, line = 1) => ({ name, parent, start: { line, column: 1 } });

describe("symbolPaths", () => {
  it("joins the names of containers and counts equal paths in the order of the source", () => {
    const symbols = [
      symbol("Store", -1, 1),
      symbol("open", 0, 2),
      symbol("open", 0, 3),
      symbol("helper", 2, 4),
      symbol("default", -1, 9),
    ];
    expect(symbolPaths(symbols)).toEqual(["Store", "Store.open", "Store.open~2", "Store.open.helper", "default"]);
  });

  it("numbers by place where members stand before what comes earlier in the source", () => {
    expect(symbolPaths([symbol("T", -1, 1), symbol("run", 0, 9), symbol("run", 0, 4)])).toEqual([
      "T",
      "T.run~2",
      "T.run",
    ]);
  });

  it("keeps the paths of members when another container of that name stands above", () => {
    expect(symbolPaths([symbol("Box", -1, 1), symbol("Box", -1, 2), symbol("size", 1, 3)])).toEqual([
      "Box",
      "Box~2",
      "Box.size",
    ]);
  });

  it("puts the type of another file in front of its members", () => {
    expect(symbolPaths([{ ...symbol("open"), memberOf: "Store" }, symbol("open", -1, 2)])).toEqual([
      "Store.open",
      "open",
    ]);
  });

  it("gives unique paths whatever the names are", () => {
    const names = fc.constantFrom("a", "b", "a.b", "a~2", "a~3", "~2", "");
    const tree = fc.array(fc.tuple(names, fc.nat(), fc.nat({ max: 5 })), { maxLength: 30 });
    fc.assert(
      fc.property(tree, (entries) => {
        const symbols = entries.map(([name, parent, line], at) => symbol(name, (parent % (at + 1)) - 1, line));
        expect(new Set(symbolPaths(symbols)).size).toBe(symbols.length);
      }),
    );
  });
});
