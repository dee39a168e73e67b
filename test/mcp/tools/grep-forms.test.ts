import { describe, expect, it } from "vitest";
import type { FileMatches, GrepAnswer, LineMatch } from "../../../src/core/search/grep.ts";
import { grepForms, summarizeGrep } from "../../../src/mcp/tools/grep-documents.ts";

const shownId = (id: string): string => id;

function match(line: number, text: string, around: Partial<LineMatch> = {}): LineMatch {
  return { line, column: 1, text, before: [], after: [], ...around };
}

function file(path: string, matches: readonly LineMatch[], count = matches.length): FileMatches {
  return { id: `docs:${path}`, path, url: "", count, matches };
}

function answer(files: readonly FileMatches[], more: Partial<GrepAnswer> = {}): GrepAnswer {
  const total = files.reduce((sum, { count }) => sum + count, 0);
  return {
    files,
    total,
    candidates: files.length,
    selectsNothing: false,
    scanned: files.length,
    bytesScanned: 100,
    next: undefined,
    ...more,
  };
}

function textOf(found: GrepAnswer): string {
  return grepForms(found, shownId)[0]?.blocks().join("\n") ?? "";
}

describe("matches as text", () => {
  it("stand under their document, each with its lines around", () => {
    const found = answer([
      file("a.md", [match(2, "two", { before: ["one"], after: [""] })], 7),
      file("b.md", [match(1, "b")]),
    ]);
    expect(textOf(found)).toBe("docs:a.md (7 matches)\n1- one\n2: two\n3-\ndocs:b.md (1 match)\n1: b");
  });

  it("show each line once, and a mark where lines are left out between", () => {
    const lines = ["one", "hit", "three", "hit", "hit", "six", "seven", "eight", "nine", "hit"];
    const at = (line: number): LineMatch =>
      match(line, "hit", { before: lines.slice(line - 2, line - 1), after: lines.slice(line, line + 1) });
    expect(textOf(answer([file("a.md", [at(2), at(4), at(5), at(10)])]))).toBe(
      "docs:a.md (4 matches)\n1- one\n2: hit\n3- three\n4: hit\n5: hit\n6- six\n--\n9- nine\n10: hit",
    );
  });

  it("cut long lines around the match, and never through a character", () => {
    const text = `${"a".repeat(500)}needle${"b".repeat(500)}`;
    const shown = textOf(answer([file("a.md", [match(1, text, { column: 501 })])]));
    expect(shown).toContain(`1: …${"a".repeat(60)}needle`);
    expect(shown.length).toBeLessThan(300);
    expect(shown.endsWith("…")).toBe(true);
    for (let column = 400; column < 404; column++) {
      const emoji = textOf(answer([file("a.md", [match(1, "😀".repeat(500), { column })])]));
      expect(emoji).not.toMatch(/\p{Cs}/u);
    }
    expect(textOf(answer([file("a.md", [match(1, "x".repeat(1_000_000), { column: undefined })])]))).toMatch(
      /1: x{240}…$/,
    );
  });
});

describe("matches as JSON", () => {
  it("are grouped by document, as many as asked for", () => {
    const found = answer([file("a.md", [match(1, "x"), match(2, "y")]), file("b.md", [match(3, "z")])], {
      candidates: 9,
    });
    const [form] = grepForms(found, shownId);
    expect(form?.json(2)).toEqual({
      total: 3,
      files: 2,
      truncated: true,
      candidateFiles: 9,
      scannedFiles: 2,
      results: [
        {
          id: "docs:a.md",
          path: "a.md",
          count: 2,
          matches: [
            { line: 1, column: 1, text: "x", before: [], after: [] },
            { line: 2, column: 1, text: "y", before: [], after: [] },
          ],
        },
      ],
    });
  });
});

describe("the summary of a grep", () => {
  it("says what was left out", () => {
    const whole = answer([file("a.md", [match(1, "x")])]);
    expect(summarizeGrep(whole, '"x"')).toBe('Found 1 match for "x" in 1 file.');
    const part = answer([file("a.md", [match(1, "x")], 1200)], { candidates: 3000, scanned: 1204 });
    expect(summarizeGrep(part, '"x"')).toBe(
      'Found at least 1,200 matches for "x" in 1 file. Truncated: 1,204 of 3,000 candidate files scanned whole, in order of path; narrow with path_glob, filters or a longer pattern.',
    );
  });
});
