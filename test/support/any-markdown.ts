/**
 * Markdown pages as fast-check makes them: every kind of block that documentation has, in any order, with any line
 * ends.
 */
import fc from "fast-check";

const WORDS = [
  ..."alpha beta gamma route handler cache render server client install configure the and of".split(" "),
  ..."getUserName snake_case_name __init__ std::vector C++ next.config.js v1.2.3 @scope/pkg don't".split(" "),
  ..."café naïve 日本語 テスト 한국어 😀 𝒳math AT&T".split(" "),
];

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 9 }).map((list) => list.join(" "));

const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: words },
  words.map((text) => `**${text}**`),
  words.map((text) => `*${text}*`),
  word.map((text) => `_${text}_`),
  word.map((text) => `__${text}__`),
  words.map((text) => `\`${text}\``),
  words.map((text) => `\`\`a \` ${text}\`\``),
  words.map((text) => `~~${text}~~`),
  fc.tuple(words, word).map(([text, target]) => `[${text}](./${target}.md "a title")`),
  words.map((text) => `[${text}][ref]`),
  word.map((text) => `![${text}](img.png)`),
  word.map((text) => `<https://example.org/${text}>`),
  words.map((text) => `<b>${text}</b>`),
  word.map((text) => `<img src="x.png" alt="${text}">`),
  words.map((text) => `<Tooltip label="${text}">${text}</Tooltip>`),
  word.map((text) => `\`<${text} />\``),
  word.map((text) => `\`Map<string, ${text}>\``),
  word.map((text) => `a &lt; ${text} &amp; caf&#233;`),
  word.map((text) => `\\*${text}\\_${text}`),
  word.map((text) => `x<y and ${text}>z`),
);
const sentence = fc.array(inline, { minLength: 1, maxLength: 6 }).map((list) => `${list.join(" ")}.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((list) => list.join("\n"));
const longParagraph = fc.array(sentence, { minLength: 30, maxLength: 60 }).map((list) => list.join(" "));
const codeLine = fc.oneof(
  words,
  word.map((text) => `const ${text} = a * b < d; // ${text}`),
  word.map((text) => `# ${text}`),
  word.map((text) => `<div className="${text}">{${text}}</div>`),
  word.map((text) => `  - ${text}: *default`),
);
const code = fc.array(codeLine, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));

const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: paragraph },
  fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(([level, text]) => `${"#".repeat(level)} ${text}`),
  fc.tuple(fc.integer({ min: 1, max: 6 }), sentence).map(([level, text]) => `${"#".repeat(level)} ${text} {#own-id}`),
  words.map((text) => `${text}\n===`),
  words.map((text) => `${text}\n---`),
  code.map((lines) => `\`\`\`js title="a.js"\n${lines}\n\`\`\``),
  code.map((lines) => `~~~\n${lines}\n~~~`),
  code.map((lines) => `    ${lines.replaceAll("\n", "\n    ")}`),
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
  fc
    .array(sentence, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}`).join("\n")),
  paragraph.map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
  fc
    .array(fc.tuple(words, inline), { minLength: 1, maxLength: 4 })
    .map((rows) =>
      [
        "| name | what |",
        "|:---|---:|",
        ...rows.map(([name, what]) => `| ${name} | ${what.replaceAll("|", "")} |`),
      ].join("\n"),
    ),
  paragraph.map((text) => `<Note type="tip">\n\n${text}\n\n</Note>`),
  words.map((text) => `<Card\n  title="${text}"\n  href="./a.md"\n/>`),
  words.map((text) => `<!-- ${text}\nover two lines -->`),
  words.map((text) => `{/* ${text} */}`),
  fc.constantFrom("---", "***", "import X from './x'", "[ref]: ./b.md"),
);

const frontmatter = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  words.map((text) => `---\ntitle: "${text}"\ndescription: About ${text}\ntags: [a, b]\n---\n`),
  fc.constant("---\n[not, a mapping\n---\n"),
);

/** A page. `long` adds paragraphs of several hundred words, which are cut into several units. */
export function anyMarkdown(options: { readonly long?: boolean } = {}): fc.Arbitrary<string> {
  const part = options.long === true ? fc.oneof({ weight: 6, arbitrary: block }, longParagraph) : block;
  return fc
    .record({
      front: frontmatter,
      blocks: fc.array(part, { maxLength: 10 }),
      end: fc.constantFrom("", "\n", "\n\n", " "),
      lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
      mark: fc.constantFrom("", "", "", "\ufeff"),
    })
    .map(
      ({ front, blocks, end, lineEnd, mark }) =>
        mark + `${front}${blocks.join("\n\n")}${end}`.replaceAll("\n", lineEnd),
    );
}

/** A few words that such pages hold. */
export const anyWords: fc.Arbitrary<string> = words;
