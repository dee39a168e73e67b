/** Runs of the Action's program: what it prints, reports and gives out, also where what is indexed attacks it. */
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { openDiskIndex } from "../../../../indexer/base/index-source.ts";
import { prepareRun } from "../../../../indexer/cli/action/prepare-run.ts";
import { actHere, makeDocs } from "../../../support/act-here.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

describe("a run", () => {
  it("says what it found where that is, and what it built", async () => {
    const workspace = await makeDocs({
      "guide/a.md": "# A\n\n[b](b.md)\n",
      "treeline.config.json": '{"collections": [{"name": "guide", "root": "guide"}]}',
    });
    const { code, log, outputs, summary } = await actHere(workspace, {});
    expect(code).toBe(0);
    expect(log.annotations.map(({ properties }) => properties)).toEqual([
      { file: "docs/guide/a.md", line: "3", title: "broken-link" },
    ]);
    const { generation } = await openDiskIndex(join(workspace, "docs", ".treeline", "index"));
    expect(outputs).toMatchObject({ generation: generation.id, pages: "1", published: "false", "save-cache": "true" });
    expect(summary).toContain(`### Treeline: built \`${generation.id}\``);
  });

  it("compares with the index before, which it takes for nothing where that is damaged", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n\n[b](b.md)\n" });
    const first = await actHere(workspace, {});
    expect(first.outputs["new-findings"]).toBe("");
    // There is none, which is nothing to speak of.
    expect(first.log.lines.join("\n") + first.summary).not.toMatch(/The index before/);
    const again = await actHere(workspace, {});
    expect(again.outputs).toMatchObject({ "new-findings": "0", "save-cache": "false" });
    expect(again.log.annotations).toEqual([]);
    const index = join(workspace, "docs", ".treeline", "index");
    const { index: open } = await openDiskIndex(index);
    await writeFile(join(index, open.log), "damaged");
    const mended = await actHere(workspace, {});
    expect(mended.code, mended.log.lines.join("\n")).toBe(0);
    expect(mended.outputs).toMatchObject({ "new-findings": "", generation: again.outputs["generation"] });
    expect(mended.summary).toContain("The index before is damaged");
  });

  it("takes no command, link or mark from names and messages", async () => {
    const name = "::error file=x::y, ##[add-path]z `|` <b> @somebody.md";
    const target =
      "<!-- --> ::set-output name=published::true ##[set-env name=A;]B | @somebody `x` https://evil.example";
    const workspace = await makeDocs({
      [name]: `# A\n\n[a](<${encodeURI(target)}.md>)\n`,
      "b.md": `# B\n\n[a](<${target}.md>)\n`,
    });
    const report = {
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "lint\n::error::tool" } },
          results: [
            {
              ruleId: "rule]\n::warning::x",
              level: "error",
              message: { text: `${target}\n::add-mask::a\n# heading\n${"`".repeat(3)}\n<!-- treeline:root -->` },
              locations: [{ physicalLocation: { artifactLocation: { uri: "b.md" }, region: { startLine: 1 } } }],
            },
          ],
        },
      ],
    };
    await writeFile(join(workspace, "lint.sarif"), JSON.stringify(report));
    const { code, log, outputs, summary, comment } = await actHere(workspace, { reports: "lint.sarif" });
    expect(code, log.lines.join("\n")).toBe(0);
    expect([log.others, [...log.masks], outputs["published"]]).toEqual([[], [], "false"]);
    expect(log.annotations.length).toBeGreaterThan(0);
    expect(log.annotations).toHaveLength(Number((/(\d+) in all/.exec(summary) ?? [])[1]));
    for (const text of [summary, comment]) {
      const tokens = new MarkdownIt({ html: true, linkify: true }).parse(text, {});
      const inline = tokens.flatMap(({ children }) => children ?? []).map(({ type }) => type);
      expect([...new Set(inline)].sort()).toEqual(["code_inline", "strong_close", "strong_open", "text"]);
      expect(tokens.filter(({ type }) => type === "heading_open")).toHaveLength(1);
      expect(tokens.filter(({ type }) => type === "html_block")).toHaveLength(text === comment ? 1 : 0);
    }
  });

  it("shows as many findings as GitHub takes, and says how many are left", async () => {
    const links = Array.from({ length: 25 }, (_, at) => `[a](gone-${at}.md)`).join("\n\n");
    const { log, outputs } = await actHere(await makeDocs({ "a.md": `# A\n\n${links}\n` }), {});
    expect(log.annotations).toHaveLength(10);
    expect(log.lines.join("\n")).toContain("… and 15 more findings");
    expect(outputs["save-cache"]).toBe("true");
  });

  it("fails where findings fail it, and keeps nothing for the next run", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n\n[b](b.md)\n" });
    const strict = await actHere(workspace, { strict: "true" });
    expect(strict).toMatchObject({ code: 1, outputs: { "save-cache": "false", pages: "1" } });
    expect(strict.log.annotations.map(({ level }) => level)).toEqual(["error", "warning"]);
    const rule = await actHere(workspace, { "fail-on": "broken-link" });
    expect(rule).toMatchObject({ code: 1, summary: expect.stringContaining("broken-link (1)") });
    expect((await actHere(workspace, { "fail-on": "error" })).code).toBe(0);
  });

  it("counts findings that the log does not hold, and does not say that it knows which fail the build", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const results = Array.from({ length: 2_050 }, (_, at) => ({
      ...{ ruleId: "rule", level: "error", message: { text: `Fault ${at}.` } },
      locations: [{ physicalLocation: { artifactLocation: { uri: "a.md" }, region: { startLine: 1 } } }],
    }));
    const report = { version: "2.1.0", runs: [{ tool: { driver: { name: "lint" } }, results }] };
    await writeFile(join(workspace, "lint.sarif"), JSON.stringify(report));
    const { log, summary } = await actHere(workspace, { reports: "lint.sarif", "fail-on": "error" });
    expect(log.annotations[0]?.message).toBe("findings that fail the build: error (2000 or more)");
    expect(summary).toContain("| Findings | 2,050 in all, 2,000 of them in the log |");
    expect(log.lines.join("\n")).toContain("… and 2040 more findings");
  });

  it("leaves no cache where a comment started it", async () => {
    const { outputs } = await actHere(await makeDocs({ "a.md": "# A\n" }), {}, { event: "issue_comment" });
    expect(outputs["save-cache"]).toBe("false");
  });

  it("says where git names no commit of a checkout that is one", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const { summary } = await actHere(
      workspace,
      {},
      { more: { GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567" } },
    );
    expect(summary).toContain("git names no commit here");
    expect((await actHere(workspace, {})).summary).not.toContain("git names no commit");
  });

  it("writes the comment of each step of a job into a file of its own, under a mark of its own", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const more = { RUNNER_TEMP: await makeFolder() };
    const [one, two] = [
      await actHere(workspace, { corpus: "v1" }, { more }),
      await actHere(workspace, { corpus: "v2" }, { more }),
    ];
    const other = await actHere(workspace, { root: "." }, { more });
    for (const { outputs, comment } of [one, two, other]) {
      expect(await readFile(outputs["comment-file"] ?? "", "utf8")).toBe(comment);
      expect(comment.split("\n")[0]).toBe(outputs["comment-mark"]);
    }
    expect([one, two, other].map(({ outputs }) => outputs["comment-mark"])).toEqual([
      "<!-- treeline:v1:docs -->",
      "<!-- treeline:v2:docs -->",
      "<!-- treeline:root -->",
    ]);
  });
});

