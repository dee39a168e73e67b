/** Dependencies, impact, packages and paths: what names a target, what is refused. */
import { decode } from "@toon-format/toon";
import { describe, expect, it } from "vitest";
import { ask, askJson } from "./workshop.ts";

const TOOLS = ["get_dependencies", "analyze_impact", "describe_package", "find_path"] as const;

describe("targets", () => {
  it.each([
    ["code:src/store/store.ts", "file", "code:src/store/store.ts"],
    ["src/store/store.ts", "file", "code:src/store/store.ts"],
    ["store/store.ts", "file", "code:src/store/store.ts"],
    ["store.ts", "file", "code:src/store/store.ts"],
    ["store", "package", "store"],
    ["workshop/store", "package", "store"],
    ["Store", "symbol", "code:src/store/store.ts#Store"],
    ["code:src/store/store.ts#Store", "symbol", "code:src/store/store.ts#Store"],
    ["src/store/store.ts#Store.find~2", "symbol", "code:src/store/store.ts#Store.find~2"],
    ["store.ts#add", "symbol", "code:src/store/store.ts#Store.add"],
    ["Store.add", "symbol", "code:src/store/store.ts#Store.add"],
    ["openStore.retry.Attempt", "symbol", "code:src/store/store.ts#openStore.retry.Attempt"],
  ])("are named by %s", async (target, kind, id) => {
    const { target: found } = await askJson("analyze_impact", { target });
    expect(found).toEqual({ kind, id });
  });

  it.each([
    [{ symbol: "Store" }],
    [{ file: "src/store/store.ts" }],
    [{ package: "store" }],
    [{ node_id: "code:src/store/store.ts#Store" }],
  ])("are given as %j, too", async (given) => {
    for (const tool of ["analyze_impact", "get_dependencies"]) expect((await ask(tool, given)).isError).toBe(false);
  });

  it.each([
    ["Storr", /There is no source file, package or symbol "Storr".*\nDid you mean: .*Store/],
    ["src/store/stor.ts", /There is no source file.*\nDid you mean: .*src\/store\/store\.ts/],
    ["shape", /There is no source file, package or symbol "shape".*\nDid you mean: .*shapes/],
    ["src/store/store.ts#Stroe", /There is no source file.*\nDid you mean: .*Store/],
    ["find", /"find" names 3 symbols|Store\.find/],
    ["close", /"close" names 2 symbols; give the id of one/],
  ])("that name nothing or several are told: %s", async (target, message) => {
    for (const tool of ["analyze_impact", "get_dependencies"]) {
      const { text } = await ask(tool, { target });
      expect(text).toMatch(message);
    }
    expect((await ask("find_path", { from: target, to: "util" })).text).toMatch(message);
  });

  it.each(["docs:upgrade.md", "upgrade.md", "docs:upgrade.md#state"])(
    "that are pages are told so, with a call that takes one: %s",
    async (target) => {
      const called = [
        await ask("get_dependencies", { target }),
        await ask("analyze_impact", { target }),
        await ask("find_path", { from: "Store", to: target }),
      ];
      for (const { isError, text } of called) {
        expect(isError).toBe(true);
        expect(text).toContain(
          '"docs:upgrade.md" is a page; this tool takes source files, symbols and packages. get_tree outlines it.\n' +
            'Example: get_tree({"doc_id":"docs:upgrade.md"})',
        );
      }
    },
  );

  it("that are like nothing are answered with another call than that which failed", async () => {
    const { text } = await ask("analyze_impact", { target: "Qqqqqqxxz" });
    expect(text).toMatch(/There is no source file, package or symbol "Qqqqqqxxz"/);
    expect(text).toContain('Example: find_symbol({"query":"*"})');
  });

  it("of a path that name several stay at their end of the example", async () => {
    expect((await ask("find_path", { from: "src/main.ts", to: "close" })).text).toMatch(
      /Example: find_path\(\{"from":"src\/main\.ts","to":"code:[^"]*#[^"]*close"\}\)/,
    );
    expect((await ask("find_path", { from: "close", to: "src/main.ts" })).text).toMatch(
      /Example: find_path\(\{"from":"code:[^"]*#[^"]*close","to":"src\/main\.ts"\}\)/,
    );
  });

  it("of describe_package are packages, the nearest named for what is none", async () => {
    const { isError, text } = await ask("describe_package", { package: "stores" });
    expect(isError).toBe(true);
    expect(text).toMatch(/There is no package "stores"\.\nDid you mean: store\?/);
    expect((await askJson("describe_package", { name: "Store" })).name).toBe("store");
  });
});

it("describe_package says in toon the imports that it says as JSON", async () => {
  for (const name of ["store", "main", "tools"]) {
    const { imports } = await askJson("describe_package", { package: name });
    const { texts } = await ask("describe_package", { package: name, format: "toon" });
    expect(decode(texts[0] ?? "")).toMatchObject({ imports });
  }
});

describe("impact", () => {
  it("names every file that references names, one step away", async () => {
    for (const symbol of ["Lamp", "formatLamp", "Store", "isWanted", "BaseStore", "readText"]) {
      const { references } = (await askJson("references", { symbol, limit: 200, max_tokens: 6000 })) as {
        references: { file: string; tier: string }[];
      };
      const { affected } = (await askJson("analyze_impact", { symbol, depth: 1, max_tokens: 6000 })) as {
        affected: { file: string }[];
      };
      const sure = references.filter(({ tier }) => tier !== "name").map(({ file }) => file);
      expect(sure.length).toBeGreaterThan(0);
      expect(affected.map(({ file }) => file)).toEqual(expect.arrayContaining([...new Set(sure)]));
    }
  });
});

it.each(TOOLS)("%s decides by what an unknown argument is like", async (tool) => {
  const { isError, text } = await ask(tool, { targt: "Store", form: "Store", pakage: "store" });
  expect(isError).toBe(true);
  expect(text).toMatch(/has no argument/);
});
