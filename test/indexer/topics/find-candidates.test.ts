import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import { wordsOf } from "../../../indexer/parse/words.ts";
import { type ConceptCandidate, FLAG, findCandidates } from "../../../indexer/topics/find-candidates.ts";
import { findAcronyms } from "../../../indexer/topics/synonyms.ts";
import { conceptKey } from "../../../src/core/docs/categories.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import type { Language } from "../../../src/core/text/language.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import { runs } from "../../support/runs.ts";

function find(text: string, language: Language = "english"): ConceptCandidate[] {
  const parsed = parseMarkdown({ path: "page.md", text });
  return findCandidates({ parsed, text, acronyms: findAcronyms(parsed), language, words: wordsOf(language) });
}

const named = (found: readonly ConceptCandidate[], text: string): ConceptCandidate | undefined =>
  found.find((one) => one.text.toLowerCase() === text.toLowerCase());

describe("findCandidates", () => {
  it("finds phrases between stop words that come twice", () => {
    const found = find("# Page\n\nThe event loop is an event loop.\n\n## More\n\nAn event loop and a red car.\n");
    expect(named(found, "event loop")).toMatchObject({ key: "event loop", count: 3, written: 3 });
    expect(named(found, "red car")).toBeUndefined();
  });

  it("takes plurals, case and hyphens for one phrase, called as it is written most often", () => {
    const found = find(
      "# X\n\nServer-side rendering helps. Server-side rendering is old. Server side renderings are many.\n",
    );
    expect(found.filter(({ key }) => key === conceptKey("server side rendering", analyzerOf("english")))).toHaveLength(
      1,
    );
    expect(named(found, "server-side rendering")?.count).toBe(3);
  });

  it("never begins or ends a phrase with a stop word, and joins nothing across a sign or a number", () => {
    const text = "copper wire, brass screw. copper wire; brass screw! zinc 3 foil, zinc 3 foil, the wire of the";
    const found = find(`# X\n\n${text}\n`);
    expect(found.map(({ text: own }) => own).sort()).toEqual(["brass screw", "copper wire", "wire"]);
  });

  it("leaves out what only comes as a part of something longer", () => {
    const found = find(
      "# X\n\nThe token bucket filter drops. A token bucket filter waits. Token bucket filter again.\n",
    );
    expect(named(found, "token bucket filter")).toBeDefined();
    expect(named(found, "token bucket")).toBeUndefined();
  });

  it("marks titles, headings, code and acronyms", () => {
    const found = find(
      "# Rate limiting\n\nUse `createLimiter()` or `<Limiter />`.\n\n## Token bucket\n\nTTL (time to live) rules.\n",
    );
    expect((named(found, "Rate limiting")?.flags ?? 0) & FLAG.title).not.toBe(0);
    expect(named(found, "Token bucket")).toMatchObject({ flags: FLAG.heading });
    expect((named(found, "createLimiter")?.flags ?? 0) & FLAG.code).not.toBe(0);
    expect((named(found, "Limiter")?.flags ?? 0) & FLAG.code).not.toBe(0);
    expect((named(found, "TTL")?.flags ?? 0) & FLAG.acronym).not.toBe(0);
  });

  it("takes no value, snippet or path of a file system for a name", () => {
    const found = find(
      "# X\n\nSet `true`, `null`, `a = b`, `'quoted'`, `/etc/hosts`, `x y`, `12`, `next/image`, `--watch`.\n",
    );
    expect(found.map(({ text }) => text).sort()).toEqual(["--watch", "next/image"]);
  });

  it("reads the stop words of the page's language", () => {
    const found = find(
      "# Seite\n\nDie Warteschlange der Aufträge ist eine Warteschlange. Die Warteschlange der Aufträge.\n",
      "german",
    );
    expect(found.map(({ text }) => text)).toContain("Warteschlange");
    expect(found.every(({ text }) => !/^(?:die|der|ist|eine)\b/i.test(text))).toBe(true);
  });

  it("gives the same for any page, whatever pages were read before, and survives the cache", () => {
    fc.assert(
      fc.property(anyMarkdown(), anyMarkdown(), (text, other) => {
        const first = find(text);
        find(other);
        expect(find(text)).toEqual(first);
        expect(first.length).toBeLessThanOrEqual(30);
        for (const { key, text: name, count } of first) {
          expect(key).not.toBe("");
          expect(name).not.toBe("");
          expect(count).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("ends in time for a page of many different words", () => {
    const words = Array.from({ length: 120_000 }, (_, at) => `third-w${at.toString(36)}x`).join(" ");
    expect(find(`# Noise\n\n${words}\n`).length).toBeLessThan(31);
  });
});
