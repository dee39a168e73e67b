/**
 * Tests of the visible text of inline content: what is glued, what is kept apart, what is left out.
 */
import { describe, expect, it } from "vitest";
import { openParseEnvironment } from "../../../../indexer/parse/markdown/engine.ts";
import { readInline } from "../../../../indexer/parse/markdown/read-tokens.ts";

function read(content: string, isMdx = false) {
  return readInline(content, openParseEnvironment(isMdx ? "mdx" : "markdown"));
}

describe("readInline", () => {
  it.each([
    ["emphasis inside a word does not split it", "foo**bar**baz ~~q~~u", "foobarbaz qu"],
    ["styling tags inside a word do not split it", "H<sub>2</sub>O <b>a</b>b", "H2O ab"],
    ["links that touch are two things", "[a](b)[c](d)", "a c"],
    ["code that touches code is two things", "`a`**`b`**", "a b"],
    ["keys that touch are two things", "<kbd>Ctrl</kbd><kbd>C</kbd>", "Ctrl C"],
    ["components that touch are two things", "<A>b</A><C>d</C>", "b d"],
    ["an image stands apart from the words around it", "a![b](c)d", "a b d"],
    ["a line break separates words", "a<br>b<br/>c", "a b c"],
    ["cells of HTML are apart", "<td>a</td><td>b</td>", "a b"],
    ["punctuation stays at a link", "([a](b)).", "(a)."],
    ["inline code is kept as written", "a `b  &amp; **c** <d>` e", "a b  &amp; **c** <d> e"],
    ["entities are decoded", "&lt;a&gt; &amp; &#x41; &copy;", "<a> & A ©"],
    ["escapes are resolved", "\\*a\\* \\<b> \\\\", "*a* <b> \\"],
    ["white space is folded", "a \t b\n   c\u00a0d", "a b c d"],
    ["comments are dropped", "a <!-- b --> c {/* d */} e", "a c e"],
    ["declarations and instructions are dropped", "a <?b?> <!C d> <![CDATA[e]]> f", "a f"],
    ["tags are stripped", 'a <span class="b">c</span> <D e={f} /> g', "a c g"],
    [
      "attributes that people read are kept",
      '<img alt="a &amp; b" src="c"> <Tip label="d" title={"e"} x="y">f</Tip>',
      "a & b e d f",
    ],
    ["text that only looks like a tag is kept", "a < b, 3 <4, x <= y, <>, <1>", "a < b, 3 <4, x <= y, <>, <1>"],
    ["names in angle brackets are kept", "<example.com> <a.b>", "<example.com> <a.b>"],
    ["unclosed markup is text", "[a](b **c `d <e", "[a](b **c `d <e"],
    ["bare addresses are text", "see https://a.b/c?d=e", "see https://a.b/c?d=e"],
    ["braces are text in Markdown", "{a} {'b'} {{c}}", "{a} {'b'} {{c}}"],
  ])("%s", (_rule, content, text) => {
    expect(read(content).text).toBe(text);
  });

  it("reads the links of tags", () => {
    const { links } = read(
      '<a href="/a?b&amp;c">d <b>e</b></a> <Link href={"/f"}>g</Link> <Go to="/h" title="i" /> <a id="j">k</a>',
    );
    expect(links).toEqual([
      { href: "/a?b&c", text: "d e" },
      { href: "/f", text: "g" },
      { href: "/h", text: "i" },
    ]);
  });

  it("ends a link that is never closed with the text", () => {
    expect(read('<a href="b">c').links).toEqual([{ href: "b", text: "c" }]);
  });

  it("ends an open link of a tag where the next one begins", () => {
    expect(read('<a href="b">c <a href="d">e</a>').links).toEqual([
      { href: "b", text: "c" },
      { href: "d", text: "e" },
    ]);
  });

  it("reads content that is longer than one piece whole", () => {
    const content = "*word* [a](b) ".repeat(10_000);
    const { text, links } = read(content);
    expect(text).toBe("word a ".repeat(10_000).trim());
    expect(links).toHaveLength(10_000);
  });
});

describe("readInline of MDX", () => {
  it.each([
    ["expressions are dropped", "a {b} {c.d(e)} f", "a f"],
    ["strings in expressions are kept", "a {'b'} {\"c\"} {`d`} e", "a b c d e"],
    ["both strings of a choice are kept", "{ok ? 'yes' : 'no'}", "yes no"],
    ["a space in braces is a space", "a{' '}b", "a b"],
    ["fragments are stripped", "<>a</>", "a"],
    ["braces in code are kept", "`{a}`", "{a}"],
    ["escaped braces are kept", "\\{a}", "{a}"],
    ["an unclosed brace is text", "a { b", "a { b"],
  ])("%s", (_rule, content, text) => {
    expect(read(content, true).text).toBe(text);
  });
});
