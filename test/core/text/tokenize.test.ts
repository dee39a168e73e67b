import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_TOKEN_LENGTH, type TokenKind, visitTokens } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/runs.ts";

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  visitTokens(text, (token, start, end, kind) => tokens.push({ text: token, start, end, kind }));
  return tokens;
}

/** Tokens as one line: words as they are, wholes in brackets, parts with a plus before them. */
function show(text: string): string {
  const marks = { word: ["", ""], whole: ["[", "]"], part: ["+", ""] } as const;
  return tokensOf(text)
    .map(({ text: token, kind }) => `${marks[kind][0]}${token}${marks[kind][1]}`)
    .join(" ");
}

/** Text as pages have it: identifiers, scripts of all kinds, punctuation, halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(..."aZ9_.-:'’@/+# \n", "日", "本", "カ", "한", "é", "ß", "😀", "\ud800"),
    maxLength: 60,
  }),
);

describe("visitTokens", () => {
  it.each([
    ["", ""],
    [" \n\t.,;!?-–—…", ""],
    ["One two, three.", "One two three"],
    ["42 is 3rd", "42 is 3rd"],
  ])("takes plain words: %j", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["getUserName", "[getUserName] +get +User +Name"],
    ["XMLHttpRequest", "[XMLHttpRequest] +XML +Http +Request"],
    ["MAX_CHUNK_BYTES", "[MAXCHUNKBYTES] +MAX +CHUNK +BYTES"],
    ["snake__case", "[snakecase] +snake +case"],
    ["std::vector", "[std::vector] +std +vector"],
    ["next.config.js", "[next.config.js] +next +config +js"],
    ["kebab-case-name", "[kebabcasename] +kebab +case +name"],
    ["@scope/pkg-name", "[@scope/pkgname] +scope +pkg +name"],
    ["foo.bar()", "[foo.bar] +foo +bar"],
    ["HTTP2", "HTTP2"],
    ["@a/b", "[@a/b] +a +b"],
    ["_private", "[_private] +private"],
    ["__init__", "[__init__] +init"],
    ["_get_user", "[getuser] +get +user"],
    ["max_old_space", "[maxoldspace] +max +old +space"],
    ["node:fs", "[node:fs] +node +fs"],
    ["file.ts", "[file.ts] +file +ts"],
    ["foo()", "foo"],
    ["HTTPServer2", "[HTTPServer2] +HTTP +Server2"],
    ["a.b.c", "[a.b.c] +a +b +c"],
    ["getÜberName", "[getÜberName] +get +Über +Name"],
    ["сервис-имя", "[сервисимя] +сервис +имя"],
    ["server‐side", "[serverside] +server +side"],
  ])("gives identifiers whole and in parts: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["APIs", "API"],
    ["PDFs and IDs", "PDF and ID"],
    ["IPv6 TLSv1.2", "IPv6 [TLSv1.2] +TLSv1 +2"],
    ["RESTful", "RESTful"],
    ["OAuth2", "OAuth2"],
    ["iOS eBPF", "iOS eBPF"],
    ["iOSApp", "[iOSApp] +iOS +App"],
    ["HTTPs", "HTTPs"],
    ["getURLs", "[getURLs] +get +URL"],
    ["parseIDs()", "[parseIDs] +parse +ID"],
    ["useIPv6Only", "[useIPv6Only] +use +IPv6 +Only"],
    ["macOS", "[macOS] +mac +OS"],
    ["PostgreSQL", "[PostgreSQL] +Postgre +SQL"],
    ["DBId JSDom", "[DBId] +DB +Id [JSDom] +JS +Dom"],
    ["getÜberURLs", "[getÜberURLs] +get +Über +URL"],
  ])("takes an acronym with a short ending as one part, its plural as itself: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["utf-8 gpt-4", "[utf8] +utf +8 [gpt4] +gpt +4"],
    ["2024-01-15 1-2", "[2024-01-15] +2024 +01 +15 [1-2] +1 +2"],
    ["1--2", "[1--2] +1 +2"],
    ["@my-org/some_pkg", "[@myorg/somepkg] +my +org +some +pkg"],
    ["std::my_vec", "[std::myvec] +std +my +vec"],
  ])("joins wholes over hyphens and underscores, but not two numbers: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it("gives an identifier the same whole however it is written, at its own place", () => {
    const parts = fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 2, maxLength: 4 });
    const upper = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
    fc.assert(
      fc.property(parts, (words) => {
        const written = [words.join("-"), words.join("_"), words.join("_").toUpperCase(), `--${words.join("-")}`];
        for (const text of [...written, words.map(upper).join("")]) {
          const [whole, ...others] = tokensOf(text);
          expect([whole?.kind, whole?.text.toLowerCase()]).toEqual(["whole", words.join("")]);
          expect([whole?.start, whole?.end]).toEqual([0, text.length]);
          expect(others.map((part) => part.text.toLowerCase())).toEqual(words);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ["--no-cache", "[nocache] +no +cache"],
    ["--watch", "[--watch] +watch"],
    ["use `--watch` or [--port]", "use [--watch] +watch or [--port] +port"],
    [".env", "[.env] +env"],
    ["config/.env.local", "config [.env.local] [env.local] +env +local"],
    [".NET", "[.NET] +NET"],
    ["設定は.envです", "設定 定は [.env] +env です"],
    ["-v", "v"],
    ["-1", "1"],
    ["a -- b", "a b"],
    ["---name", "name"],
    ["...args", "args"],
    [".5", "5"],
    ["then().catch", "then catch"],
    ["list[0].name", "list 0 name"],
    ["../src", "src"],
  ])("knows the names of options and hidden files from signs before words: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["At the end.", "At the end"],
    ["see docs/", "see docs"],
    ["pre- and post-", "pre and post"],
    ["key: value", "key value"],
    ["http://example.com/", "http [example.com] +example +com"],
    ["@scope/pkg.", "[@scope/pkg] +scope +pkg"],
    ["etc...", "etc"],
  ])("leaves out what stands behind a word: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["v1.2.3", "[v1.2.3] +v1 +2 +3"],
    ["3.12", "[3.12] +3 +12"],
    ["1,000", "1 000"],
    ["50%", "50"],
  ])("gives versions and numbers whole and in parts: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["C++", "[C++] +C"],
    ["C#", "[C#] +C"],
    ["F# and C++17", "[F#] +F and [C++] +C 17"],
    ["#include", "include"],
    ["see#anchor", "see anchor"],
    ["a+b", "a b"],
  ])("knows the signs of languages from signs between words: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["the user's guide", "the user guide"],
    ["the user’s guide", "the user guide"],
    ["users' guide", "users guide"],
    ["don't", "dont"],
    ["l’avion", "lavion"],
    ["'quoted'", "quoted"],
  ])("drops possessives and apostrophes: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    ["日本語", "日本 本語"],
    ["猫", "猫"],
    ["テキスト", "テキ キス スト"],
    ["한국어 문서", "한국 국어 문서"],
    ["東京tower2024年", "東京 tower2024 年"],
    ["React入門guide", "React 入門 guide"],
    ["𠮷野家", "𠮷野 野家"],
    ["が", "が"],
    ["カ\u3099イト\u3099", "ガイ イド"],
    ["ｶﾞｲﾄﾞ", "ｶﾞｲ ｲﾄﾞ"],
    ["葛\u{e0100}城", "葛城"],
    ["用户ID", "用户 ID"],
    ["สวัสดี", "สวั วัส สดี"],
    ["Next.jsを使う", "[Next.js] +Next +js を使 使う"],
  ])("gives bigrams of scripts without spaces: %s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it("keeps accents and signs of other scripts inside words", () => {
    expect(show("café naïve Ünïcode")).toBe("café naïve Ünïcode");
    expect(show("नमस्ते दुनिया")).toBe("नमस्ते दुनिया");
    expect(show("كِتَاب")).toBe("كِتَاب");
  });

  it("cuts long words, never through a surrogate pair, and leaves long identifiers to their parts", () => {
    const long = "x".repeat(500);
    expect(tokensOf(long)).toEqual([{ text: "x".repeat(MAX_TOKEN_LENGTH), start: 0, end: 500, kind: "word" }]);
    const pairs = `x${"𝓍".repeat(60)}`;
    const [word] = tokensOf(pairs);
    expect(word?.text).toBe(`x${"𝓍".repeat(31)}`);
    const kinds = tokensOf("longIdentifier".repeat(10)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["part"]));
  });

  it("composes letters and accents that stand apart, and gives places in the text as it stands", () => {
    expect(tokensOf("e\u0301te\u0301 한국".normalize("NFD"))).toEqual([
      { text: "\u00e9t\u00e9", start: 0, end: 5, kind: "word" },
      { text: "한국", start: 6, end: 12, kind: "word" },
    ]);
    expect(tokensOf("\u0301 a")).toEqual([{ text: "a", start: 2, end: 3, kind: "word" }]);
  });

  it("cuts off elided words where the language has them", () => {
    const elisions = new Set(["l", "qu"]);
    const french: Token[] = [];
    visitTokens(
      "l'avion qu’il aujourd'hui L'Été",
      (text, start, end, kind) => french.push({ text, start, end, kind }),
      elisions,
    );
    expect(french).toEqual([
      { text: "avion", start: 2, end: 7, kind: "word" },
      { text: "il", start: 11, end: 13, kind: "word" },
      { text: "aujourdhui", start: 14, end: 25, kind: "word" },
      { text: "Été", start: 28, end: 31, kind: "word" },
    ]);
  });

  it("gives tokens in order, inside the text, none empty, wholes before their parts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let wholeEnd = -1;
        let last = 0;
        for (const { text: token, start, end, kind } of tokensOf(text)) {
          expect(token.length).toBeGreaterThan(0);
          expect(token.length).toBeLessThanOrEqual(MAX_TOKEN_LENGTH);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          if (kind === "whole") wholeEnd = end;
          if (kind === "part" && wholeEnd > start) expect(end).toBeLessThanOrEqual(wholeEnd);
          last = start;
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("never begins or ends a token inside a surrogate pair", () => {
    const inPair = (text: string, at: number): boolean =>
      at > 0 && at < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { text: token, start, end } of tokensOf(text)) {
          expect(inPair(text, start) || inPair(text, end)).toBe(false);
          expect(/[\ud800-\udbff]$|^[\udc00-\udfff]/.test(token)).toBe(false);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("finds the runs that the pattern of the documentation finds, whatever stands around plain words", () => {
    const run =
      /@[A-Za-z0-9][\w.-]*\/[A-Za-z0-9](?:[\w.-]*\w)?|(?:(?<![\w.)\]}?!-])(?:--|\.)(?=[A-Za-z_]))?[A-Za-z0-9_]+(?:(?:\.|-+|::?|')[A-Za-z0-9_]+)*(?:\+\+|#(?![\w#]))?/g;
    const ascii = fc.string({ unit: fc.constantFrom(..."abABz09_.-:'@/+#) \n"), maxLength: 60 });
    fc.assert(
      fc.property(ascii, fc.constantFrom("", " ", " 日"), (text, beside) => {
        const runs = [...text.matchAll(run)].filter(([found]) => /[A-Za-z0-9]/.test(found));
        const whole = tokensOf(text + beside).filter(({ kind, start }) => kind !== "part" && start < text.length);
        const places = new Set(whole.map(({ start, end }) => `${start}-${end}`));
        expect([...places]).toEqual(runs.map(({ index, 0: { length } }) => `${index}-${index + length}`));
      }),
      { numRuns: runs(500) },
    );
  });

  it("does not depend on what stands elsewhere in the text", () => {
    // Pure ASCII takes a faster path; a letter of another script behind it must not change anything before.
    const ascii = fc.string({ unit: fc.constantFrom(..."aBz09_.-:'@/+# \n"), maxLength: 60 });
    fc.assert(
      fc.property(ascii, (text) => {
        const alone = tokensOf(`${text} `);
        expect(tokensOf(`${text} é`).slice(0, -1)).toEqual(alone);
        expect(tokensOf(`x ${text} `).slice(1)).toEqual(
          alone.map((token) => ({ ...token, start: token.start + 2, end: token.end + 2 })),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    "a",
    "A",
    "aB",
    "a_",
    "a-",
    "@a/",
    "a.",
    "日",
    "'",
    "é",
    "1a",
    "::",
    "\ud800",
    "--a",
    ".a",
    "a:",
    "e\u0301",
    "\u0301",
    "a\u00ad",
    "Á\u0301",
    "ก\u0e48",
  ])("reads a million characters of %j", (line) => {
    let tokens = 0;
    visitTokens(line.repeat(1_000_000 / line.length), () => tokens++);
    expect(tokens).toBeLessThanOrEqual(1_000_000);
  });
});
