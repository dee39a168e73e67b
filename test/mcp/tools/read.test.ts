import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { ask as askHandbook } from "./handbook.ts";
import { ask, askJson } from "./workshop.ts";

const STORE = "code:src/store/store.ts";
/** `src/util/odd.ts`, byte for byte. */
const ODD =
  "\ufeff/** A file with line ends of another system. */\r\n\r\n/** A name with a soft\u00adhyphen. */\r\n" +
  "export function greet(name: string): string {\r\n\treturn `hello \u200b$" +
  "{name}`;\r\n}\r\n\r\n" +
  "export const last = 1; // and no line end";

interface Shown {
  readonly name: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly parent?: string;
  readonly code?: string;
}

async function symbolsOf(given: Readonly<Record<string, unknown>>): Promise<Shown[]> {
  return (await askJson("read", { file: STORE, max_tokens: 6000, ...given })).symbols as Shown[];
}

describe("raw", () => {
  it("gives a file with BOM, CRLF and invisible characters as it is, in a block of its own", async () => {
    const { texts } = await ask("read", { file: "src/util/odd.ts", preview_mode: "raw" });
    expect(texts).toEqual([
      ODD,
      "The text holds 3 invisible or direction-changing characters.",
      "built at an unknown time, no commit",
    ]);
    expect((await askJson("read", { file: "src/util/odd.ts", previewMode: "raw" })).text).toBe(ODD);
  });

  it("and every other mode say how many lines a file has where there is none of the first that is asked for", async () => {
    for (const preview_mode of ["raw", "none", "signature", "expanded"]) {
      const { texts } = await ask("read", { file: STORE, preview_mode, start_line: 99_999 });
      expect(texts[0]).toMatch(/^code:src\/store\/store\.ts has \d+ lines; start_line is 99999\./);
    }
  });

  it("gives pages with their frontmatter, also where no code is indexed", async () => {
    const { texts } = await ask("read", { file: "docs:upgrade.md", preview_mode: "raw" });
    expect(texts[0]).toMatch(/^---\ntitle: Upgrade\n[\s\S]+two values now\.\n$/);
    const page = await askHandbook("read", { file: "guide/install.md", preview_mode: "raw" });
    expect(page.texts[0]).toMatch(/^---\n/);
    expect((await askHandbook("read", { file: "guide/install.md" })).texts[0]).toContain(
      "No source code is indexed here",
    );
  });

  it("gives any lines so that parts put together are the whole", async () => {
    const whole = String((await askJson("read", { file: STORE, preview_mode: "raw" })).text);
    const lines = whole.split(/(?<=\n)/);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: lines.length }), fc.nat({ max: 40 }), async (start, more) => {
        const end = Math.min(lines.length, start + more);
        const { texts } = await ask("read", {
          file: STORE,
          preview_mode: "raw",
          start_line: start,
          end_line: end,
          maxTokens: 20_000,
        });
        expect(texts[0]).toBe(lines.slice(start - 1, end).join(""));
      }),
      { numRuns: runs(30) },
    );
  });

  it("over the budget gives whole lines, and the call for the next ones", async () => {
    const whole = String((await askJson("read", { file: STORE, preview_mode: "raw" })).text);
    let text = "";
    let next: string | undefined = "1";
    while (next !== undefined) {
      const { texts } = await ask("read", { file: STORE, preview_mode: "raw", start_line: next, max_tokens: 300 });
      text += texts[0];
      next = /"start_line":(\d+)/.exec(texts.at(-2) ?? "")?.[1];
    }
    expect(text).toBe(whole);
  });
});

