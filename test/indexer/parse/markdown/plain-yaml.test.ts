import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { parsePlainYaml } from "../../../../indexer/parse/markdown/plain-yaml.ts";
import { runs } from "../../../support/runs.ts";

/** What the general parser makes of the text; `undefined` where it finds an error. */
function parseWithAllRules(yaml: string): unknown {
  const document = parseDocument(yaml, { prettyErrors: false, merge: true, logLevel: "silent" });
  return document.errors.length > 0 ? undefined : document.toJS();
}

const value = fc.oneof(
  fc.constantFrom("Plain", "plain text", "a/b", "7", "true"),
  fc.constantFrom(
    "",
    "A title",
    "true",
    "False",
    "null",
    "~",
    "42",
    "007",
    "1.5",
    "2024-01-01",
    "0x1f",
    "/a/b",
    "a:",
    "yes",
    ".inf",
    ".NaN",
    ".a/b",
    "(a)",
  ),
  fc.constantFrom(
    '"A: b #c"',
    "'it is'",
    "'it''s'",
    '"a\\n"',
    "a #b",
    "a#b",
    "a: b",
    "[a, b]",
    "{a: b}",
    "&x a",
    "*x",
    "|",
  ),
  fc.constantFrom(
    "Café – “ok”",
    "日本",
    "a\tb",
    "a\u00a0",
    "\u00a0a",
    "a  ",
    "- a",
    "https://x.y/z?a=b",
    "a, b",
    '"a" b',
    "null and",
  ),
  fc.string({ unit: fc.constantFrom(..."aB1 :#-'\"[]{},&*!|>%@`\\?/."), maxLength: 8 }),
);
const name = fc.constantFrom(
  "a",
  "b",
  "c",
  "d",
  "e",
  "title",
  "nav_title",
  "x-y",
  "null",
  "True",
  "__proto__",
  "<<",
  "1",
  "c d",
);
const line = fc.oneof(
  fc.tuple(name, value).map(([key, written]) => `${key}: ${written}`),
  name.map((key) => `${key}:`),
  value.map((written) => `- ${written}`),
  fc.constantFrom("", "  ", "# note", "---", "-", "text"),
);
const yamlText = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 0, 0, 2, 2, 4, 1), line), { maxLength: 5 })
  .map((lines) => lines.map(([indent, text]) => `${" ".repeat(text === "" ? 0 : indent)}${text}\n`).join(""));

describe("parsePlainYaml", () => {
  it("reads the frontmatter that most pages have", () => {
    const yaml = `title: Get "started": not\nversion: 3\n`;
    expect(parsePlainYaml(yaml)).toBeUndefined();
    expect(
      parsePlainYaml(
        "title: Route groups (app)\ndescription: 'Learn: it all'\n\ndraft: false\norder: 12\ntags:\n- a\n- b\nrelated:\n  title: Next\n  links:\n    - app/one\n    - app/two\nempty:\n",
      ),
    ).toEqual({
      title: "Route groups (app)",
      description: "Learn: it all",
      draft: false,
      order: 12,
      tags: ["a", "b"],
      related: { title: "Next", links: ["app/one", "app/two"] },
      empty: null,
    });
  });

  it("leaves to the general parser what is not plain, and says what that says of all else", () => {
    let plain = 0;
    fc.assert(
      fc.property(yamlText, (yaml) => {
        const read = parsePlainYaml(yaml);
        if (read === undefined) return;
        plain++;
        expect(read).toEqual(parseWithAllRules(yaml));
        expect(Object.keys(read)).toEqual(Object.keys(parseWithAllRules(yaml) as object));
      }),
      { numRuns: runs(4000) },
    );
    expect(plain).toBeGreaterThan(runs(4000) / 50);
  });
});