describe("a run that cannot begin", () => {
  it("reports under the mark and into the file of its corpus", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const { code, outputs, comment } = await actHere(workspace, { corpus: "mcp", "comment-file": "c.md" });
    expect(code).toBe(1);
    expect(outputs).toMatchObject({
      "comment-file": join(workspace, "c.md"),
      "comment-mark": "<!-- treeline:mcp:docs -->",
    });
    expect(comment).toContain("<!-- treeline:mcp:docs -->");
    expect(comment).toContain("failed");
  });

  it("says that there is no such folder before the bucket is asked, and makes none", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const bucket = { endpoint: "http://127.0.0.1:9", bucket: "docs", "access-key-id": "a", "secret-access-key": "b" };
    const { log, outputs } = await actHere(workspace, { ...bucket, mode: "publish", root: "dosc" });
    expect(log.annotations[0]?.message).toContain('"dosc" does not exist');
    expect(outputs["generation"]).toBe("");
    await expect(access(join(workspace, "dosc"))).rejects.toThrow("ENOENT");
  });

  it("says what is wrong with the configuration, where it is wrong", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n", "treeline.config.json": '{\n  "colections": []\n}\n' });
    const { code, log, outputs, summary } = await actHere(workspace, {});
    expect(code).toBe(1);
    const [first] = log.annotations;
    expect(first?.message).toMatch(/treeline\.config\.json:2:3: .*colections/);
    expect(outputs).toMatchObject({ generation: "", published: "false", "save-cache": "false" });
    expect(summary).toContain("### Treeline: failed");
  });

  it("offers what lies nearest", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const missing = await actHere(workspace, { root: "dosc" });
    expect(missing.log.annotations[0]?.message).toMatch(/does not exist\ndid you mean: .*docs\?/);
    const mode = await actHere(workspace, { mode: "biuld" });
    expect(mode.log.annotations[0]?.message).toContain("did you mean: build?");
    expect(mode.summary).toContain("the input mode");
    expect((await actHere(workspace, { mode: "biuld" }, { step: prepareRun })).code).toBe(0);
  });
});

describe("parts", () => {
  it("are parsed on several machines and joined to the index that one builds", async () => {
    const docs = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`p${at}.md`, `# P${at}\n\nText ${at}.\n`]));
    const [one, two, whole] = [await makeDocs(docs), await makeDocs(docs), await makeDocs(docs)];
    const parts = [await actHere(one, { shard: "1/2" }), await actHere(two, { shard: "2/2" })];
    expect(parts.map(({ code, outputs }) => [code, outputs["part"], outputs["index"]])).toEqual([
      [0, "treeline-part", ""],
      [0, "treeline-part", ""],
    ]);
    expect(parts.reduce((sum, { outputs }) => sum + Number(outputs["pages"]), 0)).toBe(6);
    const { generation } = (await actHere(whole, {})).outputs;
    const folders = `${join(one, "treeline-part")}\n${two}`;
    const joined = await actHere(two, { parts: folders });
    expect(joined.code, joined.log.lines.join("\n")).toBe(0);
    expect(joined.outputs).toMatchObject({ generation, pages: "6" });
    const half = await actHere(two, { parts: join(one, "treeline-part") });
    expect(half.log.annotations[0]?.message).toContain("part 2 of 2 is missing");
    const none = await actHere(two, { parts: join(one, "docs") });
    expect(none.log.annotations[0]?.message).toContain("is no part of a build and holds none");
  });
});
