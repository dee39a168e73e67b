/**
 * Discovery on real folders: globs, links, limits, faults of the disk, hostile names, and the same result whatever the
 * order of the disk. Ignore files are tested in `ignore-files.test.ts`.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeFileSystem, type SourceFileSystem } from "../../../indexer/base/file-system.ts";
import { defaultConfig, type LimitsConfig } from "../../../indexer/config/config.ts";
import { type Discovery, describeUnread, discoverFiles } from "../../../indexer/sources/discover.ts";
import { InputError } from "../../../src/core/errors.ts";

interface Wanted {
  root?: string;
  include?: string[];
  exclude?: string[];
  limits?: Partial<LimitsConfig>;
  fileSystem?: SourceFileSystem;
}

const DEFAULTS = defaultConfig();

let outside: string;
let dir: string;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "treeline-discover-"));
  dir = join(outside, "base");
  await mkdir(dir);
});

afterEach(async () => {
  await rm(outside, { recursive: true, force: true });
});

describe("kinds of files that nobody reads", () => {
  test("are counted where no include asks for them, and nothing else leaves them out", async () => {
    await write(
      "a.md",
      "b.org",
      "c/d.ORG",
      "e.proto",
      "f.png",
      "yarn.lock",
      "g.ts",
      ".h.lua",
      "skip/i.lua",
      "out/j.lua",
    );
    await writeFile(join(dir, ".gitignore"), "out\n");
    const { unread } = await discover({ exclude: ["skip/**"] });
    expect([...unread].sort()).toEqual(["b.org", "c/d.ORG", "e.proto", "g.ts"]);
    const message = (read: string[], isWithCode: boolean) => describeUnread(unread, read, isWithCode)?.message;
    expect(message(["a.md"], false)).toBe("2 .org, 1 .proto files are not read");
    expect(message(["a.js"], true)).toBe("2 .org, 1 .proto, 1 .ts files are not read");
    expect(message(["h.ts", "b.org"], true)).toBe("1 .proto file is not read");
    expect(message(["a.proto", "b.org"], false)).toBeUndefined();
  });
});

describe("globs", () => {
  test("Markdown of every folder is found, in order of UTF-8 bytes", async () => {
    await write("b.md", "a.mdx", "a/z.markdown", "a-b.md", "Z.md", "é.md", "\u{1F600}.md", "\uFB01.md", "x.text", "md");
    expect(await paths({})).toEqual([
      "Z.md",
      "a-b.md",
      "a.mdx",
      "a/z.markdown",
      "b.md",
      "é.md",
      "\uFB01.md",
      "\u{1F600}.md",
    ]);
  });

  test("names with newlines, spaces, quotes, backslashes, brackets and non-Latin letters are kept as on disk", async () => {
    const names = [
      "a\nb/c\nd.md",
      "two words.md",
      'quo"te.md',
      "back\\slash.md",
      "[id].md",
      "日本語/頁.md",
      "e\u0301.md",
      "-x.md",
      "#.md",
      "%41.md",
    ];
    await write(...names);
    expect((await paths({})).sort()).toEqual(names.sort());
  });

  test("names with a dot in front are found only where an include spells the dot out", async () => {
    await write(".hidden.md", ".github/a.md", ".github/.b.md", "c.md");
    expect(await paths({})).toEqual(["c.md"]);
    expect(await paths({ include: ["**/*.md", ".github/*.md"] })).toEqual([".github/a.md", "c.md"]);
    expect(await paths({ include: [".hidden.md"] })).toEqual([".hidden.md"]);
  });

  test("an exclude wins over an include, and an excluded folder takes its files along", async () => {
    await write("a.md", "drafts/b.md", "docs/drafts/c.md", "docs/d.md", "docs/.x/drafts/e.md", "docs/old.draft.md");
    expect(await paths({ exclude: ["drafts", "**/drafts/**", "**/*.draft.md"] })).toEqual(["a.md", "docs/d.md"]);
    expect(await paths({ exclude: ["docs/"] })).toEqual(["a.md", "drafts/b.md"]);
    expect(await paths({ include: ["docs/d.md", "a.md"], exclude: ["docs/*"] })).toEqual(["a.md"]);
    expect(await paths({ exclude: ["**"] })).toEqual([]);
  });

  test("a path with brackets is found by its own spelling", async () => {
    await write("app/[slug]/page.mdx", "app/(group)/page.mdx", "app/s/page.mdx");
    expect(await paths({ include: ["app/[slug]/page.mdx"] })).toContain("app/[slug]/page.mdx");
    expect(await paths({ include: ["app/\\[slug\\]/*.mdx"] })).toEqual(["app/[slug]/page.mdx"]);
    expect(await paths({ include: ["./app//s/*.mdx"] })).toEqual(["app/s/page.mdx"]);
  });

  test("folders that no include can match in are not listed", async () => {
    await write("docs/a.md", "docs/deep/b.md", "src/c.md", "src/deep/d.md");
    const { fileSystem, listed } = countLists();
    await discover({ include: ["docs/*.md"], fileSystem });
    expect([...listed].sort()).toEqual(["base", "docs"]);
  });

  test("an include that is spelled out and finds nothing is a warning, once and in words", async () => {
    await write("docs/a.md");
    const { diagnostics } = await discover({
      include: ["docs", "dosc/**/*.md", "docs/*.md", "*.nothing", "docs/*.txt"],
    });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      Array(3).fill("warning include-matches-nothing"),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'include "docs" matches no file: nothing in folder "docs" fits it; everything in a folder is written "docs/**"',
      'include "docs/*.txt" matches no file: nothing in folder "docs" fits it; everything in a folder is written "docs/**"',
      'include "dosc/**/*.md" matches no file: "dosc": no such file or directory; did you mean "docs"?',
    ]);
  });

  test("nothing found is a result, not an error", async () => {
    expect(await discover({})).toEqual({ root: dir, files: [], skipped: [], unread: [], diagnostics: [] });
  });
});

