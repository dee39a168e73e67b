import { describe, expect, it } from "vitest";
import { makeCorpus } from "../../../support/small-corpus.ts";

const CONFIG = {
  collections: [
    { name: "docs", root: "docs" },
    { name: "src", root: "src", kind: "code" },
  ],
};
const PAGE = "# Use\n\nUse `Store.get`, `Store#size` or `openStore()`; `Lamp` shines.\n\n```ts\nhelper();\n```\n";
const CODE = (shop: string, open: string, help: string): string =>
  `export class ${shop} {\n  get(): void {}\n  size = 1;\n}\nexport function ${open}(): void {}\nexport function ${help}(): void {}\n`;
const LAMP = "export class Lamp {}\n";

const findingsOf = (summary: { readonly diagnostics: readonly { code: string; line: number; message: string }[] }) =>
  summary.diagnostics.map(({ code, line, message }) => `${code} @${line} ${message.split(" in the base")[0]}`);
const GONE = [
  'gone-symbol @3 names "Store#size", which was src:a.ts#Store.size',
  'gone-symbol @3 names "Store.get", which was src:a.ts#Store.get',
  'gone-symbol @3 names "openStore()", which was src:a.ts#openStore',
  'gone-symbol @6 names "helper", which was src:a.ts#helper',
];

describe("names that the base's code had", () => {
  it("are warned of where pages still say them, also in builds on what was built on it", async () => {
    const corpus = await makeCorpus(
      { "docs/a.md": PAGE, "src/a.ts": CODE("Store", "openStore", "helper"), "src/l.ts": LAMP },
      CONFIG,
    );
    expect(findingsOf(await corpus.build("one"))).toEqual([]);
    await corpus.edit({ "src/a.ts": CODE("Shop", "launch", "assist") });
    const second = await corpus.buildOn("one", "two");
    expect([second.notice, ...findingsOf(second)]).toEqual(["", ...GONE]);
    expect(second.diagnosticCount).toBe(4);
    await corpus.edit({ "docs/b.md": "# More\n" });
    expect(findingsOf(await corpus.buildOn("two", "three"))).toEqual(GONE);
    await corpus.edit({ "docs/a.md": PAGE.replace("Store#size", "Shop#size") });
    expect(findingsOf(await corpus.buildOn("three", "four"))).toEqual(GONE.slice(1));
    await corpus.edit({ "docs/a.md": PAGE, "src/a.ts": CODE("Store", "openStore", "helper") });
    expect(findingsOf(await corpus.buildOn("four", "five"))).toEqual([]);
  });

  it("are left alone where the symbol moved, or several have the name", async () => {
    const corpus = await makeCorpus(
      { "docs/a.md": PAGE, "src/a.ts": CODE("Store", "openStore", "helper"), "src/l.ts": LAMP },
      CONFIG,
    );
    await corpus.build("one");
    await corpus.edit({ "src/a.ts": LAMP.replace("Lamp", "Bulb"), "src/b.ts": CODE("Store", "openStore", "helper") });
    expect(findingsOf(await corpus.buildOn("one", "two"))).toEqual([]);
    await corpus.edit({ "src/c.ts": "export function helper(): void {}\nexport function openStore(): void {}\n" });
    expect(findingsOf(await corpus.buildOn("one", "three"))).toEqual([]);
  });

  it("whose container is there are those that it lacks", async () => {
    const corpus = await makeCorpus(
      { "docs/a.md": PAGE, "src/a.ts": CODE("Store", "openStore", "helper"), "src/l.ts": LAMP },
      CONFIG,
    );
    await corpus.build("one");
    await corpus.edit({ "src/a.ts": CODE("Store", "openStore", "helper").replace("get()", "find()") });
    expect(findingsOf(await corpus.buildOn("one", "two"))).toEqual([
      'missing-symbol @3 names "Store.get", which the code does not have',
    ]);
  });
});
