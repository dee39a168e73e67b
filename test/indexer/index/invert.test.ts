import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Unit } from "../../../indexer/index/cut-units.ts";
import { type InvertedDocument, invertDocument } from "../../../indexer/index/invert.ts";
import { decodeFrequency, decodePostings, encodeFrequency, visitUnits } from "../../../src/core/format/postings.ts";
import { analyzeText, countWords, stopListOf } from "../../../src/core/text/analyze.ts";
import { isNameKey } from "../../../src/core/text/name-forms.ts";
import { anyWords } from "../../support/any-markdown.ts";
import { PostingBuilder } from "../../support/postings.ts";

type UnitText = Unit["texts"][number];

function unit(section: number, texts: readonly UnitText[], continuation = false): Unit {
  return { section, continuation, raw: "", texts };
}

const prose = (text: string): UnitText => ({ kind: "prose", text });
const code = (text: string): UnitText => ({ kind: "code", text });

const nameOf = ({ term, stop }: { readonly term: string; readonly stop: boolean }): string =>
  stop ? stopListOf(term) : term;

/** Terms and names of stop lists; names of documents have tests of their own. */
function termsOf({ terms }: InvertedDocument): readonly string[] {
  return terms.filter((term) => !isNameKey(term));
}

/** Units of each term and each list of a stop word: `[unit, frequency, flags]`. */
function readInverted({ terms, unitBytes, ends }: InvertedDocument): Record<string, [number, number, string][]> {
  const rows: Record<string, [number, number, string][]> = {};
  let start = 0;
  for (const [at, term] of terms.entries()) {
    const own = unitBytes.subarray(start, ends[at]);
    start = ends[at] as number;
    if (own.length === 0 || isNameKey(term)) continue;
    const builder = new PostingBuilder();
    builder.add(0, own);
    const list = decodePostings(builder.finish(false, () => 0));
    const units: [number, number, string][] = [];
    visitUnits(list, 0, (number, frequency, heading, inCode) => {
      units.push([number, frequency, `${heading ? "h" : ""}${inCode ? "c" : ""}`]);
    });
    rows[term] = units;
  }
  return rows;
}

describe("invertDocument", () => {
  it("puts title and path into unit 0, the description into unit 1 and texts into those from 2 on", () => {
    const inverted = invertDocument(
      { title: "Alpha", path: "guides/01-beta.md", description: "Gamma alpha", headings: ["Alpha", "Delta alpha"] },
      [unit(0, [prose("epsilon")]), unit(1, [prose("alpha alpha"), code("epsilon")])],
    );
    expect(readInverted(inverted)).toEqual({
      alpha: [
        [0, 1, "c"],
        [1, 1, ""],
        [2, 1, "h"],
        [3, 3, "h"],
      ],
      guid: [[0, 1, "h"]],
      beta: [[0, 1, "h"]],
      gamma: [[1, 1, ""]],
      epsilon: [
        [2, 1, ""],
        [3, 1, "c"],
      ],
      delta: [[3, 1, "h"]],
    });
    expect(inverted.lengths).toEqual({ body: 7, title: 1, path: 2, description: 2 });
    expect(Array.from(inverted.unitLengths)).toEqual([2, 5]);
  });

  it("gives a heading to the first unit of its section only", () => {
    const inverted = invertDocument({ title: "", path: "", description: "", headings: ["", "Alpha"] }, [
      unit(0, []),
      unit(1, [prose("beta")]),
      unit(1, [prose("gamma")], true),
    ]);
    expect(readInverted(inverted)["alpha"]).toEqual([[3, 1, "h"]]);
  });

  it("counts what a plain count gives, for any words", () => {
    fc.assert(
      fc.property(
        fc.record({ title: anyWords, description: anyWords, heading: anyWords }),
        fc.array(
          fc.array(fc.record({ kind: fc.constantFrom("prose" as const, "code" as const), text: anyWords }), {
            maxLength: 3,
          }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        ({ title, description, heading }, texts) => {
          const units = texts.map((parts, section) => unit(section, parts));
          const headings = texts.map(() => heading);
          const inverted = invertDocument({ title, path: "x.md", description, headings }, units);
          const rows = readInverted(inverted);
          const count = (text: string, term: string): number =>
            analyzeText(text).filter((token) => nameOf(token) === term).length;
          const scored = (frequency: number): number => decodeFrequency(encodeFrequency(frequency));
          for (const [term, found] of Object.entries(rows)) {
            for (const [at, parts] of texts.entries()) {
              const frequency = count(heading, term) + parts.reduce((sum, part) => sum + count(part.text, term), 0);
              const row = found.find(([number]) => number === at + 2);
              expect(row?.[1] ?? 0).toBe(frequency > 0 ? scored(frequency) : 0);
              expect(row?.[2].includes("h") ?? false).toBe(count(heading, term) > 0);
              expect(row?.[2].includes("c") ?? false).toBe(
                parts.some((part) => part.kind === "code" && count(part.text, term) > 0),
              );
            }
          }
          const all = [title, description, heading, "x", ...texts.flat().map(({ text }) => text)].join(" \n ");
          expect(new Set(Object.keys(rows))).toEqual(new Set(analyzeText(all).map(nameOf)));
          expect(inverted.lengths.title).toBe(countWords(title));
        },
      ),
    );
  });

  it("gives each term once, in the order in which terms come", () => {
    const inverted = invertDocument({ title: "b a", path: "", description: "", headings: [""] }, [
      unit(0, [prose("a c b")]),
    ]);
    expect(termsOf(inverted)).toEqual(["b", "a", stopListOf("a"), "c"]);
  });

  it.each([
    ["guide/install.md", "guid instal"],
    ["01-app/02-routing/index.mdx", "app rout index"],
    ["10 Steps.md", "step"],
    ["v1.2/notes.txt", "v1.2 v1 2 note"],
    ["2024.md", "2024"],
    ["README", "readm"],
  ])("takes ordering numbers and the ending off the path %s", (path, terms) => {
    const inverted = invertDocument({ title: "", path, description: "", headings: [""] }, [unit(0, [])]);
    expect(termsOf(inverted).join(" ")).toBe(terms);
    expect(inverted.lengths.path).toBe(terms.split(" ").filter((term) => term !== "v1.2").length);
  });
});
