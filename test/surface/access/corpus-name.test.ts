import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/errors.ts";
import { CORPUS_NAME, checkCorpusName, isCorpusName, RESERVED_NAMES } from "../../../src/surface/access/corpus-name.ts";
import { runs } from "../../support/runs.ts";

describe("the name of a corpus", () => {
  it("is of small letters, digits and . _ - with neither sign at an end", () => {
    for (const name of ["v2", "1", "a", "2.0", "next_gen", "a.b-c_d", "x".repeat(64)]) {
      expect(isCorpusName(name), name).toBe(true);
    }
    for (const name of [
      "",
      ".",
      "..",
      ".v2",
      "v2.",
      "-a",
      "a_",
      "V2",
      "a/b",
      "ä",
      "a b",
      "%76",
      "x".repeat(65),
      "v2\n",
    ]) {
      expect(isCorpusName(name), name).toBe(false);
    }
  });

  it("is no address of the server and no object at the root of a bucket", () => {
    for (const name of ["mcp", "s", "session", "search", "corpora", "llms.txt", "access.json", "treeline.pointer"]) {
      expect(isCorpusName(name), name).toBe(false);
    }
    for (const name of ["search.js", "search-de.js", "highlight.js", "pagefind", "pagefind-highlight.js", "explorer"]) {
      expect(isCorpusName(name), name).toBe(false);
    }
    for (const name of ["next.js", "search-v2"]) expect(isCorpusName(name), name).toBe(true);
    expect(isCorpusName(`${"0a".repeat(16)}.root`)).toBe(false);
    expect(isCorpusName("0a".repeat(16))).toBe(true);
  });

  it("is refused with what is allowed and the nearest name that is", () => {
    const refusal = (name: string): InputError => {
      try {
        checkCorpusName(name);
      } catch (error) {
        if (error instanceof InputError) return error;
      }
      throw new Error(`${name} was not refused`);
    };
    expect(refusal("V2 Docs/").message).toContain("small letters, digits and the signs . _ -");
    expect(refusal("V2 Docs/").nearest).toEqual(["v2-docs"]);
    expect(refusal("search").message).toContain("the server has something else at that address");
    expect(refusal("search").nearest).toEqual(["search-docs"]);
    expect(refusal(`${"0a".repeat(16)}.root`).message).toContain("index files are called so");
    expect(refusal("///").nearest).toEqual([]);
    expect(refusal("Ünicode").nearest).toEqual(["unicode"]);
  });

  it("is never what a reserved word is, and what is proposed may be one", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...RESERVED_NAMES)), (name) => {
        if (isCorpusName(name)) {
          expect(CORPUS_NAME.test(name) && !RESERVED_NAMES.has(name)).toBe(true);
          return;
        }
        expect(() => checkCorpusName(name)).toThrow(InputError);
        try {
          checkCorpusName(name);
        } catch (error) {
          for (const near of (error as InputError).nearest) expect(isCorpusName(near), near).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