describe("an outline", () => {
  it("keeps overloads and equal names apart, and shows nothing from inside functions", async () => {
    const symbols = await symbolsOf({});
    expect(symbols.filter(({ name }) => name === "find").map(({ startLine }) => startLine)).toEqual([50, 52, 53]);
    expect(symbols.filter(({ name }) => name === "size")).toHaveLength(2);
    expect(symbols.filter(({ name }) => name === "close").map(({ parent }) => parent)).toEqual([
      "Closable",
      "BaseStore",
    ]);
    for (const inner of ["retry", "Attempt", "run", "parse"])
      expect(symbols.map(({ name }) => name)).not.toContain(inner);
  });

  it("counts in its breakdown what it shows, most first", async () => {
    const { texts } = await ask("read", { file: STORE, preview_mode: "none", max_depth: 0 });
    expect(texts[0]).toBe(
      [
        "Found 6 symbols in file: src/store/store.ts (max depth 0)",
        "Symbol breakdown: 2 classes, 2 functions, 1 interface, 1 enum",
        '1 more symbol inside functions; get_tree {"node_id":"code:src/store/store.ts#openStore"} lists them.',
      ].join("\n"),
    );
    const names = texts.slice(1, -1).join("\n").split("\n");
    expect(names).toHaveLength(6);
  });

  it("shows code of symbols without members only, without their common indentation", async () => {
    const symbols = await symbolsOf({ codePreview: true });
    for (const { name, parent, kind, code } of symbols) {
      const hasMembers = symbols.some((other) => other.parent === (parent === undefined ? name : `${parent}.${name}`));
      expect(code === undefined, `${kind} ${name}`).toBe(hasMembers);
      expect(code ?? "x").toMatch(/^\S/);
    }
    expect(symbols.find(({ name }) => name === "list")?.code).toBe(
      'list(): string {\n  return this.find({}).map(formatLamp).join("\\n");\n}',
    );
    const { text } = await ask("read", { file: STORE, codePreview: true, max_tokens: 6000 });
    expect(text).toContain("  @93:3 Method - list\n  ```typescript\n  list(): string {\n    return this.find({})");
  });

  it("cuts long code with a comment of the language that says how much is left", async () => {
    const cut = (await symbolsOf({ preview_mode: "expanded", max_lines: 5 })).find(({ name }) => name === "add");
    expect(cut?.code?.split("\n")).toHaveLength(6);
    expect(cut?.code).toMatch(/\n {2}\/\/ \.\.\. 19 more lines$/);
    const python = (await askJson("read", { file: "src/tools/report.py", preview_mode: "expanded", max_lines: 1 }))
      .symbols as Shown[];
    expect(python.find(({ name }) => name === "create")?.code).toBe("def create() -> Loan:\n# ... 2 more lines");
  });

  it("is of the lines asked for alone", async () => {
    const symbols = await symbolsOf({ startLine: 30, endLine: 32 });
    expect(symbols.map(({ name }) => name)).toEqual(["Store", "LIMIT", "lamps"]);
    const [, add] = await symbolsOf({ preview_mode: "expanded", start_line: 86, end_line: 87 });
    expect(add?.code).toBe("if (this.size === Store.LIMIT) {\n  console.warn(`$" + "{this.name} is full now`);");
    const go = await askJson("read", { file: "src/tools/counter.go", start_line: 21, end_line: 21 });
    expect((go.symbols as Shown[]).map(({ name }) => name)).toEqual(["Counter", "Add"]);
  });

  it.each([
    [{ previewMode: "none" }, { preview_mode: "none" }],
    [{ codePreview: true }, { preview_mode: "expanded" }],
    [{ code_preview: "true" }, { preview_mode: "expanded" }],
    [{ codePreview: false }, { preview_mode: "none" }],
    [
      { maxDepth: 0, showContainer: true },
      { max_depth: 0, show_container: true },
    ],
    [
      { previewMode: "expanded", maxLines: 3 },
      { preview_mode: "expanded", max_lines: 3 },
    ],
    [
      { startLine: 30, endLine: 40 },
      { start_line: 30, end_line: 40 },
    ],
  ])("understands %j", async (given, same) => {
    const expected = await ask("read", { file: STORE, ...same });
    expect(await ask("read", { file: STORE, ...given })).toEqual(expected);
    for (const name of ["path", "source", "document_query", "doc_id", "filePath"]) {
      expect((await ask("read", { [name]: STORE, ...given })).text).toBe(expected.text);
    }
  });

  it.each([
    [{ file: STORE, start_line: 9, end_line: 3 }, "end_line 3 stands before start_line 9."],
    [{ file: STORE, start_line: 999, preview_mode: "raw" }, "start_line is 999"],
    [{ file: STORE, start_line: 0 }, "start_line must be a whole number of at least 1"],
    [{ file: STORE, preview_mode: "all" }, "preview_mode must be one of none, signature, expanded, raw"],
    [{ file: "nothing.ts" }, 'There is no document "nothing.ts".'],
    [{ file: "docs:upgrade.md" }, "has no symbols"],
    [{}, "read needs targets."],
  ])("refuses %j in words", async (given, message) => {
    const { isError, texts } = await ask("read", given);
    expect(isError).toBe(true);
    expect(texts[0]).toContain(message);
    expect(texts[0]).toContain("Example: ");
  });
});
