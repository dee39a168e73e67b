import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutUnits } from "../../../indexer/index/cut-units.ts";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import type { ExcerptPart } from "../../../src/core/search/answer.ts";
import { makeExcerpt } from "../../../src/core/search/hits.ts";
import { analyzeText } from "../../../src/core/text/analyze.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import { runs } from "../../support/runs.ts";

function excerptOf(source: string, ...terms: string[]): ExcerptPart[] {
  return makeExcerpt(source, "", new Map(terms.map((term) => [term, 1])), "section");
}

/** An excerpt as one text, marks in brackets. */
function show(parts: readonly ExcerptPart[]): string {
  return parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");
}

function textOf(parts: readonly ExcerptPart[]): string {
  return parts.map(({ text }) => text).join("");
}

const filler = (words: number): string => Array.from({ length: words }, (_, n) => `filler${n % 10}`).join(" ");

describe("makeExcerpt", () => {
  it("marks every match, however the word is written", () => {
    expect(show(excerptOf("Routing a Route with the route's ROUTES.", "rout"))).toBe(
      "[Routing] a [Route] with the [route's] [ROUTES].",
    );
    expect(show(excerptOf("Un café près d’ici", "cafe"))).toBe("Un [café] près d’ici");
    expect(show(excerptOf("日本語の文書", "本語"))).toBe("日[本語]の文書");
  });

  it("marks an identifier whole where it is meant, and the part where that is meant", () => {
    expect(show(excerptOf("Call getUserName here", "getusernam"))).toBe("Call [getUserName] here");
    expect(show(excerptOf("Call getUserName here", "user"))).toBe("Call [getUserName] here");
  });

  it("shows the place where most of the words stand together", () => {
    const source = `${filler(60)} alpha ${filler(60)}. Here alpha meets beta. ${filler(60)} beta ${filler(60)}`;
    const text = show(excerptOf(source, "alpha", "beta"));
    expect(text).toContain("[alpha] meets [beta]");
    expect(text.startsWith("… ")).toBe(true);
    expect(text.endsWith(" …")).toBe(true);
  });

  it("prefers words side by side to the same words apart", () => {
    const source = `alpha and beta and alpha ${filler(80)} the alpha beta ${filler(80)}`;
    expect(show(excerptOf(source, "alpha", "beta"))).toContain("the [alpha] [beta]");
  });

  it("prefers the heavier word", () => {
    const source = `common ${filler(80)} rare ${filler(80)}`;
    const parts = makeExcerpt(
      source,
      "",
      new Map([
        ["common", 1],
        ["rare", 5],
      ]),
      "section",
    );
    expect(show(parts)).toContain("[rare]");
    expect(show(parts)).not.toContain("[common]");
  });

  it("begins with a sentence where one begins near", () => {
    const source = `${filler(50)}. The cache is bounded by a budget. ${filler(50)}`;
    expect(show(excerptOf(source, "budget"))).toMatch(/^… The cache is bounded by a \[budget\]\./);
  });

  it("has thirty words", () => {
    const words = `needle ${filler(60)}`.split(" ");
    expect(textOf(excerptOf(words.join(" "), "needl"))).toBe(`${words.slice(0, 30).join(" ")} …`);
  });

  it("shows a text that fits to its end", () => {
    expect(show(excerptOf("One needle.\n\nTwo words.\n\nThree.", "needl"))).toBe("One [needle]. Two words. Three.");
  });

  it("leaves the heading out, which is shown beside it, also where nothing else matches", () => {
    expect(show(excerptOf("## Cache\n\nThe cache.", "cach"))).toBe("The [cache].");
    const ofHeading = (source: string) => makeExcerpt(source, "Cache", new Map([["cach", 1]]), "section");
    expect(show(ofHeading("## Cache\n\nBounded by bytes."))).toBe("Bounded by bytes.");
    expect(ofHeading("## Cache\n\n---\n")).toEqual([]);
  });

  it("leaves out neither a line that says the same as the heading, nor one of a unit that has none", () => {
    const weights = new Map([["instal", 1]]);
    expect(show(makeExcerpt("## Install\n\n- Install\n- Run", "Install", weights, "section"))).toBe("[Install] Run");
    expect(show(makeExcerpt("Install\n\nRun", "Install", weights, "nothing"))).toBe("[Install] Run");
    expect(show(makeExcerpt("Install\n\nRun", "Install", weights, "section"))).toBe("Run");
  });

  it("shows what stands in tags where a word is nowhere else, or nothing else is below the heading", () => {
    const weights = (...terms: string[]) => new Map(terms.map((term) => [term, 1]));
    const tags = '## Tabs\n\n<Tabs items="npm, yarn"/>';
    expect(show(makeExcerpt(tags, "Tabs", weights("tab"), "section"))).toBe('[Tabs] items="npm, yarn"');
    expect(show(makeExcerpt(tags, "Tabs", weights("npm", "tab"), "section"))).toBe('[Tabs] items="[npm], yarn"');
    const both = `${tags}\n\nChoose one.`;
    expect(show(makeExcerpt(both, "Tabs", weights("tab"), "section"))).toBe("Choose one.");
    expect(show(makeExcerpt(both, "Tabs", weights("npm", "tab"), "section"))).toContain('items="[npm], yarn"');
    // A heading that is a tag itself is not shown twice.
    expect(makeExcerpt("<h2>Tabs</h2>\n\n---\n", "Tabs", weights("tab"), "section")).toEqual([]);
  });

  it("ends with a sentence where nothing is marked, too", () => {
    const source = `## Cache\n\n${filler(12)}. ${filler(13)}. ${filler(40)}`;
    expect(show(excerptOf(source, "absent"))).toBe(`${filler(12)}. ${filler(13)}. …`);
  });

  it("leaves the heading out however it is written", () => {
    const weights = new Map([["cach", 1]]);
    for (const heading of [
      "The `cache`\n===",
      "<h2 align=center>The <b>cache</b></h2>",
      "<!-- aside -->\n\n# The cache",
    ]) {
      expect(show(makeExcerpt(`${heading}\n\nBounded.`, "The cache", weights, "section"))).toBe("Bounded.");
    }
    // A text that goes on behind the same words is none.
    expect(show(makeExcerpt("# The cache\n\nThe cache is bounded.", "The cache", weights, "section"))).toBe(
      "The [cache] is bounded.",
    );
  });

  it("shows the beginning where nothing matches, and nothing where there is nothing", () => {
    expect(show(excerptOf("## Title\n\nFirst words.", "absent"))).toBe("First words.");
    expect(excerptOf("", "absent")).toEqual([]);
    expect(excerptOf("## \n\n---\n", "absent")).toEqual([]);
    expect(makeExcerpt("Text.", "", new Map(), "file")).toEqual([{ text: "Text.", marked: false }]);
  });

  it("leaves frontmatter out", () => {
    const parts = makeExcerpt("---\ntitle: Secret cache\n---\nPublic text.", "", new Map([["public", 1]]), "file");
    expect(show(parts)).toBe("[Public] text.");
  });

  it("stays short whatever the words are", () => {
    const long = Array.from({ length: 40 }, (_, n) => `${"x".repeat(200)}${n}`).join(" ");
    const giant = "a".repeat(100_000);
    for (const source of [`${long} needle ${long}`, `${giant} needle ${giant}`, `needle_${giant}`, `${giant}_needle`]) {
      const parts = excerptOf(source, "needl");
      expect(parts.some(({ marked }) => marked)).toBe(true);
      expect(textOf(parts).length).toBeLessThan(400);
      expect(textOf(excerptOf(source, "absent")).length).toBeLessThan(400);
    }
  });

  it("of any unit of any page holds a mark for every term that its text holds and its heading does not", () => {
    fc.assert(
      fc.property(anyMarkdown({ long: true }), fc.constantFrom("a.md", "a.mdx"), (text, path) => {
        const page = parseMarkdown({ path, text });
        for (const [at, unit] of cutUnits(page, text).entries()) {
          const begins = at === 0 ? "file" : unit.continuation ? "nothing" : "section";
          const visible = unit.texts.map((part) => part.text).join("\n");
          const heading = page.sections[unit.section]?.title ?? "";
          const inHeading = new Set(analyzeText(heading).map((token) => token.term));
          for (const term of new Set(analyzeText(visible).map((token) => token.term))) {
            if (inHeading.has(term)) continue;
            const parts = makeExcerpt(unit.raw, heading, new Map([[term, 1]]), begins);
            if (!parts.some(({ marked }) => marked))
              throw new Error(`no mark for ${term} in ${JSON.stringify(unit.raw)}`);
          }
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it("marks a word that signs of emphasis touch", () => {
    for (const source of ["_C++_ alpha.", "**C++** alpha", "*C++*"]) {
      expect(excerptOf(source, "c++").some(({ marked }) => marked)).toBe(true);
    }
    expect(textOf(excerptOf("keep _private_name and snake_case_", "snake_case"))).toContain("_private_name");
  });

  it("cuts no surrogate pair, marks only words that match, and repeats nothing", () => {
    fc.assert(
      fc.property(
        anyMarkdown({ long: true }),
        fc.array(fc.constantFrom<string[]>("alpha", "rout", "日本", "𝒳math", "cafe", "user"), { minLength: 1 }),
        (text, terms) => {
          const page = parseMarkdown({ path: "a.md", text });
          for (const unit of cutUnits(page, text)) {
            const parts = excerptOf(unit.raw, ...terms);
            for (const part of parts) {
              expect(part.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
              if (part.marked) expect(analyzeText(part.text).some(({ term }) => terms.includes(term))).toBe(true);
            }
            expect(textOf(parts)).not.toMatch(/[\n\r]/);
            const squeeze = (value: string): string => value.replace(/[^\p{L}\p{N}]+/gu, "");
            expect(squeeze(textOf(parts)).length).toBeLessThanOrEqual(squeeze(unit.raw).length);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("of prose holds no tags", () => {
    const prose = anyMarkdown().filter((text) => !/[`~]|^ {4}|\\|&/m.test(text));
    fc.assert(
      fc.property(prose, (text) => {
        const page = parseMarkdown({ path: "a.md", text });
        for (const unit of cutUnits(page, text)) {
          expect(textOf(excerptOf(unit.raw, "alpha"))).not.toMatch(/<\/?[a-z][^<>]*>|<!--|\{\/\*/i);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("takes sources of any kind", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.string({ unit: "grapheme", maxLength: 8 }),
        (source, term) => {
          makeExcerpt(source, "", new Map([[term, 1]]), "file");
        },
      ),
    );
  });

  it("shows source code line by line, each in backticks", () => {
    const code =
      "/** Converts `it`. */\nexport function convert(\n  input: Record<AlphaKey, BetaValue>,\n): Lamp | Promise<Lamp> {\n  return a < b && c > d ? __x__ : [a](b);\n}";
    const parts = makeExcerpt(code, "", new Map([["convert", 1]]), "code");
    expect(show(parts)).toBe(
      "`` /** [Converts] `it`. */ `` `export function [convert](` `input: Record<AlphaKey, BetaValue>,` `): Lamp | Promise<Lamp> {` `return a < b && c > d ? __x__ : [a](b);`",
    );
    expect(show(makeExcerpt("let a: Record<B, C>", "", new Map([["nothing", 1]]), "code"))).toBe(
      "`let a: Record<B, C>`",
    );
  });

  it("keeps cells of tables apart, in Markdown and in HTML", () => {
    const table = "| Option | Type |\n|---|---|\n| cache | `Cache \\| false` |\n| | empty |";
    expect(show(excerptOf(table, "type"))).toBe("Option · [Type] cache · `Cache \\| false` empty");
    const html = "<table><tr><td>cache</td><td>kept</td></tr></table>";
    expect(show(excerptOf(html, "cach"))).toBe("[cache] · kept");
  });

  it("keeps lines of code apart from each other and from the text, with the signs they begin with", () => {
    const source = "Start it:\n\n```ts\n@Injectable()\napp.get('/', cors())\n\n// \"quoted\"\n```\n\nThen `open()` it.";
    expect(show(excerptOf(source, "start", "cor"))).toBe(
      "[Start] it: `@Injectable()` `app.get('/', [cors]())` `// \"quoted\"` Then `open()` it.",
    );
    const long = `${filler(60)}\n\n\`\`\`\n@needle one\n${"other words\n".repeat(40)}\`\`\`\n`;
    expect(show(excerptOf(long, "needl"))).toMatch(/^… `@\[needle\] one` `other words`.* `other words` …$/);
  });

  it("shows no marks of Markdown: emphasis, targets of links, ids, boxes", () => {
    const source =
      "::: tip Cache {#own}\nThe **cache** of [the\nserver](https://a.example/(x)) and [b](c 'e').\n:::\n> Kept.";
    expect(textOf(excerptOf(source, "cach"))).toBe("Cache The cache of the server and b. Kept.");
  });
});
