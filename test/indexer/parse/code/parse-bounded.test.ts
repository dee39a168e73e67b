import { beforeAll, describe, expect, it } from "vitest";
import type { Tree } from "web-tree-sitter";
import { type CollectionConfig, defaultConfig } from "../../../../indexer/config/config.ts";
import { prepareDocument } from "../../../../indexer/index/prepare-document.ts";
import { loadedGrammar, loadGrammar, parseBounded, wantsFreshHeap } from "../../../../indexer/parse/code/grammars.ts";
import { loadParsers } from "../../../../indexer/parse/code/parse-code.ts";

/** Characters that are no code: Scala's and Swift's grammars look ahead to their end again and again. */
function makeGarbage(length: number): string {
  let seed = 1;
  const codes = Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return 32 + ((seed >>> 16) % 95);
  });
  return codes.map((code) => String.fromCharCode(code)).join("");
}

const hasError = ({ rootNode }: Tree): boolean => rootNode.hasError;

const GARBAGE = makeGarbage(150_000);
/** In Python a text of which each half may be read in many ways, all at once. */
const EXPLOSIVE = `${"/*".repeat(1_000)}${"*/".repeat(1_000)}`;

describe("parseBounded", () => {
  beforeAll(() => Promise.all([loadGrammar("scala"), loadGrammar("python")]));

  it("gives the tree of code, and of code that is as long as may be", () => {
    const grammar = loadedGrammar("python");
    for (const text of ["", "x = 1\n", "value = [1, 2]\n".repeat(1_000), "#".repeat(1_000_000)]) {
      const end = parseBounded(grammar, text, ({ rootNode }) => [rootNode.endIndex, rootNode.hasError]);
      expect(end).toEqual([text.length, false]);
    }
  });

  it("refuses what is longer", () => {
    expect(() => parseBounded(loadedGrammar("python"), "#".repeat(1_000_000 + 1), hasError)).toThrow(
      "it has 1000001 characters, more than the 1000000 that are parsed",
    );
  });

  it("gives up what is read over and over, and parses the next text", () => {
    const grammar = loadedGrammar("scala");
    expect(() => parseBounded(grammar, GARBAGE, hasError)).toThrow("its syntax would take too long to work out");
    expect(parseBounded(grammar, "object A { def b = 1 }\n", hasError)).toBe(false);
  });
});

describe("a text that runs out of heap", () => {
  it("leaves a parser that parses the next text once its grammar is loaded again", async () => {
    // The second time nothing else was parsed in the heap: the verdict stands.
    for (const wantsAgain of [true, false]) {
      await loadGrammar("python");
      if (wantsAgain) parseBounded(loadedGrammar("python"), "x = 1\n", hasError);
      expect(() => parseBounded(loadedGrammar("python"), EXPLOSIVE, hasError)).toThrow(
        "would take too much memory to work out",
      );
      expect(wantsFreshHeap()).toBe(wantsAgain);
    }
    await loadGrammar("python");
    expect(parseBounded(loadedGrammar("python"), "x = 1\n", hasError)).toBe(false);
  });

  it("gets more of it when it is long", async () => {
    const text = "a\n".repeat(300_000);
    await loadGrammar("ruby");
    expect(() => parseBounded(loadedGrammar("ruby"), text, hasError)).toThrow("too much memory");
    expect(wantsFreshHeap()).toBe(true);
    await loadGrammar("ruby");
    parseBounded(loadedGrammar("ruby"), text, hasError);
  });
});

describe("a source file beyond a bound", () => {
  it("is plain text with a diagnostic that says so", async () => {
    const parsers = await loadParsers(["a.scala", "a.py"]);
    const [collection] = defaultConfig().collections as [CollectionConfig];
    for (const [path, text, reason] of [
      ["a.scala", GARBAGE, /too long to work out/],
      ["a.py", "x = 1\n".repeat(200_000), /it has 1200000 characters/],
    ] as const) {
      const source = { ok: true, text, bytes: text.length, contentHash: "0".repeat(16), diagnostics: [] } as const;
      const prepared = await prepareDocument({ number: 0, collection: 0, path }, collection, source, parsers);
      if (!prepared.ok) throw new Error(prepared.skipped.message);
      const { card, code } = prepared.document;
      const { diagnostics, isSource, sections } = card;
      expect(diagnostics).toMatchObject([{ code: "stage-failed", message: expect.stringMatching(reason), path }]);
      expect([code?.file.symbols, isSource, sections.length]).toEqual([[], true, 1]);
    }
  });
});
