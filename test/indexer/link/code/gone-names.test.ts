import { describe, expect, it } from "vitest";
import type { PageWords } from "../../../../indexer/link/code/mentions.ts";
import { codeFile, EXPORTED, findingsOf, link } from "../../../support/code-files.ts";

const files = [
  codeFile("src/shop.ts", (file) => {
    file.symbol("class", "Shop", EXPORTED);
    file.symbol("method", "find", { parent: 0 });
    file.symbol("method", "close", { parent: 0 });
    file.symbol("class", "Lamp", EXPORTED);
    file.symbol("method", "close", { parent: 3 });
    file.symbol("function", "showLamp", EXPORTED);
    file.import("./other.ts", "launch");
    file.use("calls", { kind: "free", name: "hostName" });
  }),
  codeFile("src/drawer.ts"),
];

/** Findings of pages by path; words in blocks begin with `block ` or `declared `. */
function note(pages: Readonly<Record<string, readonly string[]>>, texts: readonly string[] = []): readonly string[] {
  const toWord = (written: string, at: number): PageWords["words"][number] => {
    const [, kind, text = written] = /^(block|declared) (.*)$/.exec(written) ?? [];
    const flags =
      kind === undefined ? { isInline: true as const } : kind === "declared" && { isDeclared: true as const };
    return { nodeId: "docs:a.md", text, line: at + 1, ...flags };
  };
  const linked = link(files, [], {
    pages: Object.entries(pages).map(([path, words]) => ({ collection: "docs", path, words: words.map(toWord) })),
    findInTexts: (words) => new Set(texts.filter((text) => words.has(text))),
  });
  return findingsOf(linked).filter((finding) => finding.startsWith("unknown-name"));
}

describe("names that are gone", () => {
  it("are noted in pages that name other things that are there, each once a page", () => {
    expect(
      note({ "a.md": ["Shop", "Store.find", "Store#find", "Store.close()", "formatLamp", "formatLamp()"] }),
    ).toEqual([
      'unknown-name a.md: names "Store.find", and no source file has "Store"; "Shop" has "find"',
      'unknown-name a.md: names "Store.close", and no source file has "Store"',
      'unknown-name a.md: names "formatLamp", which no source file has; there is "Lamp"',
    ]);
    expect(note({ "a.md": ["Shop", "open_drawer", "switchOff()", "helper()"] })).toEqual([
      'unknown-name a.md: names "open_drawer", which no source file has; there is "drawer.ts"',
      'unknown-name a.md: names "switchOff", which no source file has',
      'unknown-name a.md: names "helper", which no source file has',
    ]);
  });

  it("are none that sources declare, import, use or hold in their texts", () => {
    expect(note({ "a.md": ["Shop", "showLamp", "launch()", "hostName()", "LampState"] }, ["LampState"])).toEqual([]);
  });

  it("are no plain words, no values of a page, no files, globals, environment variables and names of examples", () => {
    const words = [
      "Shop",
      "lamps",
      "shop.find",
      "Lamp.tsx",
      "LampStore.md",
      "LAMP_HOME",
      "URLSearchParams",
      "LampError.name",
    ];
    expect(
      note({ "a.md": [...words, "encodeURIComponent()", "TypeError", "lampShade", "declared lampShade"] }),
    ).toEqual([]);
    expect(note({ "a.md": ["Shop", "lampShade", "block lampShade"] })).toHaveLength(1);
  });

  it("are what changelogs are about", () => {
    expect(note({ "CHANGELOG.md": ["Shop", "Store.find", "formatLamp", "switchOff()"] })).toEqual([]);
    expect(note({ "docs/changelogs/2.md": ["Shop", "formatLamp"] })).toEqual([]);
  });

  it("need something that is like them, unless they are called or have a member that there is", () => {
    expect(note({ "a.md": ["Shop", "fetchOnce", "dataNames", "Store.gone"] })).toEqual([]);
  });

  it("are left alone where most names of the page or of all pages are of other code", () => {
    const foreign = Array.from({ length: 8 }, (_, at) => `lampShade${"ABCDEFGH"[at]}`);
    expect(note({ "a.md": ["Shop", ...foreign] })).toEqual([]);
    expect(note({ "a.md": ["Shop", "Lamp", "showLamp", ...foreign] })).toHaveLength(8);
    expect(note({ "a.md": foreign.slice(0, 2) })).toEqual([]);
    const pages = { "a.md": ["Shop", "oldLamp"], "b.md": ["Lamp", ...foreign.slice(0, 5)], "c.md": foreign.slice(3) };
    expect(note(pages)).toEqual([]);
  });
});
