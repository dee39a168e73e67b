import { beforeAll, describe, expect, it } from "vitest";
import { defaultConfig } from "../../../../../indexer/config.ts";
import { loadParsers } from "../../../../../indexer/parse/code/load-parsers.ts";
import { parseCode } from "../../../../../indexer/parse/code/parse-code.ts";
import { loadedGrammar, loadGrammar } from "../../../../../indexer/parse/code/tree-sitter/grammars.ts";
import { MAX_PARSED_CHARS, parseBounded } from "../../../../../indexer/parse/code/tree-sitter/parse-bounded.ts";

/** Characters that are no code: Scala's and Swift's grammars look ahead to their end again and again. */
function makeGarbage(length: number): string {
  let seed = 1;
  const codes = Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return 32 + ((seed >>> 16) % 95);
  });
  return codes.map((code) => String.fromCharCode(code)).join("");
}

const GARBAGE = makeGarbage(100_000);

describe("parseBounded", () => {
  beforeAll(() => Promise.all([loadGrammar("scala"), loadGrammar("python")]));

  it("gives the tree of code, and of code that is as long as may be", () => {
    const { parser } = loadedGrammar("python");
    for (const text of ["", "x = 1\n", "value = [1, 2]\n".repeat(1_000), "#".repeat(MAX_PARSED_CHARS)]) {
      const tree = parseBounded(parser, text);
      expect([tree.rootNode.endIndex, tree.rootNode.hasError]).toEqual([text.length, false]);
      tree.delete();
    }
  });

  it("refuses what is longer", () => {
    expect(() => parseBounded(loadedGrammar("python").parser, "#".repeat(MAX_PARSED_CHARS + 1))).toThrow(
      "it has 1000001 characters, more than the 1000000 that are parsed",
    );
  });

  it("gives up what is read over and over, each time, and parses the next text", () => {
    const { parser } = loadedGrammar("scala");
    for (let n = 0; n < 2; n++) {
      expect(() => parseBounded(parser, GARBAGE)).toThrow("its syntax would take too long to work out");
      const tree = parseBounded(parser, "object A { def b = 1 }\n");
      expect(tree.rootNode.hasError).toBe(false);
      tree.delete();
    }
  });
});

describe("a source file beyond a bound", () => {
  it("is plain text with a diagnostic that says so", async () => {
    const parsers = await loadParsers(["a.scala", "a.py"]);
    const [{ outline }] = defaultConfig().collections as [ReturnType<typeof defaultConfig>["collections"][number]];
    for (const [path, text, reason] of [
      ["a.scala", GARBAGE, /too long to work out$/],
      ["a.py", "x = 1\n".repeat(200_000), /it has 1200000 characters/],
    ] as const) {
      const { file, parsed } = parseCode({ path, text }, parsers, outline) ?? {};
      expect([file?.symbols, file?.errors]).toEqual([[], 1]);
      expect(file?.diagnostics).toMatchObject([
        { code: "unparsed-code", message: expect.stringMatching(reason), path },
      ]);
      expect(parsed?.sections[0]?.blocks[0]?.text.slice(0, 50)).toBe(text.slice(0, 50));
    }
  });
});