describe("folders that are never indexed", () => {
  beforeEach(async () => {
    await write("a.md", "node_modules/pkg/readme.md", ".git/x.md", ".treeline/y.md", "packages/p/node_modules/q/z.md");
    await write(
      "node_modules/@s/pkg/dist/t.md",
      "node_modules/@s/pkg/node_modules/u/v.md",
      "node_modules/@s/other/w.md",
    );
  });

  test("stay out whatever wildcards match", async () => {
    expect(await paths({ include: ["**/*.md", "**/node_modules/**", "*/pkg/*.md"] })).toEqual(["a.md"]);
  });

  test("are read as far as an include spells them out, by that include alone", async () => {
    await write("node_modules/@s/pkg/types.d.ts", "types.d.ts");
    expect(await paths({ include: ["**/*.md", "node_modules/@s/pkg/**/*.d.ts"] })).toEqual([
      "a.md",
      "node_modules/@s/pkg/types.d.ts",
    ]);
    expect(await paths({ include: ["node_modules/@s/pkg/**/*.md"] })).toEqual(["node_modules/@s/pkg/dist/t.md"]);
    expect(await paths({ include: ["node_modules/pkg/readme.md", ".git/x.md"] })).toEqual([
      ".git/x.md",
      "node_modules/pkg/readme.md",
    ]);
  });

  test("are read when they are the root", async () => {
    expect(await paths({ root: "node_modules/@s" })).toEqual(["other/w.md", "pkg/dist/t.md"]);
  });
});

describe("limits", () => {
  test("a file of fifty megabytes is skipped by its size, without being read", async () => {
    await write("a.md");
    await writeFile(join(dir, "big.md"), Buffer.alloc(50 * 1024 * 1024, "x"));
    const { files, skipped } = await discover({});
    expect(files).toMatchObject([{ path: "a.md", bytes: 4 }]);
    expect(skipped).toEqual([
      {
        path: "big.md",
        reason: "too-large",
        message: "has 52428800 bytes, more than limits.maxFileBytes (10485760)",
        bytes: 52428800,
      },
    ]);
  });

  test("a file of exactly the limit is taken", async () => {
    await write("a.md");
    expect(await paths({ limits: { maxFileBytes: 4 } })).toEqual(["a.md"]);
    expect(await paths({ limits: { maxFileBytes: 3 } })).toEqual([]);
  });

  test("of too many files the first in path order are kept, and the rest is reported", async () => {
    await write("c.md", "a.md", "b/x.md", "d.md");
    const { files, skipped, diagnostics } = await discover({ limits: { maxFiles: 2 } });
    expect(files.map(({ path }) => path)).toEqual(["a.md", "b/x.md"]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ["c.md", "too-many-files"],
      ["d.md", "too-many-files"],
    ]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "too-many-files" }]);
  });
});

