/** The world gate fails where an answer is wrong: one planted fault per check. */
import { describe, expect, it } from "vitest";
import { type BuiltTree, checkOutlines, checkSymbols } from "../../bench/world/ask-checks.ts";
import { judgeEdits } from "../../bench/world/edit-checks.ts";
import { formatLine, formatReport } from "../../bench/world/format-report.ts";
import {
  type Answer,
  applyEdits,
  judgeAnswered,
  judgeBudget,
  judgeFiles,
  judgeGrep,
  judgeOutline,
  judgeReferences,
  judgeRename,
  judgeSymbol,
  judgeTitle,
} from "../../bench/world/judge-answers.ts";
import { createScanner, listTreeFiles, selectFiles } from "../../bench/world/tree-files.ts";
import { isGood, isMet, judgeMemory, judgeTime, type TreeResult, toOutcome } from "../../bench/world/tree-result.ts";
import { makeFolder, writeFiles } from "../support/temporary-folder.ts";

const BUILD = { files: 1, documents: 1, skipped: 0, symbols: 1, errors: 0, seconds: 1, cpuSeconds: 1, peakMb: 100 };
const GOOD: TreeResult = {
  name: "tree",
  kinds: ["go"],
  version: "1",
  outcomes: [toOutcome("build", 1, [])],
  build: BUILD,
};

function answer(json: Answer["json"], text = "an answer"): Answer {
  return { call: "tool({})", text, json, isError: false, budget: 3000 };
}

const refusal: Answer = { ...answer({}, "Something failed inside Treeline"), isError: true };

