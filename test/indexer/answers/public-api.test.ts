/** Answers on what can be imported: packages and modules by name, barrels, and names behind a module. */
import { beforeAll, describe, expect, it } from "vitest";
import type { OpenIndex } from "../../../src/core/index/open-generation.ts";
import { askTables } from "../../support/ask-tables.ts";
import { linkPackage } from "../../support/link-package.ts";
import { openCode } from "../../support/open-code.ts";

const SOURCES = {
  "packages/core/src/index.ts": `export { BaseStore as AbstractStore } from "./store.js";
    export * from "./lamp.js";
    export * as s from "./shapes.js";
    export * from "react";`,
  "packages/core/src/store.ts": "export class BaseStore { open(): void {} } export const inner = 1;",
  "packages/core/src/lamp.ts": "export interface Lamp {} export function light(lamp: Lamp): void {}",
  "packages/core/src/shapes.ts": "export const object = 1; export const objectOf = 2;",
  "packages/core/src/mini.ts": "export function small(): void {}",
  "packages/app/main.ts": `import { light } from "@acme/core"; export function light2() { light({}); }
    export const object = 3;`,
};
const MANIFESTS = {
  "package.json": { name: "root" },
  "packages/core/package.json": {
    name: "@acme/core",
    exports: { ".": "./dist/index.js", "./mini": "./dist/mini.js" },
  },
  "packages/app/package.json": { name: "app", private: true, main: "./gone.js" },
};

describe("what can be imported", () => {
  let index: OpenIndex;
  beforeAll(async () => {
    const { mentions: _, ...linked } = linkPackage(SOURCES, MANIFESTS);
    index = (await openCode({ ...linked, mentions: [] })).reader.index;
  });
  const ask = (tool: string, given: Readonly<Record<string, unknown>>) => askTables(index, tool, given);

  it("is told of a package by its name, module after module, page after page", async () => {
    const { text, waves } = await ask("describe_package", { package: "@acme/core", limit: 3 });
    const lists = await ask("describe_package", { package: "@acme/core", limit: 3, format: "json" });
    expect(waves).toBeLessThanOrEqual(3);
    expect(lists.json).toMatchObject({
      modules: [
        { name: "@acme/core", filePath: "packages/core/src/index.ts", exports: 4 },
        { name: "@acme/core/mini", filePath: "packages/core/src/mini.ts", exports: 1 },
      ],
      exportTotal: 5,
    });
    expect(text).toContain("AbstractStore (BaseStore)");
    const cursor = lists.json["nextCursor"];
    const next = await ask("describe_package", { package: "@acme/core", limit: 3, format: "json", cursor });
    const names = [lists, next].flatMap(({ json: page }) =>
      (page["exports"] as { name: string }[]).map(({ name }) => name),
    );
    expect(names.sort()).toEqual(["AbstractStore", "Lamp", "light", "s", "small"]);
  });

  it("is told of one module, of a package without any, and the nearest names of what is none", async () => {
    expect((await ask("describe_package", { package: "@acme/core/mini", format: "json" })).json).toMatchObject({
      exportTotal: 1,
      exports: [{ name: "small", kind: "function", from: "@acme/core/mini" }],
    });
    expect((await ask("describe_package", { package: "app", format: "json" })).json).toMatchObject({
      modules: [],
      exports: [{ name: "light2" }, { name: "object" }].map((one) => expect.objectContaining(one)),
    });
    expect((await ask("describe_package", { package: "@acme/cor" })).text).toContain("@acme/core");
  });

  it("is told of a barrel in place of symbols", async () => {
    const { text } = await ask("read", { file: "code:packages/core/src/index.ts" });
    expect(text).toContain("re-exports 4 names from 3 files, and all of npm:react");
    expect(text).toContain("Function - light");
  });

  it.each([
    ["@acme/core.AbstractStore", "packages/core/src/store.ts#BaseStore"],
    ["@acme/core.AbstractStore.open", "packages/core/src/store.ts#BaseStore.open"],
    ["@acme/core.s.object", "packages/core/src/shapes.ts#object"],
    ["s.object", "packages/core/src/shapes.ts#object"],
    ["AbstractStore", "packages/core/src/store.ts#BaseStore"],
  ])("finds the symbol of %s", async (symbol, id) => {
    expect((await ask("inspect", { symbol, format: "json" })).json).toMatchObject({ id: `code:${id}` });
  });

  it("completes names behind a module", async () => {
    const labels = async (prefix: string) =>
      ((await ask("completion", { prefix, format: "json" })).json["completions"] as { label: string }[]).map(
        ({ label }) => label,
      );
    expect(await labels("s.obj")).toEqual(["s.object", "s.objectOf"]);
    expect(await labels("@acme/core.l")).toEqual(["@acme/core.light", "@acme/core.Lamp"]);
  });

  it("comes before what no package gives", async () => {
    const { json } = await ask("find_symbol", { query: "object", format: "json" });
    expect((json["symbols"] as { id: string }[])[0]?.id).toBe("code:packages/core/src/shapes.ts#object");
  });

  it("is said to be nearest of what a module does not have", async () => {
    expect((await ask("inspect", { symbol: "@acme/core.lihgt" })).text).toContain("@acme/core.light");
  });
});