describe("links", () => {
  test("a link to a file inside the root is followed", async () => {
    await write("real.md", "docs/b.md");
    await symlink("../real.md", join(dir, "docs/link.md"));
    await symlink("real.md", join(dir, "no-markdown.text"));
    const { files, skipped } = await discover({});
    expect(files).toMatchObject([
      { path: "docs/b.md", bytes: 4 },
      { path: "docs/link.md", bytes: 4 },
      { path: "real.md", bytes: 4 },
    ]);
    expect(skipped).toEqual([]);
  });

  test("a linked folder is followed once", async () => {
    await write("real/a.md", "real/sub/b.md");
    await symlink("real", join(dir, "one"));
    await symlink("real", join(dir, "two"));
    const { files, skipped } = await discover({});
    expect(files.map(({ path }) => path)).toEqual(["one/a.md", "one/sub/b.md", "real/a.md", "real/sub/b.md"]);
    expect(skipped).toEqual([
      { path: "two", reason: "symlink-duplicate", message: 'leads to "real", as the link "one" does' },
    ]);
  });

  test("links back to a folder that holds them end there", async () => {
    await write("a/b/c.md", "x/y.md");
    await symlink("..", join(dir, "a/b/up"));
    await symlink(".", join(dir, "a/self"));
    await symlink("..", join(dir, "a/root"));
    await symlink("../x", join(dir, "a/to-x"));
    await symlink("../a", join(dir, "x/to-a"));
    const { files, skipped } = await discover({});
    expect(files.map(({ path }) => path)).toEqual(["a/b/c.md", "a/to-x/y.md", "x/to-a/b/c.md", "x/y.md"]);
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(["symlink-loop"]));
    expect(skipped.map(({ path }) => path)).toEqual([
      "a/b/up",
      "a/root",
      "a/self",
      "a/to-x/to-a",
      "x/to-a/b/up",
      "x/to-a/root",
      "x/to-a/self",
      "x/to-a/to-x",
    ]);
  });

  test("a link that leads to itself is reported", async () => {
    await symlink("loop.md", join(dir, "loop.md"));
    expect((await discover({})).skipped).toEqual([
      { path: "loop.md", reason: "symlink-loop", message: "is a link that leads back to itself" },
    ]);
  });

  test("links out of the root are reported and never opened", async () => {
    await writeFile(join(outside, "secret.md"), "secret");
    await mkdir(join(outside, "more"));
    await writeFile(join(outside, "more/secret.md"), "secret");
    await write("docs/a.md", "sibling/b.md", "docs-2/c.md");
    await symlink("../../secret.md", join(dir, "docs/secret.md"));
    await symlink("../../more", join(dir, "docs/more"));
    await symlink("../sibling", join(dir, "docs/sibling"));
    await symlink("../docs-2", join(dir, "docs/two"));
    await symlink("/etc/passwd", join(dir, "docs/passwd"));
    const { files, skipped } = await discover({ root: "docs" });
    expect(files.map(({ path }) => path)).toEqual(["a.md"]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ["more", "symlink-outside"],
      ["secret.md", "symlink-outside"],
      ["sibling", "symlink-outside"],
      ["two", "symlink-outside"],
    ]);
    expect(JSON.stringify(skipped)).not.toContain(outside);
  });

  test("a link through another link counts by where it ends", async () => {
    await writeFile(join(outside, "secret.md"), "secret");
    await write("a.md");
    await symlink("../secret.md", join(dir, "hop"));
    await symlink("hop", join(dir, "z.md"));
    const { files, skipped } = await discover({});
    expect(files.map(({ path }) => path)).toEqual(["a.md"]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([["z.md", "symlink-outside"]]);
  });

  test("broken links are reported where a document or a folder may have been meant", async () => {
    await symlink("nowhere.md", join(dir, "gone.md"));
    await symlink("nowhere", join(dir, "folder"));
    await symlink("nowhere.png", join(dir, "logo.png"));
    const { skipped } = await discover({});
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ["folder", "symlink-broken"],
      ["gone.md", "symlink-broken"],
    ]);
  });

  test("a link into node_modules is followed only where an include spells it out", async () => {
    await write("node_modules/pkg/docs/a.md");
    await symlink("node_modules/pkg/docs", join(dir, "pkg-docs"));
    const { files, skipped } = await discover({});
    expect(files).toEqual([]);
    expect(skipped).toMatchObject([{ path: "pkg-docs", reason: "symlink-excluded" }]);
    expect(await paths({ include: ["pkg-docs/*.md"] })).toEqual(["pkg-docs/a.md"]);
  });

  test("ignored and excluded links are not even looked at", async () => {
    await write("real/a.md");
    await writeFile(join(dir, ".gitignore"), "ignored\n");
    await symlink("nowhere", join(dir, "ignored"));
    await symlink("nowhere", join(dir, "excluded"));
    expect((await discover({ exclude: ["excluded"] })).skipped).toEqual([]);
  });

  test("many folders that all link to each other end after a walk of each", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    for (const name of names) {
      await write(`${name}/a.md`);
    }
    for (const from of names) {
      for (const to of names) {
        await symlink(`../${to}`, join(dir, from, `to-${to}`));
      }
    }
    const { files } = await discover({ exclude: [...(DEFAULTS.collections[0]?.exclude ?? [])] });
    expect(files).toHaveLength(24);
  });
});

