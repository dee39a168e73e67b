/** Members and constructors: what stands for them elsewhere. */
import { describe, expect, it } from "vitest";
import { serveFiles } from "./serve-files.ts";

const { ask, askJson } = await serveFiles({
  "src/store.ts":
    "export class Store {\n  constructor(readonly name: string) {}\n}\nexport function open(): Store {\n  return new Store('a');\n}\nexport let kept: Store | undefined;\n",
  "src/lamp.py": "class Lamp:\n    def __init__(self, watts):\n        self.watts = watts\n\n\ndef make():\n    return Lamp(3)\n",
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
