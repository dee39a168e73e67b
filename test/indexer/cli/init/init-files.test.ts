/**
 * What `init` does to files that are there: nothing without consent, all or nothing, and nothing outside of the folder.
 */
import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInitCommand } from "../../../../indexer/cli/commands/init.ts";
import { planFiles, writePlanned } from "../../../../indexer/cli/init/project-files.ts";
import { type CommandOutput, runCommands } from "../../../support/list-command.ts";
import { runs } from "../../../support/runs.ts";
import { type FileContents, makeFolder, writeFiles } from "../../../support/temporary-folder.ts";

type Prompt = NonNullable<ReturnType<NonNullable<Parameters<typeof createInitCommand>[0]>>>;

const WRITTEN = [".github/workflows/treeline.yml", ".gitignore", "treeline.config.json", "wrangler.toml"];

function init(dir: string, ...words: readonly string[]): Promise<CommandOutput> {
  return runCommands([createInitCommand(() => undefined)], ["init", dir, ...words]);
}

/** Everything below a folder by its path, links by where they lead. */
async function snapshot(dir: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const shown = relative(dir, path);
    if (entry.isSymbolicLink()) entries[shown] = `-> ${await readlink(path)}`;
    else entries[shown] = entry.isDirectory() ? "folder" : await readFile(path, "utf8");
  }
  return entries;
}

/** A person who gives these answers, and notes the questions. */
function person(answers: readonly string[]): { readonly prompt: Prompt; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = async (question: string, usual: string): Promise<string> => {
    asked.push(question);
    return answers[asked.length - 1] || usual;
  };
  return { prompt: { ask, close: () => undefined }, asked };
}

