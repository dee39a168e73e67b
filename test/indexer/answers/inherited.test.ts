/** Members and constructors: what stands for them elsewhere. */
import { describe, expect, it } from "vitest";
import { serveFiles } from "../../support/serve-files.ts";

const { ask, askJson } = await serveFiles({
  "src/store.ts":
    "export class Store {\n  constructor(readonly name: string) {}\n}\nexport function open(): Store {\n  return new Store('a');\n}\nexport let kept: Store | undefined;\n",
  "src/base.ts":
    "export interface Closable {\n  close(): void;\n}\nexport class Root {\n  protected dim(): void {}\n  private own(): void {}\n  static make(): void {}\n}\nexport class Middle extends Root implements Closable {\n  close(): void {}\n  shine(level: number): void {}\n}\n",
  "src/heir.ts":
    'import { Middle } from "./base.ts";\nexport class Heir extends Middle {\n  shut(): void {}\n}\nexport class Other extends Middle {\n  shine(): void {}\n}\nexport namespace Outer {\n  export namespace Inner {\n    export function first(): void {}\n  }\n}\nexport namespace Wrong {\n  export namespace Inner {\n    export function second(): void {}\n  }\n}\n',
  "src/lamp.py":
    "class Lamp:\n    def __init__(self, watts):\n        self.watts = watts\n\n\ndef make():\n    return Lamp(3)\n",
});

describe("a constructor", () => {
  it.each([
    ["Store.constructor", "code:src/store.ts", "open", 5],
    ["Lamp.__init__", "code:src/lamp.py", "make", 7],
  ])("%s is called where its class is instantiated", async (symbol, file, caller, line) => {
    const { total, references } = await askJson("references", { symbol });
    expect(total).toBe(1);
    expect(references).toMatchObject([{ file, line, kind: "instantiates", in: `${file}#${caller}` }]);
    expect((await askJson("call_hierarchy", { symbol })).children).toMatchObject([{ name: caller, calls: 1 }]);
    expect(await askJson("inspect", { symbol })).toMatchObject({ callerCount: 1, referenceCount: 0 });
    expect((await ask("references", { symbol, include: ["types"] })).text).toContain("Found 0 references");
  });
});

const BASE = "code:src/base.ts";

describe("a member of a base", () => {
  it("is found behind the name of what inherits it, with a note that says so", async () => {
    for (const symbol of ["Heir.shine", "code:src/heir.ts#Heir.shine"]) {
      expect(await askJson("inspect", { symbol })).toMatchObject({
        id: `${BASE}#Middle.shine`,
        notes: ["Heir inherits shine: Middle declares it."],
      });
    }
    const { text } = await ask("references", { symbol: "Heir.dim" });
    expect(text).toContain(`Found 0 references to ${BASE}#Root.dim`);
    expect(text).toContain("Heir inherits dim: Root declares it.");
    expect((await ask("rename", { symbol: "Heir.shine", new_name: "glow" })).text).toContain(
      "Heir inherits shine: Middle declares it.",
    );
  });

  it("is not that which the type declares itself, nor one that is private", async () => {
    expect(await askJson("inspect", { symbol: "Other.shine" })).toMatchObject({ id: "code:src/heir.ts#Other.shine" });
    for (const symbol of ["Heir.own", "Heir.gone", "Heir.constructor"]) {
      const { isError, text } = await ask("inspect", { symbol });
      expect([isError, text]).toEqual([true, expect.stringContaining(`There is no symbol "${symbol}"`)]);
    }
  });

  it("completes the name of its heir, behind what that declares, each name once", async () => {
    const { completions } = await askJson("completion", { prefix: "Heir." });
    expect(
      (completions as { label: string; inheritedFrom?: string }[]).map((one) => [one.label, one.inheritedFrom]),
    ).toEqual([
      ["Heir.shut", undefined],
      ["Heir.shine", "Middle"],
      ["Heir.make", "Root"],
      ["Heir.close", "Middle"],
      ["Heir.dim", "Root"],
    ]);
    const table = await ask("completion", { prefix: "Heir.", format: "toon" });
    expect(table.text).toContain("completions[5]{label,kind,exported,count,id,inheritedFrom,signature}:");
    const { text } = await ask("completion", { prefix: "Heir#sh" });
    expect(text).toContain("Heir#shine: src/base.ts @11:3 Method - shine [Middle, Class]");
    expect(text).toContain("Heir#shut: src/heir.ts @3:3 Method - shut\n");
  });
});

it("inspect tells what a class extends from what it implements", async () => {
  const { text } = await ask("inspect", { symbol: "Middle" });
  expect(text).toContain("\nextends Root; implements Closable\n");
});

describe("completions", () => {
  it("begin with what was typed", async () => {
    for (const prefix of ["Outer.Inner.", "Outer::Inner::f", "outer.inner.F", "Middle#", "He"]) {
      const { completions } = await askJson("completion", { prefix });
      const labels = (completions as { label: string }[]).map(({ label }) => label);
      expect(labels.length).toBeGreaterThan(0);
      for (const label of labels) expect(label.toLowerCase().startsWith(prefix.toLowerCase()), label).toBe(true);
      expect(labels.join()).not.toContain("second");
    }
  });
});
