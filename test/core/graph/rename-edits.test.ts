import { describe, expect, it } from "vitest";
import {
  findWordPlaces,
  makeEdits,
  positionOf,
  type RenameNames,
  type RenamePlace,
  readAliases,
  toSourceText,
} from "../../../src/core/graph/rename-edits.ts";

const NAMES: RenameNames = { oldName: "open", newName: "start", aliases: new Set(), keepsDefaults: true };

/** The text with its edits made; every `¦` marks a place that leads to the symbol. */
function rename(
  marked: string,
  kinds: RenamePlace["kind"] | readonly RenamePlace["kind"][] = "reads",
  more: Partial<RenamePlace & RenameNames & { language: string }> = {},
): { readonly text: string; readonly doubtful: readonly string[] } {
  const offsets: number[] = [];
  const text = marked.replace(/¦/g, (_, at: number) => {
    offsets.push(at - offsets.length);
    return "";
  });
  const source = toSourceText(text, more.language ?? "typescript");
  const places = offsets.map((offset, index): RenamePlace => {
    const kind = typeof kinds === "string" ? kinds : (kinds[index] ?? "reads");
    return { at: positionOf(source, offset), kind, isMember: more.isMember ?? false, inObject: more.inObject ?? false };
  });
  const { aliases } = readAliases(source, places, "open");
  const names = { ...NAMES, aliases: new Set([...aliases, ...(more.aliases ?? [])]) };
  const { certain, doubtful } = makeEdits(source, findWordPlaces(source, "open"), places, names);
  let out = text;
  for (const { at, oldText, newText } of [...certain].reverse()) {
    const offset = (source.lineStarts[at.line - 1] as number) + at.column - 1;
    expect(out.slice(offset, offset + oldText.length)).toBe(oldText);
    out = out.slice(0, offset) + newText + out.slice(offset + oldText.length);
  }
  return { text: out, doubtful: doubtful.map(({ note }) => note ?? "") };
}

describe("makeEdits", () => {
  it.each([
    ["¦open(); store.¦open(1)", "start(); store.start(1)"],
    ["f({ ¦open })", "f({ open: start })"],
    ["f({ a, // b\n  ¦open,\n})", "f({ a, // b\n  open: start,\n})"],
    ["({ ¦open } = f())", "({ open: start } = f())"],
    [`\`\${¦open}\``, `\`\${start}\``],
    ["f({ a: ¦open }, [¦open, 1])", "f({ a: start }, [start, 1])"],
    ["export { ¦open, b }", "export { start, b }"],
    ["export { ¦open as default }", "export { start as default }"],
    ["module.exports = { ¦open }", "module.exports = { start }"],
    ["{ ¦open; }", "{ start; }"],
  ])("makes %j %j", (before, after) => {
    expect(rename(before)).toEqual({ text: after, doubtful: [] });
  });

  it.each([
    ["const { ¦open } = store", "const { start: open } = store"],
    ["const { ¦open = 1 } = store", "const { start: open = 1 } = store"],
    ["const { ¦open: a } = store", "const { start: a } = store"],
    ["const s: Store = { ¦open }", "const s: Store = { start: open }"],
    ['const s = { ¦"open": 1 }', 'const s = { "start": 1 }'],
  ])("keeps the variable of a member in %j", (before, after) => {
    expect(rename(before, "reads", { isMember: true }).text).toBe(after);
  });

  it("writes a member that an object declares in short out", () => {
    expect(rename("const a = { ¦open }", "declaration", { isMember: true, inObject: true }).text).toBe(
      "const a = { start: open }",
    );
    expect(rename("interface A { ¦open, b }", "declaration", { isMember: true }).text).toBe("interface A { start, b }");
  });

  it("changes the name that is imported and leaves what it is called here", () => {
    const text = 'import { open as ¦x, b } from "a";\n¦x();';
    expect(rename(text, ["imports", "calls"])).toEqual({
      text: 'import { start as x, b } from "a";\nx();',
      doubtful: [],
    });
    expect(rename('export { open as ¦x } from "a"', "reexports").text).toBe('export { start as x } from "a"');
    expect(rename('const { open: ¦x } = require("a")', "imports").text).toBe('const { start: x } = require("a")');
    expect(rename("from a import open as ¦x", "imports", { language: "python" }).text).toBe("from a import start as x");
  });

  it("leaves imports of a default and what is called so there", () => {
    const text = 'import ¦open, * as all from "a";\n¦open(all.¦open);';
    expect(rename(text, ["imports", "calls", "reads"]).text).toBe('import open, * as all from "a";\nopen(all.start);');
  });

  it("doubts places where neither the name nor another name for it stands", () => {
    expect(rename("¦close(); ¦x(); ¦super()", "calls", { aliases: new Set(["x"]) })).toEqual({
      text: "close(); x(); super()",
      doubtful: ['"close" stands there'],
    });
  });
});
