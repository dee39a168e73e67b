import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JSON_TYPE, MARKDOWN_TYPE, prefers } from "../../src/http/respond.ts";
import { runs } from "../support/runs.ts";

const HTML_TYPE = "text/html";
const OFFERED = [JSON_TYPE, MARKDOWN_TYPE, HTML_TYPE] as const;

function ask(address: string, accept?: string): Request {
  return new Request(`https://docs.example${address}`, accept === undefined ? {} : { headers: { Accept: accept } });
}

const preferredType = <T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T =>
  prefers(ask("/", accept ?? undefined), offered);

describe("the type that a header prefers", () => {
  it.each([
    ["a program that sends none", null, JSON_TYPE],
    ["curl and fetch", "*/*", JSON_TYPE],
    ["axios", "application/json, text/plain, */*", JSON_TYPE],
    [
      "Chrome",
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
      HTML_TYPE,
    ],
    ["Firefox", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML_TYPE],
    ["an agent that also takes pages", "text/markdown, text/html, */*", MARKDOWN_TYPE],
    ["an agent that would rather have text", "text/markdown;q=1.0, text/html;q=0.9", MARKDOWN_TYPE],
    ["an old client of Java", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", HTML_TYPE],
  ])("gives %s what it can use", (_, accept, expected) => {
    expect(preferredType(accept, OFFERED)).toBe(expected);
  });

  it("takes the type of the greatest weight, and none that is refused", () => {
    expect(preferredType("text/html;q=0.2, text/markdown;q=0.3, */*;q=0.5", OFFERED)).toBe(MARKDOWN_TYPE);
    expect(preferredType("application/json;q=0, text/html;q=0.1", OFFERED)).toBe(HTML_TYPE);
  });

  it("keeps the server's order among types that are wanted alike", () => {
    expect(preferredType("text/html, text/markdown", OFFERED)).toBe(MARKDOWN_TYPE);
    expect(preferredType("text/html, text/markdown", [HTML_TYPE, MARKDOWN_TYPE])).toBe(HTML_TYPE);
    expect(preferredType("text/html, text/markdown;charset=utf-8", OFFERED)).toBe(MARKDOWN_TYPE);
  });

  it("answers in the first form where none is accepted", () => {
    expect(preferredType("image/png", OFFERED)).toBe(JSON_TYPE);
    expect(preferredType("text/*", OFFERED)).toBe(JSON_TYPE);
  });

  it.each([
    ["text/html;q=high, text/markdown;q=0.1", HTML_TYPE],
    [", ,text/html,", HTML_TYPE],
    ["TEXT/HTML ; Q=1", HTML_TYPE],
    ["text/html; q = 0.2, text/markdown;q=0.1", HTML_TYPE],
    ["text/markdown;q=7, application/json", JSON_TYPE],
    ["*/html", JSON_TYPE],
    ["text/markdown/x, text/html", HTML_TYPE],
    ['text/markdown;note="a, text/html;q=1";q=0.5, text/html;q=0.4', MARKDOWN_TYPE],
    ['text/html;note="never closed, text/markdown', HTML_TYPE],
    [";;;===", JSON_TYPE],
  ])("makes the best of %j", (accept, expected) => {
    expect(preferredType(accept, OFFERED)).toBe(expected);
  });

  it("does not depend on the order of what is accepted", () => {
    const range = fc.record({
      name: fc.constantFrom("*/*", "text/*", "application/*", ...OFFERED, "image/png"),
      weight: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc
          .array(range, { maxLength: 6 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([one, other]) => {
          const [first, second] = [one, other].map((ranges) =>
            preferredType(
              ranges.map(({ name, weight }) => (weight === undefined ? name : `${name};q=${weight / 1000}`)).join(", "),
              OFFERED,
            ),
          );
          expect(first).toBe(second);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("gives what is wanted most where every type is named, however little it is", () => {
    const weights = fc.tuple(...OFFERED.map(() => fc.integer({ min: 0, max: 1000 })));
    fc.assert(
      fc.property(weights, (given) => {
        const accept = OFFERED.map((type, at) => `${type};q=${(given[at] ?? 0) / 1000}`).join(",");
        const chosen = preferredType(`${accept},*/*`, OFFERED);
        expect(given[OFFERED.indexOf(chosen)]).toBe(Math.max(...given));
      }),
      { numRuns: runs(500) },
    );
  });

  it("gives one of the types that are offered, whatever is sent", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme-ascii" }),
      fc.string({ unit: fc.constantFrom("text/html", ";", ",", "q=", '"', "\\", "*", "/", "0.5", " ") }),
    );
    fc.assert(
      fc.property(text, (accept) => {
        expect(OFFERED).toContain(preferredType(accept, OFFERED));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("reads a long header once", () => {
    const accept = `${'text/plain;a="'.repeat(20_000)},${"\\".repeat(20_000)}`;

    expect(preferredType(accept, OFFERED)).toBe(JSON_TYPE);
  });
});

describe("prefers", () => {
  it("takes the form in the address before the header", () => {
    expect(prefers(ask("/?format=markdown", "text/html"), OFFERED)).toBe(MARKDOWN_TYPE);
    expect(prefers(ask("/?format=md"), OFFERED)).toBe(MARKDOWN_TYPE);
    expect(prefers(ask("/?format=HTML"), OFFERED)).toBe(HTML_TYPE);
    expect(prefers(ask("/?format=json", "text/markdown"), OFFERED)).toBe(JSON_TYPE);
  });

  it("answers a form that it does not have in the first one", () => {
    expect(prefers(ask("/?format=pdf", "text/markdown"), OFFERED)).toBe(JSON_TYPE);
    expect(prefers(ask("/?format=html"), [JSON_TYPE, MARKDOWN_TYPE])).toBe(JSON_TYPE);
  });

  it("reads the header where the address has no form", () => {
    expect(prefers(ask("/", "text/markdown"), OFFERED)).toBe(MARKDOWN_TYPE);
    expect(prefers(ask("/"), OFFERED)).toBe(JSON_TYPE);
  });
});
