import { expect, it } from "vitest";
import { isExported, type SymbolFlag, type SymbolKind } from "../../../src/core/format/code-model.ts";

type Named = Parameters<typeof isExported>[2];

function symbol(kind: SymbolKind, name: string, parent: number, ...flags: SymbolFlag[]): Named {
  return { kind, name, parent, flags };
}

const FILE = [
  symbol("class", "Store", -1, "exported"),
  symbol("method", "open", 0),
  symbol("property", "lamps", 0, "private"),
  symbol("property", "#lamps", 0),
  symbol("class", "Hidden", -1),
  symbol("method", "open", 4),
  symbol("namespace", "Tools", -1, "exported"),
  symbol("function", "helper", 6),
  symbol("function", "main", -1, "exported"),
  symbol("function", "inside", 8, "inner"),
];

it("members are as reachable as what holds them, unless they are hidden or are marked one by one", () => {
  const reachable = (language: string): string[] =>
    FILE.filter((one) => isExported(language, FILE, one)).map(
      ({ name, parent }) => `${FILE[parent]?.name ?? ""}.${name}`,
    );
  expect(reachable("typescript")).toEqual([".Store", "Store.open", ".Tools", ".main"]);
  expect(reachable("go")).toEqual([".Store", ".Tools", ".main"]);
});