describe("a check of the world gate", () => {
  it("misses a file that is neither document nor named skip, and a document without a file", () => {
    const judge = (documents: string[], skipped: string[]) =>
      judgeFiles(["a.go", "b.go"], new Set(documents), new Set(skipped), (path) => path !== "gone.go");
    expect(judge(["a.go"], ["b.go"])).toEqual([]);
    expect(judge(["a.go"], [])).toEqual(["b.go: not a document"]);
    expect(judge(["a.go", "b.go", "gone.go"], [])).toEqual(["gone.go: a document without a file"]);
  });

  it("finds the files by itself: ignore files, kinds and configured collections decide", async () => {
    const dir = await makeFolder();
    const names = ["a.go", "guide/b.md", "out/c.go", "node_modules/d.js", "e.html", "404.html", "f.txt", ".g/h.md"];
    await writeFiles(dir, { ".gitignore": "out/\n", ...Object.fromEntries(names.map((name) => [name, "text\n"])) });
    const listed = listTreeFiles(dir, await makeFolder());
    expect(selectFiles(listed, ["docs", "code"], undefined)).toEqual(["guide/b.md", "a.go"]);
    expect(selectFiles(listed, ["site"], undefined)).toEqual(["e.html"]);
    const collections = [
      { root: "guide", include: ["*.md"] },
      { include: ["**/*.txt"], exclude: ["guide/**"] },
    ];
    expect(selectFiles(listed, [], { collections })).toEqual(["guide/b.md", "f.txt"]);
  });

  it("misses a refused, an empty and a foreign outline", () => {
    expect(judgeOutline("src/a.go", answer({}, "code:src/a.go, 3 symbols"))).toBeUndefined();
    expect(judgeOutline("src/a.go", answer({}, "code:src/b.go, 3 symbols"))).toContain("does not name a.go");
    expect(judgeOutline("src/a.go", answer({}, ""))).toContain("empty answer");
    expect(judgeOutline("src/a.go", refusal)).toContain("Something failed");
    expect(judgeAnswered(refusal)).toContain("Something failed");
  });

  it("misses a symbol of another name in the first place", () => {
    expect(judgeSymbol("open", answer({ symbols: [{ name: "open" }, { name: "opened" }] }))).toBeUndefined();
    expect(judgeSymbol("open", answer({ symbols: [{ name: "opened" }, { name: "open" }] }))).toContain('"opened"');
    expect(judgeSymbol("open", answer({ symbols: [] }))).toBeDefined();
  });

  it("misses a title that is not among the first five", () => {
    const results = ["a", "b", "c", "d", "Install", "Use"].map((title) => ({ title }));
    expect(judgeTitle("Install", answer({ results }))).toBeUndefined();
    expect(judgeTitle("Ins\u200Ftall", answer({ results }))).toBeUndefined();
    expect(judgeTitle("Use", answer({ results }))).toContain('first is "a"');
  });

  it("misses a reference whose line lacks the name, unless an import of the file binds another", () => {
    const lines = ["import { open as begin } from './a'", "begin()", "reopen()"];
    const judge = (...references: object[]) =>
      judgeReferences("open", answer({ references }), (_, line) => lines[line - 1]);
    const alias = { file: "code:b.ts", line: 1, kind: "imports" };
    expect(judge(alias, { file: "code:b.ts", line: 2, kind: "calls" })).toBeUndefined();
    expect(judge({ file: "code:b.ts", line: 2, kind: "calls" })).toContain("1 of 1 without open");
    expect(judge(alias, { file: "code:b.ts", line: 3, kind: "calls" })).toContain("reopen()");
    expect(judge({ file: "code:b.ts", line: 9, kind: "imports" })).toContain("no such line");
  });

  it("misses a rename that breaks a file, declares nothing, or is not at its place", () => {
    const file = { path: "a.go", errorsBefore: 1, errorsAfter: 1, namesAfter: ["openNew"] };
    expect(judgeRename("rename", "openNew", [file])).toBeUndefined();
    expect(judgeRename("rename", "openNew", [{ ...file, errorsAfter: 2 }])).toContain("new syntax errors in a.go");
    expect(judgeRename("rename", "close", [file])).toContain("nothing declares close");
    const edits = [1, 7].map((column) => ({ line: 2, column, oldText: "open", newText: "close" }));
    expect(applyEdits("x\nopen, open\n", edits)).toBe("x\nclose, close\n");
    expect(() => applyEdits("x\nopen, shut\n", edits)).toThrow("open is not at 2:7");
  });

  it("misses an empty, a wrong and an incomplete list of lines", () => {
    const expected = new Set(["a.go:1", "a.go:2"]);
    const found = (...lines: number[]) => [{ path: "a.go", matches: lines.map((line) => ({ line })) }];
    const judge = (json: Answer["json"]) => judgeGrep(expected, answer({ truncated: false, ...json }));
    expect(judge({ total: 2, results: found(1, 2) })).toBeUndefined();
    expect(judge({ total: 0, results: [] })).toContain("falsely empty; a.go:1 holds it");
    expect(judge({ total: 0, results: [], truncated: true })).toContain("falsely empty");
    expect(judge({ total: 2, results: found(1, 3) })).toContain("a.go:3 does not hold it");
    expect(judge({ total: 1, results: found(1) })).toContain("such as a.go:2");
    expect(judge({ total: 2, results: found(1) })).toContain("a.go:2 is missing");
    expect(judge({ total: 2, results: found(1), leftOut: "Shown 1 of 2" })).toBeUndefined();
    expect(judge({ total: 1, results: found(1), truncated: true })).toBeUndefined();
  });

  it("finds the lines of a literal by itself, with characters that mean something in an expression", async () => {
    const dir = await makeFolder();
    await writeFiles(dir, { "a.go": "x\r\nf(a[0])\r\n", "b.go": "\uFEFFf(a[0])\n", "c.txt": "f(a[0])\n" });
    expect(createScanner(dir, ["a.go", "b.go"]).scan("f(a[0])")).toEqual(new Set(["a.go:2", "b.go:1"]));
    expect(createScanner(dir, ["a.go", "b.go"], false).scan("f(a[0])")).toEqual(new Set(["a.go:2", "b.go:1"]));
  });

  it("misses each edit that an index on a base does not show", () => {
    const edits = { added: "n.go", changed: ["a.go", "b.go"], deleted: "d.go", renamed: ["o.go", "p.go"] } as const;
    const gone = { ...refusal, text: "There is no document d.go." };
    const index = {
      paths: new Set(["n.go", "p.go"]),
      added: answer({ total: 1 }),
      changed: answer({ total: 2 }),
      deleted: gone,
    };
    expect(judgeEdits(edits, index)).toEqual([]);
    expect(judgeEdits(edits, { ...index, paths: new Set(["p.go"]) })[0]).toContain("n.go: added");
    expect(judgeEdits(edits, { ...index, paths: new Set(["n.go"]) })[0]).toContain("o.go: renamed");
    expect(judgeEdits(edits, { ...index, added: answer({ total: 0 }) })[0]).toContain("its word is not found");
    expect(judgeEdits(edits, { ...index, changed: answer({ total: 1 }) })[0]).toContain("1 changed lines found");
    expect(judgeEdits(edits, { ...index, deleted: answer({}) })[0]).toContain("d.go: deleted");
    expect(judgeEdits(edits, { ...index, deleted: refusal })[0]).toContain("d.go: deleted");
  });

  it("misses an answer over its budget", () => {
    expect(judgeBudget(answer({}, "x".repeat(12_000)))).toBeUndefined();
    expect(judgeBudget(answer({}, "x".repeat(12_004)))).toContain("3001 tokens, 3000 allowed");
  });

  it("knows a file by its name as ids have it, and a class by what it calls itself", () => {
    expect(judgeOutline("a/%40b.md", answer({}, "docs:a/%2540b.md"))).toBeUndefined();
    expect(judgeOutline("a/%40b.md", answer({}, "docs:a/c.md"))).toContain("does not name");
    const references = [{ file: "a.php", line: 1, kind: "instantiates", tier: "scope" }];
    const judged = (line: string) => judgeReferences("Cookie", answer({ references }), () => line);
    expect(judged("return new self($data);")).toBeUndefined();
    expect(judged("return new Other($data);")).toContain("1 of 1 without Cookie");
  });

  it("misses a slow build and one that takes too much memory", () => {
    expect(isMet(judgeTime({ ...BUILD, seconds: 61, cpuSeconds: 61 }, false))).toBe(false);
    expect(isMet(judgeTime({ ...BUILD, seconds: 61, cpuSeconds: 61 }, true))).toBe(true);
    expect(isMet(judgeTime({ ...BUILD, seconds: 200, cpuSeconds: 59 }, false))).toBe(true);
    expect(isMet(judgeMemory({ ...BUILD, peakMb: 729 }, 1e6))).toBe(true);
    expect(isMet(judgeMemory({ ...BUILD, peakMb: 731 }, 1e6))).toBe(false);
    expect(isMet(judgeMemory({ ...BUILD, peakMb: 3001 }, 1e9))).toBe(false);
  });

  it("lets one symbol of fifty miss, and no outline", async () => {
    const names = Array.from({ length: 50 }, (_, at) => `name${at}`);
    const treeWith = (wrong: number): BuiltTree => {
      const ask = async (_: string, args: Readonly<Record<string, unknown>>): Promise<Answer> => {
        const isWrong = names.indexOf(String(args["query"] ?? args["doc_id"])) < wrong;
        return answer(
          { symbols: [{ name: isWrong ? "other" : args["query"] }] },
          isWrong ? "other" : String(args["doc_id"]),
        );
      };
      return {
        ...{ dir: "", kinds: new Map(), random: () => 0, server: { ask, askJson: ask, close: async () => undefined } },
        samples: { outlines: 50, symbols: 50, titles: 0, references: 0, literals: 0 },
        documents: names.map((name) => ({ id: name, path: name, title: name, collection: "docs" })),
        symbols: names.map((name) => ({ id: name, name, kind: "function" })),
      };
    };
    expect((await checkSymbols(treeWith(1))).passed).toBe(49);
    expect(isMet(await checkSymbols(treeWith(1)))).toBe(true);
    expect(isMet(await checkSymbols(treeWith(2)))).toBe(false);
    expect(isMet(await checkOutlines(treeWith(0)))).toBe(true);
    expect(isMet(await checkOutlines(treeWith(1)))).toBe(false);
  });
});

describe("the report of the world gate", () => {
  it("says per tree whether it is good, failed or not here", () => {
    expect(formatLine(GOOD)).toBe("ok tree (1 documents, 1.0 s, 100 MB)");
    expect(formatLine({ ...GOOD, skipped: "no\n apt" })).toBe("skipped tree (no apt)");
    const failed = { ...GOOD, outcomes: [toOutcome("grep", 10, ["falsely empty"])] };
    expect(formatLine(failed)).toBe("FAILED tree (grep 9/10, 1 documents, 1.0 s, 100 MB)");
    expect(isGood({ ...GOOD, build: undefined } as unknown as TreeResult)).toBe(false);
  });

  it("lists every miss by name with the command that shows it again", () => {
    const { whole, misses } = formatReport([{ ...GOOD, outcomes: [toOutcome("symbols", 50, ["one miss"], 1)] }]);
    expect(misses).toContain("npm run prove:world -- tree --again --keep");
    expect(misses).toContain("symbols 49/50, within the floor\n    one miss");
    expect(whole).toContain("1 of 1 trees are good");
  });
});
