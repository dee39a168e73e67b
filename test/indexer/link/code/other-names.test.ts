import { describe, expect, it } from "vitest";
import type { CodePosition } from "../../../../src/core/format/code-model.ts";
import { codeFile, link } from "../../../support/code-files.ts";

const LOCAL: { readonly localAt: CodePosition } = { localAt: { line: 90, column: 9 } };

/** `kind form otherName` of the edges of a file to symbols. */
function formsOf(files: Parameters<typeof link>[0], path: string): string[] {
  const linked = link(files);
  const number = linked.files.findIndex(({ id }) => id === `code:${path}`);
  const edges = (linked.edges[number] ?? []).filter(({ to }) => "file" in to && to.symbol >= 0);
  return edges.map(({ kind, form = "plain", otherName }) => `${kind} ${form} ${otherName?.name ?? "-"}`);
}

const STORE = codeFile("store.ts", (file) => {
  file.symbol("class", "Store", { flags: ["exported", "defaultExport"], exportedAs: ["Store", "default", "Shop"] });
});
const INDEX = codeFile("index.ts", (file) => {
  file.import("./store", "Store", "Store", { kind: "reexports", ...LOCAL });
  file.import("./store", "Shop", "Store2", { kind: "reexports", ...LOCAL });
});

describe("the form of an edge", () => {
  it("is plain at the imported name, and an alias where the name that the file gives it is used", () => {
    const use = codeFile("use.ts", (file) => {
      const plain = file.import("./store", "Store");
      const other = file.import("./store", "Store", "Other", LOCAL);
      const same = file.import("./store", "Store", "Store", LOCAL);
      for (const index of [plain, other, same]) file.use("instantiates", { kind: "import", import: index });
    });
    expect(formsOf([STORE, use], "use.ts")).toEqual([
      "imports plain -",
      "imports plain Other",
      "imports plain Store",
      "instantiates plain -",
      "instantiates alias -",
      "instantiates alias -",
    ]);
  });

  it("is an alias at a default, at what an export calls it, and behind an import that does", () => {
    const use = codeFile("use.ts", (file) => {
      const whole = file.import("./store", "default", "Store");
      file.import("./store", "Shop");
      const passed = file.import("./index", "Store");
      const all = file.import("./index", "*", "all");
      file.use("calls", { kind: "import", import: whole });
      file.use("calls", { kind: "import", import: passed });
      file.use("calls", { kind: "import", import: all }, ["Store"]);
    });
    const forms = formsOf([STORE, INDEX, use], "use.ts");
    expect(forms).toHaveLength(6);
    expect(forms.every((form) => form.includes(" alias "))).toBe(true);
  });

  it("is plain through what passes all on, in a circle, too", () => {
    const one = codeFile("one.ts", (file) => {
      file.import("./two", "*", "*", { kind: "reexports" });
      file.import("./store", "*", "*", { kind: "reexports" });
    });
    const two = codeFile("two.ts", (file) => {
      file.import("./one", "*", "*", { kind: "reexports" });
    });
    const use = codeFile("use.ts", (file) => {
      file.use("calls", { kind: "import", import: file.import("./two", "Store") });
    });
    expect(formsOf([STORE, one, two, use], "use.ts")).toEqual(["imports plain -", "instantiates plain -"]);
  });
});
