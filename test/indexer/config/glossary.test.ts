import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadGlossary, parseGlossary } from "../../../indexer/config/topic-files.ts";
import glossarySchema from "../../../schemas/glossary.schema.json" with { type: "json" };
import { InputError } from "../../../src/core/errors.ts";
import { runs } from "../../support/runs.ts";
import { makeFolder } from "../../support/temporary-folder.ts";

function messageOf(text: string): string {
  try {
    parseGlossary(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

describe("parseGlossary", () => {
  it("reads the short form", () => {
    expect(parseGlossary('{"k8s": ["kubernetes", "kube"], "SSO": "single sign-on", "$schema": "x",}')).toEqual([
      { term: "k8s", synonyms: ["kubernetes", "kube"] },
      { term: "SSO", synonyms: ["single sign-on"] },
    ]);
    expect(parseGlossary("{}")).toEqual([]);
    expect(parseGlossary('{"terms": ["conditions"]}')).toEqual([{ term: "terms", synonyms: ["conditions"] }]);
  });

  it("reads entries with definitions, comments and a byte order mark", () => {
    const text = `\uFEFF{
      // people write both
      "terms": [{ "term": "SSO", "synonyms": ["single sign-on"], "definition": "One login." }],
    }`;
    expect(parseGlossary(text)).toEqual([{ term: "SSO", synonyms: ["single sign-on"] }]);
    expect(parseGlossary('{"terms": []}')).toEqual([]);
  });

  it.each([
    ["", "glossary.json:1:1: a value is missing here"],
    ["[]", "glossary.json:1:1: glossary must be an object, found a list"],
    ["{", "glossary.json:1:2: a closing } is missing here"],
    ['{"a": 5}', "glossary.json:1:7: glossary.a must be a list or a string, found the number 5"],
    ['{"a": [""]}', "glossary.json:1:8: glossary.a[0] must not be empty"],
    ['{"": ["b"]}', 'glossary.json:1:2: glossary: "" holds no letter and no digit'],
    ['{"a": ["…"]}', 'glossary.json:1:8: glossary.a[0] "…" holds no letter and no digit'],
    ['{"a": "b",\n "A": "c"}', 'glossary.json:2:2: glossary: "A" has two entries'],
    ['{"a": "b", "a": "c"}', "glossary.json:1:12: glossary.a is given twice"],
    ['{"terms": [{"term": "a"}]}', 'glossary.json:1:12: glossary.terms[0] lacks the required key "synonyms"'],
    [
      '{"terms": [{"term": "a", "synonym": ["b"], "synonyms": []}]}',
      'glossary.json:1:26: glossary.terms[0] has no key "synonym"; did you mean "synonyms"?',
    ],
    ['{"terms": [], "a": ["b"]}', 'glossary.json:1:15: glossary has no key "a"; its keys are: $schema, terms'],
    [
      '{"terms": [{"term": "a", "synonyms": ["b"]}, {"term": "A ", "synonyms": ["b"]}]}',
      'glossary.json:1:55: glossary.terms[1].term "A " has two entries',
    ],
    [
      `{"a": ${JSON.stringify(Array.from({ length: 8 }, (_, n) => `b${n}`))}}`,
      "glossary.json:1:7: glossary.a has 8 entries, at most 7 are allowed",
    ],
  ])("says what is wrong with %j", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it("reports every mistake at once, in order of place", () => {
    expect(messageOf('{"a": 1,\n"b": [2],\n"?": "c"}').split("\n")).toEqual([
      "glossary.json:1:7: glossary.a must be a list or a string, found the number 1",
      "glossary.json:2:7: glossary.b[0] must be a string, found the number 2",
      'glossary.json:3:1: glossary: "?" holds no letter and no digit',
    ]);
  });

  it("takes as many entries in both forms", () => {
    const most = glossarySchema.anyOf[0]?.properties.terms?.maxItems ?? 0;
    const short = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, "x"])));
    expect(parseGlossary(short(most)).length).toBe(most);
    expect(messageOf(short(most + 1))).toBe(
      `glossary.json:1:1: glossary has ${most + 1} entries, at most ${most} are allowed`,
    );
  });

  it("gives back what was written, or says what is wrong, for any JSON", () => {
    const term = fc.string({ unit: "grapheme", maxLength: 6 });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(term, fc.array(term, { maxLength: 3 }))), (value) => {
        const text = JSON.stringify(value);
        if (messageOf(text) !== "") {
          expect(messageOf(text)).toMatch(/^glossary\.json:\d+:\d+: /);
          return;
        }
        for (const entry of parseGlossary(text)) expect(text).toContain(JSON.stringify(entry.term));
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("loadGlossary", () => {
  it("reads glossary.json where there is one, and a file that is named", async () => {
    expect(await loadGlossary(await makeFolder(), "")).toEqual([]);
    const dir = await makeFolder({ "glossary.json": '{"a": "b"}', "words/own.json": '{"c": "?"}' });
    expect(await loadGlossary(dir, "")).toEqual([{ term: "a", synonyms: ["b"] }]);
    await expect(loadGlossary(dir, "words/own.json")).rejects.toThrow(
      'words/own.json:1:7: glossary.c "?" holds no letter and no digit',
    );
  });

  it("says that a named file is missing", async () => {
    await expect(loadGlossary(await makeFolder(), "none.json")).rejects.toThrow(
      new InputError('the glossary "none.json", which treeline.config.json names, does not exist'),
    );
  });
});
