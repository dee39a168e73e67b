/** A language is a folder of `indexer/languages`: no other code names one, besides the one table of the core. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../indexer/languages/languages.ts";
import { CODE_ENDINGS, CODE_LANGUAGES, factsOf } from "../../src/core/text/code-languages.ts";
import { projectRoot } from "../support/environment.ts";

/** Rooms that know no language. */
const ROOMS = [
  "indexer/languages/base",
  "indexer/parse",
  "indexer/link",
  "indexer/index",
  "src/core",
  "src/mcp",
  "src/surface",
];

const TABLE = "src/core/text/code-languages.ts";

/** Texts that are no rule of a language: a scheme of addresses, the command of an example, what prompts in pages of Sphinx are. */
const ALLOWED: Readonly<Record<string, string>> = {
  "indexer/parse/markdown/read-tokens.ts": "javascript|vbscript|data",
  "indexer/link/scip/place-scip.ts": "npx @sourcegraph/scip-typescript",
  "indexer/parse/markup/rst.ts": "python",
};

const folders = readdirSync(join(projectRoot, "indexer/languages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "base")
  .map(({ name }) => name);

/** Names of languages as parts of identifiers and texts. `c` and `go` are words of other things, too. */
const NAMES = new Set(
  [...folders, ...CODE_LANGUAGES, ...CODE_LANGUAGES.flatMap((one) => factsOf(one).otherNames ?? [])].filter(
    (name) => name.length > 2 && name !== "shell",
  ),
);

/** Our own files and those of examples end in these. */
const OWN_ENDINGS = new Set(["ts", "js", "mjs", "cjs", "c", "h"]);
const ENDINGS = CODE_ENDINGS.filter((ending) => !OWN_ENDINGS.has(ending) && /^\w+$/.test(ending)).join("|");
const WHOLE = new RegExp(String.raw`type-?script|java-?script|["'\x60]go["'\x60]|\.(?:${ENDINGS})\b(?!\()`, "i");

/** Names of languages in the code of a text, its comments left out. */
function namesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "");
  const parts = code.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const whole = WHOLE.exec(code)?.[0] ?? [];
  return [...new Set(parts.map((part) => part.toLowerCase()).filter((part) => NAMES.has(part)))].concat(whole);
}

describe("a language", () => {
  it("is named by its folder and the table of the core alone", () => {
    const found = ROOMS.flatMap((room) =>
      readdirSync(join(projectRoot, room), { recursive: true, encoding: "utf8" })
        .map((file) => `${room}/${file.replaceAll("\\", "/")}`)
        .filter((file) => file.endsWith(".ts") && file !== TABLE)
        .flatMap((file) => {
          const text = readFileSync(join(projectRoot, file), "utf8").replaceAll(ALLOWED[file] ?? "\0", "");
          return namesIn(text).map((name) => `${file}: ${name}`);
        }),
    );
    expect(found).toEqual([]);
  });

  it("would be found as an identifier, a part of one, a text and an ending", () => {
    expect(namesIn('const pythonPackages = family === "kotlin";')).toEqual(["python", "kotlin"]);
    expect(namesIn("walkRust(file) /* Java */ // Scala")).toEqual(["rust"]);
    expect(namesIn('const ROOTS = ["lib.rs"];')).toEqual([".rs"]);
    expect(namesIn('kind === "go"')).toEqual(['"go"']);
    expect(namesIn("trust, scalar, swiftly")).toEqual([]);
  });

  it("of the core's table is one of a folder, and the other way round", () => {
    const ofFolders = LANGUAGES.flatMap(({ trees = {}, parser }) => [
      ...Object.keys(trees),
      ...(parser?.languages ?? []),
    ]);
    expect(ofFolders.sort()).toEqual([...CODE_LANGUAGES].sort());
    expect(LANGUAGES).toHaveLength(folders.length);
  });
});
