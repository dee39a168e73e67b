/**
 * Grep against the real one: for any files and patterns the lines are those that GNU `grep` finds in the files.
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { InputError } from "../../../src/core/errors.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { type GrepPattern, grep } from "../../../src/core/search/grep.ts";
import { compileExpression, compileText } from "../../../src/core/search/grep-pattern.ts";
import { buildPages, type Pages } from "../../support/build-index.ts";
import { anyExpression, anyFile, anyLiteral } from "../../support/grep-cases.ts";
import { runs } from "../../support/runs.ts";

const FILES = 40;
const PATTERNS = runs(200);
const hasGnuGrep =
  spawnSync("grep", ["--version"], { encoding: "utf8" }).stdout?.startsWith("grep (GNU grep)") === true;

/** Pages that any run of the test has, beside those that are made up. */
const FIXED: Pages = {
  "empty.md": "",
  "feeds.md": "\n\n\n",
  "bom.md": "\ufeff---\ntitle: useState\n---\n# export default\n\nnpm i\r\nnpm i\r\n",
  "frontmatter.md":
    "---\ntitle: ΟΔΟΣ\ntags: [docs, npm]\n---\n\n# Use\n\n```ts\nexport default useState\n```\n<!-- useState -->\n",
  "sections.md": Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\nuseState(${at}) ${"word ".repeat(80)}\n`).join(
    "\n",
  ),
  "long.md": `${"export ".repeat(3000)}\n${"x".repeat(20_000)}useState\nend`,
};

let dir: string;
let pages: Pages;
let next: () => IndexReader;

/** `path:line` of all matches, sorted. */
async function find(pattern: GrepPattern): Promise<string[]> {
  const answer = await grep(next(), {
    pattern,
    collection: "",
    acceptsPath: () => true,
    filter: NO_FILTER,
    context: 0,
    offset: 0,
    limit: 1e9,
  });
  expect(answer.scanned).toBe(answer.candidates);
  return answer.files.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`)).sort();
}

/** The same from the program. */
function findWithGrep(pattern: string, ...options: string[]): string[] {
  const { stdout, stderr, status } = spawnSync("grep", ["-rnaH", ...options, "-e", pattern, "."], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
  });
  if (status !== 0 && status !== 1) throw new Error(`grep ${pattern}: ${stderr}`);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => line.replace(/^\.\/(.*?:\d+):.*$/s, "$1")).sort();
}

describe.runIf(hasGnuGrep)("lines that match", () => {
  beforeAll(async () => {
    const made = fc.sample(anyFile, { numRuns: FILES, seed: 7 });
    pages = { ...FIXED, ...Object.fromEntries(made.map((text, at) => [`made/${at % 5}/page-${at}.md`, text])) };
    dir = await mkdtemp(join(tmpdir(), "treeline-grep-"));
    for (const [path, text] of Object.entries(pages)) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    next = (await (await buildPages(pages)).open()).next;
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("of texts are those of grep -nF, with and without -i", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(anyLiteral, fc.boolean(), async (pattern, exact) => {
        const ours = await find(compileText(pattern, exact));
        expect(ours).toEqual(findWithGrep(pattern, "-F", ...(exact ? [] : ["-i"])));
        found += ours.length;
      }),
      { numRuns: PATTERNS },
    );
    expect(found).toBeGreaterThan(PATTERNS);
  });

  it("of expressions are those of grep -nE, with and without -i", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(anyExpression, fc.boolean(), async (written, exact) => {
        let pattern: GrepPattern;
        try {
          pattern = compileExpression(written, exact);
        } catch (error) {
          if (error instanceof InputError) return;
          throw error;
        }
        const ours = await find(pattern);
        expect(ours).toEqual(findWithGrep(written, "-E", ...(exact ? [] : ["-i"])));
        found += ours.length;
      }),
      { numRuns: PATTERNS },
    );
    expect(found).toBeGreaterThan(PATTERNS);
  });

  it.each([
    "^$",
    "^npm i$",
    "npm i\r$",
    "^.export",
    "useState$",
    "x{100}useState",
    "\\<Größe\\>|\\bgröße\\b",
    "\\BState",
    "(^|[^[:alnum:]])docs($|[^[:alnum:]])",
    "[[:upper:]]{3}",
    "[[:punct:]]$",
    "a||b",
    "one\ntwo\nuseState",
    "()",
    "a+?b*?",
    "\\.|\\*|\\[|\\(|\\+|\\?|\\{|\\^|\\$",
    "(e\u0301|é)t",
    "\\w\\W\\w",
    "[^\\\\]x9",
  ])("of %j are those of grep -nE", async (pattern) => {
    for (const exact of [true, false]) {
      expect(await find(compileExpression(pattern, exact))).toEqual(
        findWithGrep(pattern.replaceAll("[^\\\\]", "[^\\]"), "-E", ...(exact ? [] : ["-i"])),
      );
    }
  });
});
