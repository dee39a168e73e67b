import { describe, expect, it } from "vitest";
import { ask, askJson } from "./workshop.ts";

const STORE = "code:src/store/store.ts";
const idsOf = async (given: Readonly<Record<string, unknown>>): Promise<string[]> =>
  ((await askJson("find_symbol", given)).symbols as { id: string }[]).map(({ id }) => id);

describe("find_symbol", () => {
  it.each([`${STORE}#Store.find`, "src/store/store.ts#Store.find", "store.ts#Store.find"])(
    "finds the symbol with the id %s",
    async (query) => {
      expect(await idsOf({ query })).toEqual([`${STORE}#Store.find`]);
    },
  );

  it("finds one of several declarations by its id, within the filters", async () => {
    const query = `${STORE}#Store.find~3`;
    expect(await idsOf({ query })).toEqual([query]);
    expect(await idsOf({ query, kind: "method", language: "ts", path: "src/store", exported: true })).toEqual([query]);
    for (const filter of [{ kind: "class" }, { language: "go" }, { path: "src/http" }, { exported: false }]) {
      expect(await idsOf({ query, ...filter })).toEqual([]);
    }
  });

  it.each([
    ["craeteServer", "createServer"],
    ["fromatLamp", "formatLamp"],
    ["Store.fnid", "Store.find"],
    [`${STORE}#Stoer`, "Store"],
  ])("suggests for %s what is like it", async (query, nearest) => {
    const { text } = await ask("find_symbol", { query });
    expect(text).toContain("Found 0 matches");
    expect(text).toMatch(new RegExp(`Did you mean: .*\\b${nearest}\\b`));
  });

  it("leads to the base that declares an inherited member", async () => {
    const { text } = await ask("find_symbol", { query: "Store.isClosed" });
    expect(text).toContain(`Store inherits it: ${STORE}#BaseStore.isClosed.`);
  });
});

describe("errors that name no symbol", () => {
  it.each([{ symbol: "zzzzzz" }, { symbol: STORE }, { symbol: "Stor" }, { symbol: `${STORE}#Stroe` }])(
    "to %j give an example that works",
    async (given) => {
      const { isError, text } = await ask("inspect", given);
      expect(isError).toBe(true);
      const [, tool = "", args = ""] = /Example: (\w+)\((.*)\)$/m.exec(text) ?? [];
      const found = await ask(tool, JSON.parse(args) as Record<string, unknown>);
      expect(found.isError).toBe(false);
      expect(found.text).not.toMatch(/Found 0 /);
    },
  );
});
