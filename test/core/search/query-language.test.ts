import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/core/search/query.ts";
import { analyzeText, isStopList, stopListOf } from "../../../src/core/text/analyze.ts";
import { anyOperators } from "../../support/any-query.ts";
import { runs } from "../../support/runs.ts";

const FACETS = ["type", "code_language", "has_code", "constructor"];

function parse(text: string, asYouType = false) {
  return parseQuery(text, { facetKeys: FACETS, asYouType });
}

/** A query in one line: `words | required | -excluded | fields`, alternatives joined by `/`, beginnings with `*`. */
function show(text: string): string {
  const { words, requirements, fields } = parse(text);
  const parts = [
    words
      .map(({ terms, isPrefix }) => `${terms.filter((term) => !isStopList(term)).join("/")}${isPrefix ? "*" : ""}`)
      .join(" "),
    requirements
      .map(({ anyOf, negated }) => `${negated ? "-" : ""}${anyOf.map(({ terms }) => terms.join("+")).join("/")}`)
      .join(" "),
    fields.map(({ field, values, negated }) => `${negated ? "-" : ""}${field}:${values.join("/")}`).join(" "),
  ];
  return parts.join(" | ");
}

describe("the query language", () => {
  it.each([
    ["plain words", "cache routes", "cach rout |  | "],
    ["a phrase", 'cache "server components" now', "cach server compon | server+compon | "],
    ["typographic quotes", "“server components”", "server compon | server+compon | "],
    ["a phrase of one word", '"routing"', "rout | rout | "],
    ["stop words in a phrase", '"state of the art"', "state art | state+of+the+art | "],
    ["a phrase of stop words", '"to be or not"', "to be or not | to+be+or+not | "],
    ["an excluded word", "cache -redis", "cach | -redi | "],
    ["an excluded phrase", 'cache -"old api"', "cach | -old+api | "],
    ["NOT", "cache NOT redis", "cach | -redi | "],
    ["AND", "cache AND redis", "cach redi |  | "],
    ["OR of words", "cache OR redis", "cach/redi |  | "],
    ["OR of three words", "cache OR redis OR store proxy", "cach/redi/store proxi |  | "],
    ["pipes", "cache | redis || store", "cach/redi/store |  | "],
    ["a phrase or a word", '"server components" OR routing', "server compon rout | server+compon/rout | "],
    ["a word or a phrase", 'routing OR "server components"', "rout server compon | rout/server+compon | "],
    ["words or a phrase", 'cache OR redis OR "old api"', "cach/redi old api | cach/redi/old+api | "],
    ["two phrases", '"a1 b1" OR "a2 b2" c3', "a1 b1 a2 b2 c3 | a1+b1/a2+b2 | "],
    ["a beginning", "auth* token", "auth* token |  | "],
    ["a beginning as an alternative", "token OR auth*", "token auth* |  | "],
    ["a title", "title:routing handler", "rout handler |  | title:routing"],
    ["a title in quotes", 'title:"dynamic routes"', "dynam rout |  | title:dynamic routes"],
    ["a path with stars", "cache path:guide/*.md", "cach |  | path:guide/*.md"],
    ["a facet", "cache type:guide", "cach |  | type:guide"],
    ["values of one facet", "cache type:guide type:faq", "cach |  | type:guide/faq"],
    ["values with a comma", "cache type:guide,faq", "cach |  | type:guide/faq"],
    ["several facets", "cache type:guide hasCode:true", "cach |  | type:guide has_code:true"],
    ["an excluded facet value", "cache -type:guide", "cach |  | -type:guide"],
    ["a facet in camelCase, in capitals", "cache codeLanguage:ts TYPE:faq", "cach |  | code_language:ts type:faq"],
    ["a facet named like a member of every object", "cache constructor:x", "cach |  | constructor:x"],
    ["an excluded facet value alone", "-type:guide", " |  | -type:guide"],
    ["exclusions and a field", "-cache type:guide", " | -cach | type:guide"],
    ["fields alone", "type:guide path:api", " |  | type:guide path:api"],
    ["brackets", "(cache OR redis) AND (proxy)", "cach/redi proxi |  | "],
  ])("has %s: %s", (_, text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["an unclosed quote", '"server components', "server compon |  | "],
    ["a quote too many", '"server components" "', "server compon | server+compon | "],
    ["a quote inside a word", 'href="/about"', "href |  | "],
    ["empty quotes", '"" cache ""', "cach |  | "],
    ["OR at the beginning", "OR cache", "cach |  | "],
    ["OR at the end", "cache OR", "cach |  | "],
    ["OR twice", "cache OR OR redis", "cach/redi |  | "],
    ["OR before an exclusion", "cache OR -redis proxy", "cach proxi | -redi | "],
    ["only OR", "OR", "or |  | "],
    ["only NOT", "NOT", "not |  | "],
    ["only exclusions", "-cache -redis", "cach redi |  | "],
    ["only exclusions and signs", "-cache ?! -redis", "cach redi |  | "],
    ["a lone dash", "cache - redis", "cach redi |  | "],
    ["a flag", "tar --exclude -g", "tar --exclude exclud g |  | "],
    ["a dash in a word", "server-side cache", "serversid server side cach |  | "],
    ["a field without a value", "type: cache", "type cach |  | "],
    ["an address", "http://example.org", "http example.org exampl org |  | "],
    ["a scope of C++", "std::vector", "std::vector std vector |  | "],
    ["a field that is none", "colour:red", "colour:red colour red |  | "],
    ["a title of signs", "cache -title:??", "cach |  | "],
    ["a star alone", "cache *", "cach |  | "],
  ])("takes %s as text: %s", (_, text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ['how do I open a file called "x y" in vim', "file x y vim"],
    ["use find with -name to list files", "find name list file"],
    ["what is the difference of cache OR store", "differ cach store"],
  ])("takes the operators of a sentence as text: %s", (text, expected) => {
    const { requirements, hasOperators } = parse(text);
    expect({ requirements, hasOperators }).toEqual({ requirements: [], hasOperators: false });
    for (const word of expected.split(" ")) expect(parse(text).words.flatMap(({ terms }) => terms)).toContain(word);
  });

  it.each([
    ['how do I open a file called "x y" in vim', true],
    ["-cache -redis", true],
    ["how do I open a file in vim", false],
    ["cache -redis", false],
    ["-cache type:guide", false],
    ["how do I configure auth* in type:guide -type:faq", false],
  ])("says whether operators were taken as text: %s", (text, expected) => {
    expect(parse(text).operatorsAsText).toBe(expected);
  });

  it("takes an identifier with a star for its own beginning, not for that of its parts", () => {
    expect(show("useRou* hook")).toBe("userou* hook |  | ");
    expect(show("max_old* size")).toBe("maxold* size |  | ");
  });

  it("keeps fields and beginnings in a sentence", () => {
    const { words, fields } = parse("how do I configure auth* in type:guide -type:faq");
    expect(words.filter(({ isPrefix }) => isPrefix).map(({ terms }) => terms)).toEqual([["auth"]]);
    expect(fields).toEqual([
      { field: "type", values: ["guide"], negated: false },
      { field: "type", values: ["faq"], negated: true },
    ]);
  });

  it("excludes an identifier itself, not its parts wherever they stand side by side", () => {
    expect(parse("cache -getUserName").requirements).toMatchObject([{ anyOf: [{ terms: ["getusernam"] }] }]);
    expect(parse('cache -"getUserName"').requirements).toMatchObject([{ anyOf: [{ terms: ["get", "user", "name"] }] }]);
  });

  it("never corrects what stands in quotes", () => {
    const { words } = parse('routr "routr handlr"');
    expect(words.map(({ isQuoted }) => isQuoted)).toEqual([true, true]);
    expect(parse("routr handlr").words.map(({ isQuoted }) => isQuoted)).toEqual([false, false]);
  });

  it("never throws, and what it understood is bounded, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyOperators, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 })),
        fc.boolean(),
        (text, asYouType) => {
          const { words, pairs, requirements, fields } = parse(text, asYouType);
          const looked = new Set(requirements.flatMap(({ anyOf }) => anyOf.flatMap(({ terms }) => terms)));
          expect(words.length).toBeLessThanOrEqual(128);
          expect(looked.size).toBeLessThanOrEqual(128);
          const known = new Set(words.flatMap(({ terms }) => terms));
          for (const { terms } of pairs)
            expect(words.length === 128 || terms.some((term) => known.has(term))).toBe(true);
          for (const { anyOf } of requirements) {
            expect(anyOf.length).toBeGreaterThan(0);
            for (const { terms } of anyOf) expect(terms.length).toBeGreaterThan(0);
          }
          for (const { field, values } of fields) {
            expect([...FACETS, "title", "path"]).toContain(field);
            expect(values.length).toBeGreaterThan(0);
          }
          // What asks for nothing but exclusions asks for nothing.
          if (requirements.length > 0 && words.length === 0 && fields.length === 0)
            expect(requirements.some(({ negated }) => !negated)).toBe(true);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it("drops no word of a text without quotes, dashes, colons, stars and capitals", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("cache", "route", "a1", "日本語", "snake_case", "the"), { minLength: 1 }),
        (all) => {
          const { words, stopWordsUsed } = parse(all.join(" "));
          const wanted = analyzeText(all.join(" ")).filter(({ stop }) => stop === stopWordsUsed);
          const names = wanted.flatMap(({ term, stop }) => (stop ? [term, stopListOf(term)] : [term]));
          expect(new Set(words.flatMap(({ terms }) => terms))).toEqual(new Set(names));
        },
      ),
    );
  });

  it.each([
    ["ten thousand words", Array.from({ length: 10_000 }, (_, n) => `word${n}`).join(" "), 9_872],
    ["two thousand quotes", '"'.repeat(2000), 0],
    ["two thousand quoted words", Array.from({ length: 2000 }, (_, n) => `"word${n}"`).join(" "), 1_888],
    [
      "sixty excluded phrases of ten words",
      `cache ${Array.from({ length: 60 }, (_, n) => `-"${Array.from({ length: 10 }, (__, m) => `w${n}x${m}`).join(" ")}"`).join(" ")}`,
      56,
    ],
    ["a hundred thousand identifiers", Array.from({ length: 100_000 }, (_, n) => `a_${n % 5000}`).join(" "), 9_872],
    ["a hundred thousand alternatives", `a1 ${"OR a1 ".repeat(100_000)}`, 0],
    ["a hundred thousand brackets", "(".repeat(100_000), 0],
    ["a hundred thousand dashes", "-".repeat(100_000), 0],
    ["a hundred thousand colons", "type:".repeat(100_000), undefined],
  ])("is understood where there are %s, and says how much is not looked up", (_, text, unused) => {
    const { words, requirements, unused: left } = parse(text);
    expect(words.length).toBeLessThanOrEqual(128);
    expect(requirements.length).toBeLessThanOrEqual(48);
    if (unused !== undefined) expect(left).toBe(unused);
  });
});

describe("as-you-type", () => {
  const openOf = (text: string): string[] =>
    parse(text, true)
      .words.filter(({ isPrefix }) => isPrefix)
      .map(({ word }) => word);

  it("takes the last word for a beginning, and no other", () => {
    expect(openOf("cache rou")).toEqual(["rou"]);
    expect(openOf("rou")).toEqual(["rou"]);
    expect(openOf("rou cache rou")).toEqual(["rou"]);
    expect(parse("cache rou").words.some(({ isPrefix }) => isPrefix)).toBe(false);
  });

  it.each(["cache ", "cache the", 'cache "rou"', "cache -rou", "type:gui", "cache OR rou", "cache type:guide"])(
    "takes no word for a beginning where the text does not end in one: %j",
    (text) => {
      expect(openOf(text)).toEqual([]);
    },
  );
});
