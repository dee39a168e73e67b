/**
 * Ignore files: single rules on their scope, whole trees with git itself as the oracle, and what an include that is
 * spelled out changes.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig } from "../../../indexer/config/config.ts";
import { addRules, discoverFiles, isIgnored, openScope } from "../../../indexer/sources/discover.ts";
import { runs } from "../../support/runs.ts";

const { limits } = defaultConfig();

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-ignore-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe("rules of one folder", () => {
  test.each([
    ["*.md", "docs/a.md", true],
    ["*.md", "docs/sub/a.md", true],
    ["/a.md", "docs/a.md", true],
    ["/a.md", "docs/sub/a.md", false],
    ["sub/a.md", "docs/sub/a.md", true],
    ["sub/a.md", "docs/x/sub/a.md", false],
    ["**/sub/a.md", "docs/x/sub/a.md", true],
    ["sub/**", "docs/sub/x/a.md", true],
    ["A.md", "docs/a.md", false],
    ["# a.md", "docs/a.md", false],
    ["\\#a.md", "docs/#a.md", true],
    ["\\!a.md", "docs/!a.md", true],
    ["a.md   ", "docs/a.md", true],
    ["a.md\r", "docs/a.md", true],
    ["a\\ ", "docs/a ", true],
    ["[ab].md", "docs/b.md", true],
    ["[", "docs/[", false],
    ["", "docs/a.md", false],
    ["/", "docs/a.md", false],
    ["!", "docs/a.md", false],
  ])("%j in docs ignores %j: %s", (rule, path, expected) => {
    expect(isIgnored(addRules(openScope(""), "docs", `${rule}\n`), path, "file")).toBe(expected);
  });

  test("the same rules hold when the folder is the top, and in folders whose names are patterns", () => {
    for (const folder of ["", "a*b", "[x]", "!n", "#h", "back\\slash", "sp ace"]) {
      const scope = addRules(openScope(""), folder, "*.log\n!keep.log\n/top.md\n");
      const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
      expect(isIgnored(scope, at("x.log"), "file")).toBe(true);
      expect(isIgnored(scope, at("keep.log"), "file")).toBe(false);
      expect(isIgnored(scope, at("top.md"), "file")).toBe(true);
    }
    expect(isIgnored(addRules(openScope(""), "a*b", "*.md\n"), "axxb/x.md", "file")).toBe(false);
  });

  test("a rule with a slash at its end ignores folders only", () => {
    const scope = addRules(openScope(""), "", "build/\n");
    expect(isIgnored(scope, "build", "folder")).toBe(true);
    expect(isIgnored(scope, "build", "file")).toBe(false);
  });

  test("a byte order mark is not part of the first rule", () => {
    expect(isIgnored(addRules(openScope(""), "", "\uFEFFa.md\n"), "a.md", "file")).toBe(true);
  });

  test("any text is a set of rules", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab/*?[]!#\\ -^\n\u0000é") }), fc.boolean(), (text, nested) => {
        const scope = addRules(openScope(""), nested ? "a" : "", text);
        expect(isIgnored(scope, "a/b", "file")).toBeTypeOf("boolean");
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("trees, with git as the oracle", () => {
  test("a file further down takes back what one further up ignores", async () => {
    await plant({
      ".gitignore": "*.log.md\n/build/\ndocs/*\n!docs/keep\nsecret/\n",
      "a.log.md": "",
      "build/a.md": "",
      "docs/x.md": "",
      "docs/keep/.gitignore": "!important.log.md\n/only-here.md\n",
      "docs/keep/important.log.md": "",
      "docs/keep/other.log.md": "",
      "docs/keep/only-here.md": "",
      "docs/keep/sub/only-here.md": "",
      "docs/keep/build/b.md": "",
      "secret/.gitignore": "!s.md\n",
      "secret/s.md": "",
    });
    expect(await find({})).toEqual([
      "docs/keep/build/b.md",
      "docs/keep/important.log.md",
      "docs/keep/sub/only-here.md",
    ]);
    expect(await find({})).toEqual(listWithGit());
  });

  test("any tree gives the files that git lists", { timeout: 120_000 }, async () => {
    const name = fc.constantFrom("a", "b", "c.md", "d.md");
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const glob = fc.constantFrom("a", "b", "*", "c.md", "*.md", "**", "[ab]");
    const rule = fc
      .tuple(
        fc.constantFrom("", "", "!"),
        fc.constantFrom("", "/"),
        fc.array(glob, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "/"),
      )
      .map(([negation, start, globs, end]) => `${negation}${start}${globs.join("/")}${end}`);
    const ignoreFile = fc.tuple(
      fc.array(fc.constantFrom("a", "b"), { maxLength: 3 }),
      fc.array(rule, { maxLength: 4 }),
    );
    git("init", "--quiet");
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 8 }),
        fc.array(ignoreFile, { minLength: 1, maxLength: 3 }),
        async (files, ignoreFiles) => {
          const tree: Record<string, string> = {};
          for (const segments of files) {
            // A name with an ending is a file, one without is a folder.
            const folders = segments.slice(0, -1).map((segment) => segment.replace(".md", ""));
            tree[[...folders, `${(segments.at(-1) ?? "").replace(".md", "")}.md`].join("/")] = "";
          }
          for (const [folders, rules] of ignoreFiles) {
            tree[[...folders, ".gitignore"].join("/")] = rules.join("\n");
          }
          await plant(tree);
          try {
            expect(await find({})).toEqual(listWithGit());
          } finally {
            for (const top of new Set(Object.keys(tree).map((file) => file.split("/")[0] ?? ""))) {
              await rm(join(dir, top), { recursive: true, force: true });
            }
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

describe("folders above the root", () => {
  test("their rules count from the top of the repository down", async () => {
    await mkdir(join(dir, ".git"));
    await plant({
      ".gitignore": "*.tmp.md\n/site/docs/private/\n",
      "site/.gitignore": "/docs/old.md\nold.md\n!/docs/new/old.md\n",
      "site/docs/a.md": "",
      "site/docs/b.tmp.md": "",
      "site/docs/old.md": "",
      "site/docs/new/old.md": "",
      "site/docs/private/c.md": "",
    });
    expect(await find({ root: "site/docs" })).toEqual(["a.md", "new/old.md"]);
    expect(await find({ root: "docs", base: join(dir, "site") })).toEqual(["a.md", "new/old.md"]);
  });

  test("without a repository, they count from the folder of the configuration", async () => {
    await plant({
      ".gitignore": "a.md\n",
      "site/.treelineignore": "b.md\n",
      "site/docs/a.md": "",
      "site/docs/b.md": "",
    });
    expect(await find({ root: "site/docs" })).toEqual([]);
    expect(await find({ root: "docs", base: join(dir, "site") })).toEqual(["a.md"]);
  });

  test("a root that they ignore is read by its own rules alone", async () => {
    await mkdir(join(dir, ".git"));
    await plant({
      ".gitignore": "dist/\n*.md\n",
      "dist/docs/.gitignore": "no.md\n",
      "dist/docs/a.md": "",
      "dist/docs/no.md": "",
    });
    expect(await find({ root: "dist/docs" })).toEqual(["a.md"]);
  });
});

describe("includes that are spelled out", () => {
  test("a file is read although it is ignored", async () => {
    await plant({
      ".gitignore": "*.md\ngenerated/\n",
      "a.md": "",
      "b.md": "",
      "generated/api.md": "",
      "generated/x.md": "",
    });
    expect(await find({ include: ["a.md", "generated/api.md"] })).toEqual(["a.md", "generated/api.md"]);
  });

  test("an ignored folder is read by the ignore files inside it, and only by the includes that name it", async () => {
    await plant({
      ".gitignore": "generated\n*.mdx\n",
      "docs/a.md": "",
      "generated/b.md": "",
      "generated/api/.gitignore": "no.mdx\n",
      "generated/api/c.mdx": "",
      "generated/api/no.mdx": "",
      "generated/api/d.md": "",
    });
    expect(await find({ include: ["**/*.md", "generated/api/*.mdx"] })).toEqual(["docs/a.md", "generated/api/c.mdx"]);
  });

  test("a folder that is not ignored itself keeps the rules of the folders above", async () => {
    await plant({
      ".gitignore": "docs/generated/\n*.tmp.md\n",
      "docs/a.md": "",
      "docs/x.tmp.md": "",
      "docs/generated/b.md": "",
    });
    expect(await find({ include: ["docs/**/*.md"] })).toEqual(["docs/a.md"]);
  });
});

test(".treelineignore wins over .gitignore of the same folder", async () => {
  await plant({ ".gitignore": "a.md\n", ".treelineignore": "!a.md\nb.md\n", "a.md": "", "b.md": "", "c.md": "" });
  expect(await find({})).toEqual(["a.md", "c.md"]);
});

async function plant(tree: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

async function find({ root = ".", base = dir, include = ["**/*.md"] }): Promise<string[]> {
  const { files } = await discoverFiles({ root, include, exclude: [] }, base, limits);
  return files.map(({ path }) => path);
}

function git(...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", args, { cwd: dir, encoding: "utf8", env });
}

/** The Markdown files that git does not ignore. */
function listWithGit(): string[] {
  git("init", "--quiet");
  const listed = git("ls-files", "--others", "--exclude-standard", "-z").split("\0");
  return listed.filter((path) => path.endsWith(".md")).sort();
}
