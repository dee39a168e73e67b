import { expect, it } from "vitest";
import { dumpCode } from "../../../../indexer/cli/commands/search.ts";
import { createCounters } from "../../../../src/core/index/cost.ts";
import { serveFiles } from "../../../support/serve-files.ts";

const { askJson, services } = await serveFiles({
  "src/opts.ts":
    "export interface Opts {\n  name: string;\n}\nexport interface Opts {\n  more: string;\n}\nexport class Store {\n  open() {}\n  private secret() {}\n}\nclass Own {\n  open() {}\n}\n",
  "src/m.py": "class Lamp:\n    def dim(self):\n        pass\n\n    def _hidden(self):\n        pass\n",
});

interface DumpedSymbol {
  readonly id: string;
  readonly container: string;
  readonly exported: boolean;
}

async function dumpSymbols(): Promise<DumpedSymbol[]> {
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), warn: () => undefined, interactive: false };
  await services.withReader((reader) => dumpCode(reader, "symbols", terminal), createCounters());
  return lines.map((line) => JSON.parse(line) as DumpedSymbol);
}

it("names containers without the numbers of their ids, as find_symbol does", async () => {
  const more = (await dumpSymbols()).find(({ id }) => id === "code:src/opts.ts#Opts.more");
  expect(more?.container).toBe("Opts");
  const found = await askJson("find_symbol", { query: "more" });
  expect(found.symbols).toMatchObject([{ id: "code:src/opts.ts#Opts.more", parent: "Opts" }]);
});

it("says as find_symbol does which symbols can be reached", async () => {
  const dumped = new Map((await dumpSymbols()).map(({ id, exported }) => [id, exported]));
  const { symbols } = await askJson("find_symbol", { query: "*", limit: 100 });
  const found = new Map((symbols as DumpedSymbol[]).map(({ id, exported }) => [id, exported]));
  expect(dumped.size).toBeGreaterThan(8);
  expect(dumped).toEqual(found);
  expect(dumped.get("code:src/opts.ts#Store.open")).toBe(true);
  expect(dumped.get("code:src/opts.ts#Store.secret")).toBe(false);
  expect(dumped.get("code:src/opts.ts#Own.open")).toBe(false);
  expect(dumped.get("code:src/m.py#Lamp.dim")).toBe(true);
});
