/** Runs of the Action's program: what it prints, reports and gives out, also where what is indexed attacks it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { runAction } from "../../../indexer/action/act.ts";
import { variableOf } from "../../../indexer/action/action-inputs.ts";
import { prepareRun } from "../../../indexer/action/prepare-run.ts";
import { openDiskIndex } from "../../../indexer/disk-source.ts";
import { parseOutputs } from "../../support/run-action.ts";
import { type FileContents, makeFolder } from "../../support/temporary-folder.ts";
import { readLogLines } from "../../support/workflow-log.ts";

const PUSH = JSON.stringify({ repository: { full_name: "owner/docs", default_branch: "main" } });

async function act(workspace: string, given: Readonly<Record<string, string>>, step = runAction) {
  const temp = await makeFolder({ "event.json": PUSH, output: "", summary: "" });
  const inputs = Object.entries({ mode: "build", root: "docs", ...given });
  const log = readLogLines(new Set());
  const code = await step(
    {
      ...Object.fromEntries(inputs.map(([name, text]) => [variableOf(name), text])),
      GITHUB_EVENT_NAME: "push",
      GITHUB_EVENT_PATH: join(temp, "event.json"),
      GITHUB_OUTPUT: join(temp, "output"),
      GITHUB_REF: "refs/heads/main",
      GITHUB_STEP_SUMMARY: join(temp, "summary"),
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
    },
    (text) => {
      for (const line of text.split(/\r\n|\r|\n/)) log.take(line);
    },
  );
  const outputs = parseOutputs(await readFile(join(temp, "output"), "utf8"));
  const read = (file: string | undefined): Promise<string> => readFile(file ?? "", "utf8");
  return {
    ...{ code, log, outputs, summary: await read(join(temp, "summary")) },
    comment: step === runAction ? await read(outputs["comment-file"]) : "",
  };
}

async function makeDocs(files: FileContents): Promise<string> {
  return makeFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text])));
}

describe("a run", () => {
  it("says what it found where that is, and what it built", async () => {
    const workspace = await makeDocs({
      "guide/a.md": "# A\n\n[b](b.md)\n",
      "treeline.config.json": '{"collections": [{"name": "guide", "root": "guide"}]}',
    });
    const { code, log, outputs, summary } = await act(workspace, {});
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
    expect((await act(workspace, {})).outputs["new-findings"]).toBe("");
    const again = await act(workspace, {});
    expect(again.outputs).toMatchObject({ "new-findings": "0", "save-cache": "false" });
    expect(again.log.annotations).toEqual([]);
    const index = join(workspace, "docs", ".treeline", "index");
    const { index: open } = await openDiskIndex(index);
    await writeFile(join(index, open.log), "damaged");
    const mended = await act(workspace, {});
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
    const { code, log, outputs, summary, comment } = await act(workspace, { reports: "lint.sarif" });
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
    const { log, outputs } = await act(await makeDocs({ "a.md": `# A\n\n${links}\n` }), {});
    expect(log.annotations).toHaveLength(10);
    expect(log.lines.join("\n")).toContain("… and 15 more findings");
    expect(outputs["save-cache"]).toBe("true");
  });

  it("fails where findings fail it, and keeps nothing for the next run", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n\n[b](b.md)\n" });
    const strict = await act(workspace, { strict: "true" });
    expect(strict).toMatchObject({ code: 1, outputs: { "save-cache": "false", pages: "1" } });
    expect(strict.log.annotations.map(({ level }) => level)).toEqual(["error", "warning"]);
    const rule = await act(workspace, { "fail-on": "broken-link" });
    expect(rule).toMatchObject({ code: 1, summary: expect.stringContaining("broken-link (1)") });
    expect((await act(workspace, { "fail-on": "error" })).code).toBe(0);
  });
});

describe("a run that cannot begin", () => {
  it("says what is wrong with the configuration, where it is wrong", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n", "treeline.config.json": '{\n  "colections": []\n}\n' });
    const { code, log, outputs, summary } = await act(workspace, {});
    expect(code).toBe(1);
    const [first] = log.annotations;
    expect(first?.properties).toMatchObject({ file: "docs/treeline.config.json", line: "2", col: "3" });
    expect(first?.message).toContain("colections");
    expect(outputs).toMatchObject({ generation: "", published: "false", "save-cache": "false" });
    expect(summary).toContain("### Treeline: failed");
  });

  it("offers what lies nearest", async () => {
    const workspace = await makeDocs({ "a.md": "# A\n" });
    const missing = await act(workspace, { root: "dosc" });
    expect(missing.log.annotations[0]?.message).toMatch(/does not exist\ndid you mean: .*docs\?/);
    const mode = await act(workspace, { mode: "biuld" });
    expect(mode.log.annotations[0]?.message).toContain("did you mean: build?");
    expect(mode.summary).toContain("the input mode");
    expect((await act(workspace, { mode: "biuld" }, prepareRun)).code).toBe(0);
  });
});

describe("parts", () => {
  it("are parsed on several machines and joined to the index that one builds", async () => {
    const docs = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`p${at}.md`, `# P${at}\n\nText ${at}.\n`]));
    const [one, two, whole] = [await makeDocs(docs), await makeDocs(docs), await makeDocs(docs)];
    const parts = [await act(one, { shard: "1/2" }), await act(two, { shard: "2/2" })];
    expect(parts.map(({ code, outputs }) => [code, outputs["part"], outputs["index"]])).toEqual([
      [0, "part", ""],
      [0, "part", ""],
    ]);
    expect(parts.reduce((sum, { outputs }) => sum + Number(outputs["pages"]), 0)).toBe(6);
    const { generation } = (await act(whole, {})).outputs;
    const folders = `${join(one, "part")}\n${two}`;
    const joined = await act(two, { parts: folders });
    expect(joined.code, joined.log.lines.join("\n")).toBe(0);
    expect(joined.outputs).toMatchObject({ generation, pages: "6" });
    const half = await act(two, { parts: join(one, "part") });
    expect(half.log.annotations[0]?.message).toContain("part 2 of 2 is missing");
    const none = await act(two, { parts: join(one, "docs") });
    expect(none.log.annotations[0]?.message).toContain("is no part of a build and holds none");
  });
});
