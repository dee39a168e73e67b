/** Outlines of source files: order, levels, what stands below. */
import { describe, expect, it } from "vitest";
import type { DocumentEntry } from "../../../src/core/docs/model.ts";
import type { FileRecord, SymbolRecord } from "../../../src/core/format/code-model.ts";
import { describeCodeTree } from "../../../src/surface/render/code-outline.ts";

/** A file of symbols, each given as its path, line, and place of its parent in the list. */
function fileOf(symbols: readonly (readonly [path: string, line: number, parent: number, inner?: "inner"])[]) {
  let reads = 0;
  const records = symbols.map(([path, line, parent, inner]) => ({
    path,
    name: path,
    kind: "class",
    get parent() {
      reads++;
      return parent;
    },
    at: { line, column: 1 },
    start: { line, column: 1 },
    end: { line, column: 9 },
    flags: inner === undefined ? [] : [inner],
    signature: "",
    bases: [],
  })) as unknown as SymbolRecord[];
  const file = { id: "code:a.ts", language: "typescript", module: "", package: "", symbols: records };
  return { file: file as unknown as FileRecord, reads: () => reads };
}

const OPTIONS = {
  document: { id: "code:a.ts", title: "a.ts", lines: 9, url: "" } as DocumentEntry,
  summary: "",
  maxDepth: 99,
  outlineCall: (id: string) => id,
};

describe("an outline", () => {
  it("has members below what holds them, in the order of the source, without what stands inside functions", () => {
    const { file } = fileOf([
      ["B", 5, -1],
      ["A", 1, -1],
      ["A.y", 3, 1],
      ["A.x", 2, 1],
      ["A.x.z", 2, 3],
      ["A.x.local", 2, 3, "inner"],
    ]);
    const { forms, summary } = describeCodeTree(file, { ...OPTIONS, root: -1 });
    expect(forms[0]?.blocks().map((line) => line.trimEnd())).toEqual([
      "@1 #A Class",
      "  @2 #A.x Class (1 inside)",
      "    @2 #A.x.z Class",
      "  @3 #A.y Class",
      "@5 #B Class",
    ]);
    expect(forms.at(-1)?.blocks()).toEqual(["@1 #A Class (+3 members)", "@5 #B Class"]);
    expect(describeCodeTree(file, { ...OPTIONS, root: 1 }).forms[0]?.blocks()[0]).toBe("@2 #A.x Class (1 inside)");
    // What holds it lists it.
    const inside = describeCodeTree(file, { ...OPTIONS, root: 3 }).forms[0]?.blocks();
    expect(inside?.map((line) => line.trimEnd())).toEqual(["@2 #A.x.z Class", "@2 #A.x.local Class"]);
    expect(summary).toContain("5 symbols");
  });

  it("looks at each symbol a few times, however many there are", () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [`s${at}`, at + 1, at % 2 === 0 ? -1 : at - 1] as const);
    const { file, reads } = fileOf(many);
    describeCodeTree(file, { ...OPTIONS, root: -1 }).forms[0]?.blocks();
    expect(reads()).toBeLessThan(10 * many.length);
  });
});
