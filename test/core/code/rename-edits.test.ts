import { describe, expect, it } from "vitest";
import {
  findWordPlaces,
  makeEdits,
  positionOf,
  type RenamePlace,
  toSourceText,
} from "../../../src/core/code/rename-plan.ts";

/** The text with its edits made; every `¦` marks a place that leads to the symbol. */
function rename(
  marked: string,
  kinds: RenamePlace["kind"] | readonly RenamePlace["kind"][] = "reads",
  forms: readonly RenamePlace["form"][] = [],
  language = "typescript",
): { readonly text: string; readonly doubtful: readonly string[] } {
  const offsets: number[] = [];
  const text = marked.replace(/¦/g, (_, at: number) => {
    offsets.push(at - offsets.length);
    return "";
  });
  const source = toSourceText(text, language);
  const places = offsets.map((offset, index): RenamePlace => {
    const kind = typeof kinds === "string" ? kinds : (kinds[index] ?? "reads");
    return { at: positionOf(source, offset), kind, form: forms[index] };
  });
  const names = { oldName: "open", newName: "start" };
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
    ["<Widget size={¦open}/>", "<Widget size={start}/>"],
    ["f({ a: ¦open }, [¦open, 1])", "f({ a: start }, [start, 1])"],
    ["export { ¦open as default }", "export { start as default }"],
    ['const s = { ¦"open": 1 }', 'const s = { "start": 1 }'],
  ])("changes the name in %j", (before, after) => {
    expect(rename(before)).toEqual({ text: after, doubtful: [] });
  });

  it("writes out what a short form stands for where one side of it changes", () => {
    expect(rename("f({ ¦open })", "reads", ["value"]).text).toBe("f({ open: start })");
    expect(rename("const { ¦open = 1 } = store", "reads", ["key"]).text).toBe("const { start: open = 1 } = store");
    expect(rename("const s: Store = { ¦¦open }", "reads", ["key", "value"]).text).toBe("const s: Store = { start }");
    expect(rename("module.exports = { ¦¦open }", "reads", [undefined, "value"]).text).toBe(
      "module.exports = { start }",
    );
  });

  it("writes out short forms of markup as its attributes are written", () => {
    const short = (text: string, form: RenamePlace["form"], language: string): string =>
      rename(text, "reads", [form], language).text;
    expect(short('<Card :¦open @a="b" />', "value", "vue")).toBe('<Card :open="start" @a="b" />');
    expect(short("<Card {¦open} />", "value", "svelte")).toBe("<Card {...{ open: start }} />");
    expect(short('<Card a="b" {¦open} />', "key", "astro")).toBe('<Card a="b" {...{ start: open }} />');
    expect(short("f({ ¦open })", "value", "svelte")).toBe("f({ open: start })");
    expect(short("return {¦open}", "value", "svelte")).toBe("return {open: start}");
  });

  it("leaves other names, also where they are written like the old one", () => {
    const text = 'import { ¦open as open } from "a";\n¦open(all.¦open);';
    expect(rename(text, ["imports", "calls", "reads"], [undefined, "alias"]).text).toBe(
      'import { start as open } from "a";\nopen(all.start);',
    );
    expect(rename("¦x()", "calls", ["alias"])).toEqual({ text: "x()", doubtful: [] });
  });

  it("finds the name in front of the other name that stands at the place of an import", () => {
    expect(rename("use a::open as ¦x;", "imports").text).toBe("use a::start as x;");
  });

  it("doubts places where neither the name nor another name for it stands", () => {
    expect(rename("¦close(); ¦super()", "calls")).toEqual({
      text: "close(); super()",
      doubtful: ['"close" stands there'],
    });
  });
});