describe("faults of the disk", () => {
  test("a file that cannot be looked at is skipped, and the rest goes on", async () => {
    await write("a.md", "b.md");
    const fileSystem = failing("stat", "b.md", "EIO");
    const { files, skipped } = await discover({ fileSystem });
    expect(files.map(({ path }) => path)).toEqual(["a.md"]);
    expect(skipped).toEqual([{ path: "b.md", reason: "unreadable", message: "cannot be read: i/o error" }]);
  });

  test("a folder that cannot be listed is skipped, and the rest goes on", async () => {
    await write("a.md", "closed/b.md");
    const { files, skipped } = await discover({ fileSystem: failing("readdir", "closed", "EACCES") });
    expect(files.map(({ path }) => path)).toEqual(["a.md"]);
    expect(skipped).toEqual([{ path: "closed", reason: "unreadable", message: "cannot be listed: permission denied" }]);
  });

  test("an ignore file that cannot be read is a warning", async () => {
    await write("sub/a.md", "sub/.gitignore");
    const { files, diagnostics } = await discover({ fileSystem: failing("readFile", ".gitignore", "EACCES") });
    expect(files).toHaveLength(1);
    expect(diagnostics).toEqual([
      {
        severity: "warning",
        code: "ignore-file-unreadable",
        message: ".gitignore cannot be read: permission denied; its rules do not apply",
        path: "sub/.gitignore",
        line: 0,
      },
    ]);
  });

  test("a link that cannot be followed is skipped", async () => {
    await write("a.md");
    await symlink("a.md", join(dir, "b.md"));
    const { skipped } = await discover({ fileSystem: failing("realpath", "b.md", "EACCES") });
    expect(skipped).toMatchObject([{ path: "b.md", reason: "unreadable" }]);
  });

  test("a fault of our own is not taken for one of the disk", async () => {
    await write("a.md");
    const fileSystem = { ...nodeFileSystem, stat: () => Promise.reject(new TypeError("bug")) };
    await expect(discover({ fileSystem })).rejects.toThrow(TypeError);
  });

  test("a pipe called like a document is skipped", async () => {
    execFileSync("mkfifo", [join(dir, "pipe.md")]);
    execFileSync("mkfifo", [join(dir, "pipe.text")]);
    await symlink("pipe.md", join(dir, "link.md"));
    const { files, skipped } = await discover({});
    expect(files).toEqual([]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ["link.md", "not-a-file"],
      ["pipe.md", "not-a-file"],
    ]);
  });

  test("a name that is not UTF-8 is skipped with the reason", async () => {
    await writeFile(Buffer.concat([Buffer.from(join(dir, "a")), Buffer.from([0xff]), Buffer.from(".md")]), "text");
    expect((await discover({})).skipped).toEqual([
      { path: "a\uFFFD.md", reason: "unreadable", message: "has a name that is not UTF-8" },
    ]);
  });
});

describe("roots", () => {
  test("a folder that does not exist is named with its nearest siblings", async () => {
    await write("docs/guides/a.md", "docs/guide/b.md", "src/c.ts");
    await expectInputError({ root: "doc" }, 'folder "doc" does not exist', ["docs"]);
    await expectInputError({ root: "docs/guidez" }, 'folder "docs/guidez" does not exist', [
      "docs/guides",
      "docs/guide",
    ]);
    await expectInputError({ root: "dosc/guides" }, 'folder "dosc/guides" does not exist', ["docs"]);
    await expectInputError({ root: "zzz" }, 'folder "zzz" does not exist', []);
  });

  test("a configuration folder that does not exist is named without its absolute path", async () => {
    await rename(dir, join(outside, "bases"));
    await expectInputError({}, 'folder "base" does not exist', ["bases"]);
  });

  test("a root that is a file is refused", async () => {
    await write("docs.md");
    await expectInputError({ root: "docs.md" }, '"docs.md" is a file; a collection is read from a folder');
    await expectInputError({ root: "docs.md/x" }, 'folder "docs.md/x" does not exist');
  });

  test("a root that is a link out of the configuration's folder is refused, one inside is not", async () => {
    await mkdir(join(outside, "elsewhere"));
    await symlink("../elsewhere", join(dir, "out"));
    await write("real/a.md");
    await symlink("real", join(dir, "in"));
    await expectInputError({ root: "out" }, 'folder "out" is a link that leads out of the folder of the configuration');
    expect(await paths({ root: "in" })).toEqual(["a.md"]);
  });

  test("a root that cannot be listed is an error, not an empty collection", async () => {
    await write("docs/a.md");
    const fileSystem = failing("readdir", "docs", "EACCES");
    await expectInputError({ root: "docs", fileSystem }, 'folder "docs" cannot be listed: permission denied');
  });
});