describe("files that are not there", () => {
  it("are written, once", async () => {
    const dir = await makeFolder({ "docs/a.md": "# A\n" });
    const first = await init(dir, "--name", "acme");
    expect(first).toMatchObject({ code: 0, err: "" });
    const files = await snapshot(dir);
    expect(
      Object.keys(files)
        .filter((path) => files[path] !== "folder" && path !== "docs/a.md")
        .sort(),
    ).toEqual(WRITTEN);
    expect(files["wrangler.toml"]).toContain('name = "acme"');
    const second = await init(dir);
    expect(second.out).toContain("nothing was changed");
    expect(await snapshot(dir)).toEqual(files);
  });

  it("are shown by --dry-run, chosen by --only, and listed by --json", async () => {
    const dir = await makeFolder({ "a.md": "# A\n" });
    const before = await snapshot(dir);
    const dry = await init(dir, "--dry-run", "--private");
    expect(dry.out).toContain('ACCESS = "private"');
    expect(dry.out).toContain("--- .github/workflows/treeline.yml");
    expect(await snapshot(dir)).toEqual(before);
    const { out } = await init(dir, "--only", "config,gitignore", "--json");
    expect(JSON.parse(out).files).toEqual([
      { path: "treeline.config.json", action: "create", written: true },
      { path: ".gitignore", action: "create", written: true },
    ]);
    expect(Object.keys(await snapshot(dir)).sort()).toEqual([".gitignore", "a.md", "treeline.config.json"]);
    expect(await init(dir, "--only", "confg")).toMatchObject({
      code: 2,
      err: expect.stringContaining("did you mean config?"),
    });
  });

  it("ask three questions at most at a terminal, and take what was decided before", async () => {
    const dir = await makeFolder({ "a.md": "# A\n" });
    const { prompt, asked } = person(["acme-docs", "0123456789ABCDEF0123456789abcdef", "private"]);
    const command = createInitCommand(() => prompt);
    expect((await runCommands([command], ["init", dir])).code).toBe(0);
    expect(asked).toHaveLength(3);
    const files = await snapshot(dir);
    expect(files["wrangler.toml"]).toContain('account_id = "0123456789abcdef0123456789abcdef"');
    expect(files[".github/workflows/treeline.yml"]).toContain('account: "0123456789abcdef0123456789abcdef"');
    expect((await runCommands([command], ["init", dir])).out).toContain("nothing was changed");
    expect(asked).toHaveLength(3);
    expect((await init(dir)).out).toContain("nothing was changed");
    expect(await snapshot(dir)).toEqual(files);
  });

  it("ask again where an answer cannot be taken", async () => {
    const dir = await makeFolder({ "a.md": "# A\n" });
    const { prompt, asked } = person(["my worker", "my-worker", "12", "", "all", "public"]);
    const { code, err } = await runCommands([createInitCommand(() => prompt)], ["init", dir]);
    expect(code).toBe(0);
    expect(asked.map((question) => question.slice(0, 4))).toEqual(["Name", "Name", "Acco", "Acco", "Who ", "Who "]);
    for (const wrong of ['"my worker"', '"12"', '"all"']) expect(err).toContain(wrong);
    expect(await readFile(join(dir, "wrangler.toml"), "utf8")).toContain('name = "my-worker"');
  });

  it("are opened and closed by options, also after a first run", async () => {
    const dir = await makeFolder({ "a.md": "# A\n" });
    const isPrivate = async (...words: readonly string[]) => {
      await init(dir, "--only", "wrangler", "--force", ...words);
      return (await readFile(join(dir, "wrangler.toml"), "utf8")).includes('ACCESS = "private"');
    };
    expect([await isPrivate("--private"), await isPrivate(), await isPrivate("--public"), await isPrivate()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect((await init(dir, "--private", "--public")).code).toBe(2);
  });

  it("come with the steps that are left for them, and with none where nothing was changed", async () => {
    const dir = await makeFolder({
      "a.md": "# A\n",
      "package.json": '{"devDependencies": {"wrangler": "^4.0.0"}}',
      "wrangler.jsonc": "{}",
    });
    const steps = ({ out }: CommandOutput) => out.split("next:\n")[1] ?? "";
    const workflow = steps(await init(dir, "--only", "workflow"));
    expect(workflow).toContain("R2_ACCESS_KEY_ID");
    expect(workflow).not.toMatch(/deploy|npm install/);
    const all = steps(await init(dir));
    expect(all).toMatch(/^ {2}npm install --save-dev (?:treeline|\.\/treeline-[\d.]+tgz)$/m);
    expect(all).toContain("npx treeline deploy --config wrangler.toml ");
    expect(all).toContain("git add, commit, push");
    expect(steps(await init(dir))).toBe("");
  });

  it("lie at the top of the repository where GitHub looks for them", async () => {
    const top = await makeFolder({ "docs/a.md": "# A\n" });
    execFileSync("git", ["init", "--quiet", "--initial-branch", "trunk"], { cwd: top });
    expect((await init(join(top, "docs"))).code).toBe(0);
    const files = await snapshot(top);
    expect(files[".github/workflows/treeline.yml"]).toContain('root: "docs"');
    expect(files[".github/workflows/treeline.yml"]).toContain('branches: ["trunk"]');
    expect(files["docs/wrangler.toml"]).toBeDefined();
  });
});

describe("init --static", () => {
  const steps = async (files: FileContents, ...words: readonly string[]) => {
    const dir = await makeFolder(files);
    const { code, out, err } = await init(dir, "--static", ...words);
    return {
      code,
      err,
      written: Object.keys(await snapshot(dir)).filter((path) => !(path in files)),
      next: out.split("next:\n")[1] ?? "",
    };
  };

  it("writes nothing where a plugin knows the site, and says its lines", async () => {
    const starlight = await steps({
      "package.json": '{"dependencies": {"@astrojs/starlight": "1", "treeline": "1"}}',
      "astro.config.mjs": "export default defineConfig({ integrations: [starlight({ title: 'A' })] });",
      "src/content/docs/a.md": "# A\n",
    });
    expect(starlight.written.filter((path) => !path.startsWith("src"))).toEqual([]);
    expect(starlight.next).toBe(
      '  in astro.config.mjs:\n    import treeline from "treeline/starlight";\n    starlight({ plugins: [treeline()] }),\n  npx astro build',
    );
    const docusaurus = await steps({ "docusaurus.config.js": "module.exports = {};", "docs/a.md": "# A\n" });
    expect(docusaurus.next).toContain('  in docusaurus.config.js:\n    plugins: ["treeline/docusaurus"],');
    expect(docusaurus.next).toMatch(/npm install --save-dev (?:\.\/)?treeline/);
  });

  it("writes what is known of other built sites, and says their commands and the line for pages", async () => {
    const { written, next } = await steps({
      "hugo.toml": 'baseURL = "https://lamps.dev/docs/"\nlanguageCode = "de"\npublishDir = "out"\n',
      "content/a.md": "# A\n",
    });
    expect(written.sort()).toEqual([".gitignore", "content", "treeline.config.json"]);
    expect(next).toContain("  npx treeline build --out out/treeline --browser\n");
    expect(next).toContain('<script type="module" src="/docs/treeline/search.js"></script>');
    const plain = await steps({ "a.html": "<p>A" });
    expect(plain.written).toEqual([]);
    expect(plain.next).toContain("npx treeline build DIST --out DIST/treeline --browser");
  });

  it("is for everybody", async () => {
    expect(await steps({ "a.md": "" }, "--private")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--static"),
    });
  });
});

describe("translations", () => {
  const collectionsOf = async (files: FileContents) => {
    const { out } = await init(await makeFolder(files), "--json");
    return (JSON.parse(out) as { found: { name: string; root: string }[] }).found.map(
      ({ name, root }) => `${name} ${root}`,
    );
  };
  const written = async (files: FileContents) => {
    const dir = await makeFolder(files);
    await init(dir, "--only", "config");
    return readFile(join(dir, "treeline.config.json"), "utf8");
  };

  it("become collections in their languages, by the settings or by the names of folders", async () => {
    const pages = {
      "src/content/docs/a.md": "# A\n",
      "src/content/docs/de/a.md": "# A\n",
      "src/content/docs/pl/a.md": "# A\n",
    };
    const config = (locales: string) =>
      `export default defineConfig({ site: "https://lamps.dev", integrations: [starlight({ locales: ${locales} })] });`;
    const named = {
      ...pages,
      "astro.config.mjs": config('{ root: { lang: "en" }, de: { lang: "de" }, pl: { lang: "pl" } }'),
    };
    const expected = ["docs src/content/docs", "docs-de src/content/docs/de", "docs-pl src/content/docs/pl"];
    expect(await collectionsOf(named)).toEqual(expected);
    const text = await written(named);
    expect(text).toContain('"exclude": ["de/**", "pl/**"]');
    expect(text).toMatch(
      /"root": "src\/content\/docs\/de",\n\s+"baseUrl": "https:\/\/lamps.dev\/de\/",\n\s+"language": "german"/,
    );
    expect(text).toMatch(/docs\/pl",\n\s+"baseUrl": "[^"]*",\n\s+"language": "none"/);
    const imported = {
      "astro.config.mjs":
        'import { locales } from "./locales";\nexport default { integrations: [starlight({ locales })] };',
      ...{ "src/content/docs/en/a.md": "# A\n", "src/content/docs/fr/a.md": "# A\n" },
    };
    expect(await collectionsOf(imported)).toEqual(["docs-en src/content/docs/en", "docs-fr src/content/docs/fr"]);
    expect(await collectionsOf({ ...pages, "astro.config.mjs": config("undefined") })).toEqual([
      "docs src/content/docs",
    ]);
  });

  it("are found in VitePress and Docusaurus", async () => {
    const vitepress = {
      "docs/.vitepress/config.ts": 'export default { locales: { root: { lang: "en" }, fr: { lang: "fr-FR" } } };',
      ...{ "docs/a.md": "# A\n", "docs/fr/a.md": "# A\n" },
    };
    expect(await collectionsOf(vitepress)).toEqual(["docs docs", "docs-fr docs/fr"]);
    const docusaurus = {
      "docusaurus.config.js":
        'module.exports = { url: "https://lamps.dev", baseUrl: "/x/", i18n: { defaultLocale: "en", locales: ["en", "de"] } };',
      ...{ "docs/a.md": "# A\n", "i18n/de/docusaurus-plugin-content-docs/current/a.md": "# A\n" },
    };
    expect(await written(docusaurus)).toContain('"baseUrl": "https://lamps.dev/x/de/docs/"');
    expect(await collectionsOf(docusaurus)).toEqual([
      "docs docs",
      "docs-de i18n/de/docusaurus-plugin-content-docs/current",
    ]);
  });
});

describe("the workflow of a repository", () => {
  const WORKFLOW = ".github/workflows/treeline.yml";

  /** A repository with one commit. */
  async function makeRepository(branch: string, files: FileContents): Promise<string> {
    const top = await makeFolder(files);
    runGit(top, "init", "--quiet", "--initial-branch", branch);
    const settings = ["user.name=a", "user.email=a@b.c", "commit.gpgsign=false"].flatMap((one) => ["-c", one]);
    runGit(top, ...settings, "commit", "--quiet", "--allow-empty", "-m", "first");
    return top;
  }

  function runGit(top: string, ...words: readonly string[]): void {
    execFileSync("git", words, { cwd: top });
  }

  it("publishes the default branch, whichever is checked out, and a second run elsewhere changes nothing", async () => {
    const top = await makeRepository("main", { "a.md": "# A\n" });
    runGit(top, "checkout", "--quiet", "-b", "feature/y");
    expect((await init(top)).out).not.toContain("checked out");
    expect(await readFile(join(top, WORKFLOW), "utf8")).toContain('branches: ["main"]');

    const other = await makeRepository("branch-of-ours", { "a.md": "# A\n" });
    expect((await init(other)).out).toContain("publishes pushes to branch-of-ours, which is checked out");
    const first = await readFile(join(other, WORKFLOW), "utf8");
    runGit(other, "checkout", "--quiet", "-b", "feature/y");
    expect((await init(other)).out).toContain("nothing was changed");
    expect((await init(other)).out).not.toContain("checked out");
    expect(await readFile(join(other, WORKFLOW), "utf8")).toBe(first);
  });

  it("is one for each project in it, none of which waits for another", async () => {
    const top = await makeRepository("main", { "packages/a/a.md": "# A\n", "packages/b/b.md": "# B\n" });
    for (const name of ["a", "b", "a", "b"]) {
      const { out } = await init(join(top, "packages", name));
      expect(out).not.toContain("differs");
    }
    const files = await snapshot(top);
    const second = files[".github/workflows/treeline-packages-b.yml"];
    expect(files[WORKFLOW]).toContain('root: "packages/a"');
    expect(second).toContain('root: "packages/b"');
    const groups = [files[WORKFLOW], second].map((text) => /group: (.*)/.exec(text ?? "")?.[1]);
    expect(new Set(groups).size).toBe(2);
    const workers = ["a", "b"].map((name) => /^name = .*/m.exec(files[`packages/${name}/wrangler.toml`] ?? "")?.[0]);
    expect(new Set(workers).size).toBe(2);
  });

  it("is left to a person who wrote one, with its bucket", async () => {
    const written = `on: { push: { branches: [next] } }
jobs: { search: { runs-on: ubuntu-latest, steps: [{ uses: "treeline-dev/treeline@v0", with: { bucket: mybucket } }] } }
`;
    const dir = await makeFolder({ "a.md": "# A\n", ".github/workflows/search.yaml": written });
    const { out } = await init(dir);
    expect(out).toContain(".github/workflows/search.yaml uses Treeline already");
    expect(out).not.toContain("first run of the workflow");
    const files = await snapshot(dir);
    expect(files[WORKFLOW]).toBeUndefined();
    expect(files["wrangler.toml"]).toContain('bucket_name = "mybucket"');
  });

  it("is not written among git's own files", async () => {
    const dir = await makeFolder();
    runGit(dir, "init", "--quiet", "--bare");
    const before = await snapshot(dir);
    expect(await init(dir)).toMatchObject({ code: 1, err: expect.stringContaining("git's own files") });
    expect(await snapshot(dir)).toEqual(before);
  });
});

describe("files that are there", () => {
  it("stay as they are, whichever there are, and a second run changes nothing", async () => {
    const content = fc.constantFrom(
      "",
      "x\n",
      "name: other\r\n",
      "{}",
      '{"collections": [{"name": "a"}]}',
      "node_modules\n",
    );
    const some = fc.uniqueArray(fc.constantFrom(...WRITTEN), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, fc.array(content, { minLength: 4, maxLength: 4 }), async (paths, contents) => {
        const dir = await makeFolder({ "a.md": "# A\n" });
        const given: Record<string, string> = {};
        for (const [at, path] of paths.entries()) {
          const text = contents[at] ?? "";
          // What is no configuration is an error, which another test has.
          given[path] = path === "treeline.config.json" && !text.startsWith("{") ? "{}" : text;
        }
        await writeFiles(dir, given);
        expect((await init(dir, "--yes")).code).toBe(0);
        const after = await snapshot(dir);
        for (const [path, text] of Object.entries(given)) {
          if (path === ".gitignore") expect(after[path]?.startsWith(text)).toBe(true);
          else expect(after[path]).toBe(text);
        }
        expect(WRITTEN.every((path) => after[path] !== undefined)).toBe(true);
        expect((await init(dir, "--yes")).out).toContain("nothing was changed");
        expect(await snapshot(dir)).toEqual(after);
      }),
      { numRuns: runs(12) },
    );
  });

  it("are replaced with --force, and stay beside as copies", async () => {
    const dir = await makeFolder({ "a.md": "# A\n", "wrangler.toml": "one\n", "wrangler.toml.bak": "older\n" });
    const { out } = await init(dir, "--force");
    expect(out).toContain("replaced   wrangler.toml (the old one is wrangler.toml.bak1)");
    const files = await snapshot(dir);
    expect(files).toMatchObject({ "wrangler.toml.bak": "older\n", "wrangler.toml.bak1": "one\n" });
    expect(files["wrangler.toml"]).toContain("compatibility_date");
    expect(Object.keys(files).filter((path) => path.endsWith("treeline-init"))).toEqual([]);
  });

  it("are asked for one by one at a terminal; nothing typed leaves them", async () => {
    const dir = await makeFolder({ "a.md": "# A\n", "wrangler.toml": "mine\n", "treeline.config.json": "{}" });
    const { prompt, asked } = person(["", "", "", "", "y"]);
    await runCommands([createInitCommand(() => prompt)], ["init", dir]);
    expect(asked.slice(3)).toEqual([
      expect.stringContaining("treeline.config.json"),
      expect.stringContaining("wrangler.toml"),
    ]);
    const files = await snapshot(dir);
    expect(files["treeline.config.json"]).toBe("{}");
    expect(files).toMatchObject({ "wrangler.toml.bak": "mine\n" });
  });

  it("are named by line and column where a configuration cannot be used, and nothing is written", async () => {
    const dir = await makeFolder({
      "a.md": "# A\n",
      "treeline.config.json": '\uFEFF{\r\n  "collection": [],\r\n  "failOn": ["eror"]\r\n}',
    });
    const before = await snapshot(dir);
    const { code, err } = await init(dir);
    expect(code).toBe(1);
    expect(err).toContain(
      'treeline.config.json:2:3: the configuration has no key "collection"; did you mean "collections"?',
    );
    expect(err).toContain("treeline.config.json:3:14: ");
    expect(await snapshot(dir)).toEqual(before);
  });

  it("keep their line ends and mode where lines are added", async () => {
    const dir = await makeFolder({ "a.md": "# A\n", ".gitignore": "dist\r\n/.wrangler" });
    await chmod(join(dir, ".gitignore"), 0o600);
    await init(dir, "--only", "gitignore");
    expect(await readFile(join(dir, ".gitignore"), "utf8")).toBe("dist\r\n/.wrangler\r\n.treeline/\r\n");
    expect((await lstat(join(dir, ".gitignore"))).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual([".gitignore", "a.md"]);
  });
});

describe("what stands in the way", () => {
  /** Nothing below the folder may change. */
  async function refuses(dir: string, message: RegExp): Promise<void> {
    const before = await snapshot(dir);
    const { code, err } = await init(dir, "--force");
    expect(err).toMatch(message);
    expect(code).toBe(1);
    expect(await snapshot(dir)).toEqual(before);
  }

  it("is refused before anything is written: folders, files for folders, links that lead out", async () => {
    const files: FileContents = { "a.md": "# A\n" };
    await refuses(await makeFolder({ ...files, "wrangler.toml/x": "" }), /wrangler.toml is a folder; move it away/);
    await refuses(await makeFolder({ ...files, ".github": "" }), /treeline.yml cannot be made: ".github" is no folder/);
    const outside = await makeFolder();
    const linked = await makeFolder(files);
    await symlink(outside, join(linked, ".github"), "dir");
    await refuses(linked, /treeline.yml cannot be made: ".github" is a link that leads out/);
    expect(await readdir(outside)).toEqual([]);
    const broken = await makeFolder(files);
    await symlink("nowhere", join(broken, ".github"), "dir");
    await refuses(broken, /a link on its way/);
    expect(await init(join(outside, "gone"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("no such file or directory"),
    });
  });

  it("is left alone where it is a link in place of a file", async () => {
    const outside = await makeFolder({ "other.toml": "other\n" });
    const dir = await makeFolder({ "a.md": "# A\n" });
    await symlink(join(outside, "other.toml"), join(dir, "wrangler.toml"));
    const { code, out } = await init(dir, "--force");
    expect(code).toBe(0);
    expect(out).toContain("wrangler.toml is left alone: it is a link");
    expect(await readFile(join(outside, "other.toml"), "utf8")).toBe("other\n");
  });

  it("writes what can be written, with a copy of what it replaces, and goes on when it is called again", async () => {
    const dir = await makeFolder({ "old.txt": "old\n", "list.txt": "one\n" });
    const wanted = [
      { base: dir, path: "deep/er/new.txt", text: "new\n" },
      { base: dir, path: "old.txt", text: "other\n" },
      { base: dir, path: "list.txt", text: (before: string) => (before.includes("two") ? before : `${before}two\n`) },
    ];
    const plan = await planFiles([...wanted, { base: dir, path: "last/new.txt", text: "new\n" }], dir);
    await writeFile(join(dir, "last"), "in the way\n");
    await expect(writePlanned(plan)).rejects.toThrow(/^last\/new.txt cannot be written: /);
    await writePlanned(await planFiles(wanted, dir));
    const after = await snapshot(dir);
    expect(after).toMatchObject({
      "deep/er/new.txt": "new\n",
      "old.txt": "other\n",
      "list.txt": "one\ntwo\n",
      "old.txt.bak": "old\n",
    });
  });

  it("does not replace what somebody else wrote after the plan", async () => {
    const dir = await makeFolder();
    const plan = await planFiles([{ base: dir, path: "new.txt", text: "mine\n" }], dir);
    await writeFile(join(dir, "new.txt"), "theirs\n");
    await expect(writePlanned(plan)).rejects.toThrow(/new.txt cannot be written: something else wrote it meanwhile/);
    expect(await snapshot(dir)).toEqual({ "new.txt": "theirs\n" });
  });

  it("is nothing that a project's own files can do", async () => {
    const strange = "docs/we\u202eird\n[x](y) `\u0007`";
    const dir = await makeFolder({
      "package.json": `{"name": "${"a".repeat(10 * 1024 * 1024)}", "workspaces": ["../*", "**/*", "${"*".repeat(100)}", 3]}`,
      "mkdocs.yml": "a: &a [x]\nb: [*a, *nothing]\n\t- : : [",
      "book.toml": '[book\nsrc = "../../etc"',
      "docusaurus.config.js": `module.exports = ${"[".repeat(20_000)}`,
      "hugo.toml": `baseURL = "javascript:alert(1)"\ncontentDir = "${strange}"`,
      [`${strange}/a.md`]: "# A\n",
      "docs/.vitepress/config.js":
        "const a = [a, a]; const b = [b, c], c = [b, c]; export default { srcDir: '../..', base: b, lang: c }\n",
      "docs/b.md": "# B\n",
    });
    await mkdir(join(dir, "deep"));
    await symlink(dir, join(dir, "deep/circle"), "dir");
    const { code, out } = await init(dir);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may come through.
    expect(out).not.toMatch(/[\u202e\u0007]/);
    expect((await init(dir)).out).toContain("nothing was changed");
  });
});
