import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateSpots } from "../../../src/core/text/source-spots.ts";

/** What every `X` of a text lies in, and the bracket before it. */
function read(text: string, language: string): string[] {
  const offsets = [...text.matchAll(/X/g)].map(({ index }) => index);
  return locateSpots(text, language, offsets).map(({ within, bracket }) => `${within} ${text[bracket] ?? ""}`.trim());
}

describe("locateSpots", () => {
  it("tells code, strings and comments of scripts apart", () => {
    const text = `X; // X\n/* X */ f(X, 'X', "X\\"X", \`X \${g({ X })} X \${X}\`); a = /X'/g; [X] X`;
    const wanted = ["code", "comment", "comment", "code (", "string (", "string (", "string (", "string ("];
    wanted.push("code {", "string (", "code {", "string", "code [", "code");
    expect(read(text, "typescript")).toEqual(wanted);
  });

  it("takes a slash behind a value for a division", () => {
    expect(read("a = b / X / 'X'", "javascript")).toEqual(["code", "string"]);
  });

  it("knows long strings and comments of Python", () => {
    expect(read('"""X\n"X"""\nX # X\nf(r"X")', "python")).toEqual(["string", "string", "code", "comment", "string ("]);
  });

  it("knows single letters and lifetimes of Rust", () => {
    expect(read("fn f<'a>(x: &'a X) { '\"'; X }", "rust")).toEqual(["code (", "code {"]);
  });

  it("ends a string that nothing closes at the end of its line", () => {
    expect(read("don't X\nX", "typescript")).toEqual(["string", "code"]);
  });

  const parts = fc.array(
    fc.constantFrom(
      ["a + ", "code"] as const,
      ["b;\n", "code"] as const,
      ["/* ' X \" */", "comment"] as const,
      ["// ` X\n", "comment"] as const,
      ["'// X'", "string"] as const,
      ['"/* X \\" "', "string"] as const,
      ["`X 'n`", "string"] as const,
      [" X ", "code"] as const,
      ["(X)", "code"] as const,
    ),
  );

  it("gives for any row of parts what each part is", () => {
    fc.assert(
      fc.property(parts, (row) => {
        const text = row.map(([part]) => part).join(" ");
        const wanted = row.flatMap(([part, kind]) => (part.includes("X") ? [kind] : []));
        expect(read(text, "typescript").map((spot) => spot.split(" ")[0])).toEqual(wanted);
      }),
    );
  });

  it("answers for every offset of any text, in any language", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("typescript", "python", "rust", "go", "bash", "php", "other"),
        (text, language) => {
          const offsets = Array.from({ length: text.length + 1 }, (_, at) => at);
          const spots = locateSpots(text, language, offsets);
          expect(spots).toHaveLength(offsets.length);
          for (const [at, { bracket }] of spots.entries()) expect(bracket).toBeLessThan(Math.max(at, 1));
        },
      ),
    );
  });
});