describe("order and speed", () => {
  test("the result does not depend on the order in which the disk lists names", async () => {
    await write("b.md", "a.md", "c/d.md", "c/e.md", "real/x.md");
    await writeFile(join(dir, ".gitignore"), "e.md\n");
    await writeFile(join(dir, ".treelineignore"), "!e.md\n");
    await symlink("real", join(dir, "m"));
    await symlink("real", join(dir, "n"));
    await symlink("gone", join(dir, "o"));
    const reversed = {
      ...nodeFileSystem,
      readdir: async (path: string) => [...(await nodeFileSystem.readdir(path))].reverse(),
    };
    expect(await discover({ fileSystem: reversed })).toEqual(await discover({}));
  });

  test("ten thousand files behind thirty ignore rules are all found", async () => {
    await writeFile(join(dir, ".gitignore"), Array.from({ length: 30 }, (_, index) => `*.tmp${index}\n`).join(""));
    const fileSystem = createLargeTree(100, 100);
    expect((await discover({ fileSystem })).files).toHaveLength(10_000);
  });
});

/** Writes files of four bytes, with the folders they need. */
async function write(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), "text");
  }
}

async function discover({ root = ".", include, exclude = [], limits = {}, fileSystem }: Wanted): Promise<Discovery> {
  const collection = { root, include: include ?? DEFAULTS.collections[0]?.include ?? [], exclude };
  return discoverFiles(collection, dir, { ...DEFAULTS.limits, ...limits }, fileSystem);
}

async function paths(wanted: Wanted): Promise<string[]> {
  return (await discover(wanted)).files.map(({ path }) => path);
}

async function expectInputError(wanted: Wanted, message: string, nearest?: string[]): Promise<void> {
  const error: unknown = await discover(wanted).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toBe(message);
  if (nearest !== undefined) {
    expect((error as InputError).nearest).toEqual(nearest);
  }
}

/** The disk, with one method failing on paths that end in `name`. */
function failing(method: keyof SourceFileSystem, name: string, code: string): SourceFileSystem {
  const fail = (path: string) =>
    basename(path) === name
      ? Promise.reject(Object.assign(new Error(`${code}: ${path}`), { code }))
      : nodeFileSystem[method](path);
  return { ...nodeFileSystem, [method]: fail };
}

/** The disk, with so many folders of so many files each in the base folder that no disk has to hold. */
function createLargeTree(folders: number, filesEach: number): SourceFileSystem {
  const entry = (name: string, isFolder: boolean) => ({
    name,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
  });
  const list = (count: number, isFolder: boolean) =>
    Array.from({ length: count }, (_, index) => entry(isFolder ? `folder-${index}` : `file-${index}.md`, isFolder));
  const status = { size: 4, isFile: () => true, isDirectory: () => false };
  return {
    ...nodeFileSystem,
    readdir: async (path) =>
      path === dir ? [...(await nodeFileSystem.readdir(path)), ...list(folders, true)] : list(filesEach, false),
    stat: async (path) => (path.endsWith(".md") ? status : nodeFileSystem.stat(path)),
  };
}

function countLists(): { fileSystem: SourceFileSystem; listed: Set<string> } {
  const listed = new Set<string>();
  const readdir = (path: string) => {
    listed.add(basename(path));
    return nodeFileSystem.readdir(path);
  };
  return { fileSystem: { ...nodeFileSystem, readdir }, listed };
}

test("plain text is found where people write it, and not where programs read it", async () => {
  await write(
    "README.txt",
    "docs/guide.txt",
    "requirements.txt",
    "dev-requirements.txt",
    "LICENSE.txt",
    "robots.txt",
    "CMakeLists.txt",
    "tests/a/b.txt",
    "requirements/dev.txt",
  );
  const { files } = await discover({ exclude: [...(DEFAULTS.collections[0]?.exclude ?? [])] });
  expect(files.map(({ path }) => path)).toEqual(["README.txt", "docs/guide.txt"]);
});
