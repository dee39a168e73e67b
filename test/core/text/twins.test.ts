import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dropTwins } from "../../../src/core/text/twins.ts";
import { runs } from "../../support/runs.ts";

const shown = (text: string): string =>
  dropTwins(text)
    .lines.map((line) => line.text)
    .join("\n");
const block = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;
const TS = block("ts", "const store: Store = open(path, { lock: true });");
const JS = block("js", "const store = open(path, { lock: true });");
const NPM = block("bash [npm]", "npm install -D store");
const NOTE = " [JavaScript twin left out]";
const NOTES = " [yarn, pnpm twins left out]";
const MANAGERS = ["yarn add -D store", "pnpm add -D store"];

describe("twins", () => {
  it.each([
    ["one after the other", `${TS}\n\n${JS}\n\nEnd.`, `${TS}\n${NOTE}\n\nEnd.`],
    ["TypeScript second", `${JS}\n${TS}\nEnd.`, `${TS}\n${NOTE}\nEnd.`],
    [
      "tabs of Docusaurus",
      `<Tabs>\n<TabItem value="ts">\n\n${TS}\n\n</TabItem>\n<TabItem value="js">\n\n${JS}\n\n</TabItem>\n</Tabs>\nEnd.`,
      `<TabItem value="ts">\n\n${TS}\n${NOTE}\n\nEnd.`,
    ],
    [
      "groups of VitePress",
      `::: code-group\n${[NPM, ...MANAGERS.map((line) => block("bash", line))].join("\n")}\n:::`,
      `${NPM}\n${NOTES}`,
    ],
    [
      "tabs of MkDocs",
      `=== "npm"\n\n    ${NPM.replaceAll("\n", "\n    ")}\n\n=== "yarn"\n\n    ${block("sh", "yarn add -D store").replaceAll("\n", "\n    ")}`,
      `=== "npm"\n\n    ${NPM.replaceAll("\n", "\n    ")}\n [yarn twin left out]`,
    ],
    [
      "tabs of Hugo",
      `{{< tabs >}}\n{{% tab "ts" %}}\n${TS}\n{{% /tab %}}\n{{% tab "js" %}}\n${JS}\n{{% /tab %}}\n{{< /tabs >}}`,
      `{{< tabs >}}\n{{% tab "ts" %}}\n${TS}\n${NOTE}\n{{% /tab %}}\n{{< /tabs >}}`,
    ],
    [
      "members of a component",
      '<CommandTabs\n  npm="npm install a"\n  yarn="yarn add a"\n  pnpm="pnpm add a"\n  cargo="cargo add a"\n/>',
      `<CommandTabs\n  npm="npm install a"\n${NOTES}\n  cargo="cargo add a"\n/>`,
    ],
  ])("%s: the first stays", (_, text, left) => {
    expect(shown(text)).toBe(left);
  });

  it.each([
    ["other code in another language", `${TS}\n\n${block("js", "print(1, two, three);")}`],
    ["words between", `${TS}\n\nOr without types:\n\n${JS}`],
    ["languages that are no twins", `${TS}\n\n${block("rust", "let store = open(path, true);")}`],
    ["the same language", `${TS}\n${TS}`],
    ["other packages", `${NPM}\n${block("bash", "yarn add -D lamp")}`],
    ["a fence that is not closed", "```ts\nconst a = 1;\n\n```js"],
  ])("%s: all stay", (_, text) => {
    expect(shown(text)).toBe(text);
  });

  it("leave the other lines as they are, in their order, whatever the text", () => {
    const piece = fc.constantFrom(
      ...[
        "",
        "Text.",
        "# A",
        "<TabItem>",
        "</TabItem>",
        ":::",
        "```",
        "```ts",
        "```js",
        "npm i a",
        "yarn add a",
        TS,
        JS,
        NPM,
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("\n");
        const source = text.split("\n");
        const { lines, leftOut } = dropTwins(text);
        const numbered = lines.filter(({ at }) => at !== undefined);
        expect(numbered.every((line) => source[line.at as number] === line.text)).toBe(true);
        expect(numbered.map(({ at }) => at)).toEqual(numbered.map(({ at }) => at).toSorted((a = 0, b = 0) => a - b));
        expect(lines.length > numbered.length).toBe(leftOut > 0);
        for (const word of ["Text.", "# A"]) {
          const count = (list: readonly string[]): number => list.filter((line) => line === word).length;
          expect(count(lines.map((line) => line.text))).toBe(count(source));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
