import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExcerptPart } from "../../src/core/search/answer.ts";
import { chooseDirectives, encodeDirective, readTextFragment, withTextFragment } from "../../src/web/text-fragment.ts";
import { runs } from "../support/runs.ts";

/** `a [b] c`: what stands in brackets is marked. */
function excerptOf(text: string): readonly ExcerptPart[] {
  return text.split(/\[(.*?)\]/).map((part, at) => ({ text: part, marked: at % 2 === 1 }));
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc
    .array(fc.constantFrom("-", ",", "&", "=", "#", "%", " ", "a", "ü", "語", "😀", ":~:"), { maxLength: 12 })
    .map((all) => all.join("")),
);
const isSome = (text: string): boolean => text !== "";

describe("addresses that say what to mark", () => {
  it("name the marked words with those around them", () => {
    expect(withTextFragment("/a#b", excerptOf("Then you can [install] the server today"))).toBe(
      "/a#b:~:text=Then%20you%20can-,install,-the%20server%20today",
    );
    expect(withTextFragment("/a", excerptOf("[Server] [Actions], and more"))).toBe(
      "/a#:~:text=Server%20Actions,-%2C%20and%20more",
    );
  });

  it("name whole words, whatever part of one is marked", () => {
    expect(chooseDirectives(excerptOf("call get[User]Name now"))).toEqual([
      { prefix: "call", start: "getUserName", suffix: "now" },
    ]);
    expect(chooseDirectives(excerptOf("𝒳𝒳[a]𝒴 b"))[0]?.start).toBe("𝒳𝒳a𝒴");
  });

  it.each([
    ["アプリケーションの[検索]インデックスを静的なファイルとして公開します。", "検索", ""],
    ["本指南说明如何[安装]软件以及如何配置搜索引擎，请按照以下步骤操作。", "安装", ""],
    // The browser marks whole words alone, as it knows them.
    ["คู่มือนี้อธิบายวิธีติดตั้งโปรแ[กรม]ค้นหา", "โปรแกรม", ""],
    [`${"アプリケーションの".repeat(20)}[検索]${"インデックスを公開し".repeat(20)}`, "検索", ""],
    ["call [API]を呼び出す", "API", "call"],
  ])("name a word and a few around it where no blanks stand between them: %s", (text, start, prefix) => {
    const [directive] = chooseDirectives(excerptOf(text));
    expect(directive?.start).toBe(start);
    if (prefix !== "") expect(directive?.prefix).toBe(prefix);
    expect(directive?.suffix).not.toBe("");
    expect(`${directive?.prefix}${directive?.suffix}`.length).toBeLessThan(40);
    expect(withTextFragment("/a", excerptOf(text))).toContain(encodeURIComponent(start));
  });

  it("give up the words around a text before the text itself", () => {
    const rare = "é".repeat(100);
    expect(withTextFragment("/a", excerptOf(`${rare} ${rare} ${rare} [word] ${rare} ${rare}`))).toBe("/a#:~:text=word");
  });

  it("cut a long text without blanks at a word", () => {
    const [directive] = chooseDirectives(excerptOf(`[${"検索インデックス".repeat(20)}]`));
    expect(directive?.start.length).toBeGreaterThan(60);
    expect(directive?.start.length).toBeLessThanOrEqual(80);
  });

  it("count on nothing beyond what an excerpt leaves out", () => {
    expect(chooseDirectives(excerptOf("… the [cache] … far"))).toEqual([{ prefix: "the", start: "cache", suffix: "" }]);
  });

  it("stay as they are where nothing is marked, and where they say it already", () => {
    for (const url of ["", "/a", "/a#b"]) expect(withTextFragment(url, excerptOf("plain"))).toBe(url);
    expect(withTextFragment("/a#:~:text=x", excerptOf("[b]"))).toBe("/a#:~:text=x");
    expect(withTextFragment("", excerptOf("[b]"))).toBe("");
  });

  it("stay short", () => {
    const long = withTextFragment("/a", excerptOf(`${"語".repeat(200)} [${"wort ".repeat(60)}] ${"é".repeat(400)}`));
    expect(long.length).toBeLessThan(620);
    expect(() => new URL(long, "https://example.org")).not.toThrow();
  });

  it("mean the same when they are read, whatever the texts hold", () => {
    fc.assert(
      fc.property(anyText, anyText.filter(isSome), anyText, (prefix, start, suffix) => {
        const directive = { prefix, start, suffix };
        const encoded = encodeDirective(directive);
        expect(readTextFragment(`#:~:text=${encoded}`).directives).toEqual([directive]);
        const read = readTextFragment(`https://example.org/a?b#c:~:text=${encoded}`);
        expect(read).toEqual({ address: "https://example.org/a?b#c", directives: [directive] });
        // What browsers make of an address leaves it alone.
        expect(new URL(`https://example.org/a#c:~:text=${encoded}`).hash).toBe(
          `#c:~:text=${encoded}`.replaceAll("'", "'"),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it("name texts that stand in the excerpt, around each other as there", () => {
    const anyParts = fc.array(fc.record({ text: anyText, marked: fc.boolean() }), { maxLength: 6 });
    const flat = (text: string): string => text.replace(/\s+/g, " ").trim();
    fc.assert(
      fc.property(anyParts, (parts) => {
        const text = flat(parts.map((part) => part.text).join(""));
        for (const { prefix, start, suffix } of chooseDirectives(parts)) {
          expect(text).toContain(flat(start));
          expect(text.replaceAll(" ", "")).toContain(`${prefix}${start}${suffix}`.replaceAll(" ", ""));
        }
        expect(readTextFragment(withTextFragment("/a#b", parts)).address).toBe("/a#b");
      }),
      { numRuns: runs(500) },
    );
  });

  it("are not read where they say nothing that can be read", () => {
    for (const text of ["", "a,b,c", "%", "%ff", "a-b"])
      expect(readTextFragment(`#:~:text=${text}`).directives).toEqual([]);
    expect(readTextFragment("/a#:~:text=%&foo=b&text=ok")).toEqual({
      address: "/a",
      directives: [{ prefix: "", start: "ok", suffix: "" }],
    });
    expect(readTextFragment("/a:~:text=x")).toMatchObject({ directives: [{ start: "x" }] });
  });
});
