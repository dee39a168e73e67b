import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeInline } from "../../../src/http/explorer/html.ts";
import { safeLink } from "../../../src/http/explorer/links.ts";
import { runs } from "../../support/runs.ts";

const write = (text: string): string =>
  writeInline(text, (target, kind) => {
    if (kind !== undefined) return KNOWN.get(`${kind} ${target}`);
    return target.startsWith("/") || target.startsWith("http") ? safeLink(target) : undefined;
  }).toString();
const KNOWN = new Map([
  ["definition ref", "/defined"],
  ["definition ^1", "#fn-1"],
  ["name openStore", "/documents/code:a.ts#openStore"],
]);

describe("a paragraph's text", () => {
  it.each([
    ["plain text", "plain text"],
    ["a `b` c", "a <code>b</code> c"],
    ["`` a ` b ``", "<code>a ` b</code>"],
    ["a ` b", "a ` b"],
    [
      "**bold** and *thin* and _thin_ and ~~gone~~",
      "<strong>bold</strong> and <em>thin</em> and <em>thin</em> and <s>gone</s>",
    ],
    ["**bold *thin* bold**", "<strong>bold <em>thin</em> bold</strong>"],
    ["a * b * c", "a * b * c"],
    ["max_body_length and __init__", "max_body_length and <strong>init</strong>"],
    ["5 * 3 * 2 ** 2", "5 * 3 * 2 ** 2"],
    ["\\*a\\* \\[b](/c)", "*a* [b](/c)"],
    ["[a **b**](/c)", `<a href="/c">a <strong>b</strong></a>`],
    ['[a](/b_(c) "title")', `<a href="/b_(c)">a</a>`],
    ["[a](</b c>)", `<a href="/b c">a</a>`],
    ["[a [b] c](/d)", `<a href="/d">a [b] c</a>`],
    ["![a picture](/b.png)", `<a href="/b.png">Picture: a picture</a>`],
    ["[![a](/b.png)](/c)", `<a href="/c">Picture: a</a>`],
    ["<https://a.example/b>", `<a href="https://a.example/b">https://a.example/b</a>`],
    ["See https://a.example/b.", `See <a href="https://a.example/b">https://a.example/b</a>.`],
    ["[a](unknown.md)", "a"],
    ["[a] and [b][c]", "[a] and [b][c]"],
    ["<b onclick=x>a</b>", "<strong>a</strong>"],
    ["Press <kbd>Ctrl</kbd><br/>H<sub>2</sub>O", "Press <kbd>Ctrl</kbd><br>H<sub>2</sub>O"],
    [
      `<a href="/b" target=_blank>a</a> <img src="/c.png" alt="c">`,
      `<a href="/b">a</a> <a href="/c.png">Picture: c</a>`,
    ],
    [`<Link href={"/b"}>a *b*</Link>{" "}c`, "a <em>b</em> c"],
    ["<td>a</td><td>b</td>", " a  b "],
    ["a < b and c<d", "a &lt; b and c&lt;d"],
    ["a &lt;b&gt; &amp; &#233;&nosuch;", "a &lt;b&gt; &amp; é&amp;nosuch;"],
    [
      "[a *b*][Ref], [ref][] and [ref]",
      `<a href="/defined">a <em>b</em></a>, <a href="/defined">ref</a> and <a href="/defined">ref</a>`,
    ],
    ["a[^1] b[^2]", `a<sup><a href="#fn-1">1</a></sup> b[^2]`],
    [
      "`openStore()` and `other`",
      `<a href="/documents/code:a.ts#openStore"><code>openStore()</code></a> and <code>other</code>`,
    ],
  ])("%s", (text, expected) => expect(write(text)).toBe(expected));

  it("has links to nothing but what is resolved", () => {
    for (const address of ["javascript:alert(1)", "data:text/html,x", "\u0001javascript:x", "JAVASCRIPT:x"]) {
      expect(write(`[a](${address}) [b](<${address}>) <${address}> ![c](${address})`)).not.toContain("href");
    }
  });

  it("makes of any text tags that it knows alone, each of which is closed", () => {
    const piece = fc.constantFrom(
      "*",
      "**",
      "_",
      "~~",
      "`",
      "``",
      "[",
      "]",
      "(",
      ")",
      "](/x)",
      "<",
      ">",
      "!",
      "\\",
      "a",
      " ",
      "https://x.example",
      '"',
      "\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const open: string[] = [];
        const written = write(pieces.join(""));
        for (const [tag, end, name = ""] of written.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
          expect(["code", "em", "strong", "s", "a"]).toContain(name);
          if (end === "") open.push(name);
          else expect(open.pop(), tag).toBe(name);
        }
        expect(open).toEqual([]);
        expect(written.replace(/<(?:\/?(?:code|em|strong|s|a)|a href="[^"]*")>/g, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    "[",
    "*",
    "*a ",
    "_a* ",
    "`",
    "``a`",
    "![",
    "<",
    "[a](",
    "[a](b",
    "[a](\u00a0",
    "**a",
    "a*",
    "~~x ",
    "<https://a",
    "<a ",
    "<a b='",
    "[a][",
    "&",
  ])("looks ahead a bounded number of times, made of %j alone", (sign) => {
    const text = sign.repeat(20_000 / sign.length);
    const steps = { left: 2000 + 20 * text.length };
    const written = writeInline(text, (href) => href, steps).toString();
    // The last look may go over by as much as one look takes.
    expect(steps.left).toBeGreaterThan(-4000);
    expect(written.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").length).toBeGreaterThan(5000);
  });

  it("takes blanks in an address for what they are, however many there are", () => {
    const text = "[a](";
    for (const blanks of [
      text + " ".repeat(1_000_000),
      text + "\u00a0".repeat(1_000_000),
      `${text}b${" ".repeat(1e6)}`,
    ]) {
      expect(write(`${blanks}x`)).toBe(`${blanks}x`);
    }
  });

  it("shows what is behind many unfinished signs as it was written", () => {
    expect(write(`${"*a ".repeat(6000)}**b**`)).toBe(`${"*a ".repeat(6000)}**b**`);
    expect(write(`${"a [b] ".repeat(3000)}**c**`)).toBe(`${"a [b] ".repeat(3000)}<strong>c</strong>`);
  });

  it("does not stop at an address that ends in a thousand signs", () => {
    const dots = `https://a${".".repeat(980)}b`;
    expect(write(`${dots} `.repeat(2))).toContain(`href="${dots}"`);
    expect(write(`https://a.example${"!".repeat(900)}`)).toContain(`href="https://a.example"`);
  });
});
