import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedFolder, serveFiles } from "../../support/serve-folder.ts";

const FILES = {
  "src/store/open.ts": [
    "import { retry } from './retry.ts'",
    "",
    "export class Store {",
    "  readonly keepAlive: number = 25_000",
    "  open(path: string): void {",
    "    retry(() => path, this.keepAlive)",
    "    retry(() => path, 2)",
    "  }",
    "}",
  ].join("\n"),
  "src/store/retry.ts":
    "export function retry(run: () => unknown, times: number): unknown {\n  return times > 0 ? run() : undefined\n}\n",
  "src/a.ts": "import { retry } from './store/retry.ts'\nretry(() => 1, 1)\n",
  "src/b.ts": "import { retry } from './store/retry.ts'\nretry(() => 1, 1)\n",
  "src/many.ts": `${Array.from({ length: 30 }, (_, at) => `export const many${at} = ${at} // counted`).join("\n")}\n`,
  "test/store.test.ts": "import { retry } from '../src/store/retry.ts'\nretry(() => 1, 1) // onlyInTests\n",
  "docs/guide.md": [
    "# Guide",
    "",
    "## Keep alive",
    "",
    "A store keeps its connection alive.",
    "",
    "| setting | default |",
    "|---|---|",
    "| retries | 3 |",
    "| keepAlive | 25 s |",
    `${"long ".repeat(60)}needle${" longer".repeat(60)}`,
    "data: a, b (see: notes)",
  ].join("\n"),
  "CHANGELOG.md": "# 1.0\n\n- keepAlive is new\n",
};

const folders: string[] = [];
async function makeTestFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-grep-"));
  folders.push(dir);
  return dir;
}

describe("grep", () => {
  let served: ServedFolder;
  const ask = async (given: Readonly<Record<string, unknown>>) =>
    (await served.ask("grep", { ...given, format: "text" })).text;
  const askJson = async (given: Readonly<Record<string, unknown>>) =>
    (await served.ask("grep", given)).json as { parts: Record<string, unknown>[]; notes?: string[] };

  beforeAll(async () => {
    served = await serveFiles(FILES, await makeTestFolder());
  });
  afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

  it("lists definitions first, under their folder, with what a line stands in where that changes", async () => {
    expect(await ask({ patterns: ["retry\\("] })).toBe(
      [
        "# retry\\(: 5 in 4 files, and 1 in 1 test file",
        "src/store/retry.ts:1 export function retry(run: () => unknown, times: number): unknown {",
        "src/store/open.ts",
        " 6 [Store.open] retry(() => path, this.keepAlive)",
        " 7 retry(() => path, 2)",
        "src/a.ts:2 retry(() => 1, 1)",
        " same: b.ts:2",
      ].join("\n"),
    );
  });

  it("answers several patterns, equal ones once, and takes what is no expression as text", async () => {
    const text = await ask({ patterns: ["b (see:", "onlyInTests", "onlyInTests", "KEEPALIVE", "nowhere"] });
    expect(text).toBe(
      [
        '# b (see:: 1 in 1 file; taken as text: pattern has a "(" without its ")"',
        "docs/guide.md:12 [Keep alive] data: a, b (see: notes)",
        "# onlyInTests: 1 in 1 test file",
        "test/store.test.ts:2 retry(() => 1, 1) // onlyInTests",
        "# KEEPALIVE: 3 in 2 files, and 1 in 1 changelog file; in another case",
        "src/store/open.ts",
        " 4 [Store] readonly keepAlive: number = 25_000",
        " 6 [Store.open] retry(() => path, this.keepAlive)",
        "docs/guide.md",
        " 7 | setting | default |",
        " 10 [Keep alive] | keepAlive | 25 s |",
        "# nowhere: nothing",
        "Equal patterns are answered once.",
      ].join("\n"),
    );
  });

  it("lists tests and history where they are asked for, or lie where one looks", async () => {
    expect(await ask({ patterns: ["keepAlive"], tests: true, names: true })).toContain("\nCHANGELOG.md 1");
    for (const path of ["test", "./test/", "test/store.test.ts", "store.test.ts", "*.test.ts", "test/**"])
      expect(await ask({ patterns: ["retry"], path })).toContain(
        "# retry: 2 in 1 test file\ntest/store.test.ts\n 1 import",
      );
  });

  it.each([
    ["src", 8],
    ["src/store", 4],
    ["store", 4],
    ["src docs", 8],
    ["src,!src/store", 4],
    ["{src/store,docs}/**", 4],
    ["src/a.ts", 2],
    ["code:src/a.ts", 2],
  ])("looks in %s", async (path, lines) => {
    const { parts } = await askJson({ patterns: ["retry\\b"], path });
    expect(parts[0]?.["lines"]).toBe(lines);
  });

  it("says which path is none", async () => {
    const { text, isError } = await served.ask("grep", { patterns: ["x"], path: "src/stor", format: "text" });
    expect(isError).toBe(true);
    expect(text).toContain('No indexed file is "src/stor", lies in it or fits it.');
  });

  it("lists at most so many lines, and says by file what is left", async () => {
    const text = await ask({ patterns: ["counted", "retry"], limit: 2 });
    expect(text).toContain(
      "# counted: 30 in 1 file\nsrc/many.ts\n 1 export const many0 = 0 // counted\n 2 export const many1",
    );
    expect(text).toContain("not listed: 28 in src/many.ts\n#");
    const { parts } = await askJson({ patterns: ["counted"], limit: 2 });
    expect(parts[0]).toMatchObject({ lines: 30, notListed: [{ path: "src/many.ts", lines: 28 }] });
  });

  it("shows lines behind, whole words, and of a long line what is around the match", async () => {
    expect(await ask({ patterns: ["times > 0"], context: 2 })).toBe(
      "# times > 0: 1 in 1 file\nsrc/store/retry.ts\n 2 [retry] return times > 0 ? run() : undefined\n 3 }",
    );
    expect(await ask({ patterns: ["keep"], word: true })).toBe(
      "# keep: 1 in 1 file; in another case\ndocs/guide.md:3 ## Keep alive",
    );
    const long = await ask({ patterns: ["needle"] });
    expect(long).toMatch(/11 \[Keep alive\] ….*long needle longer.*…$/);
    expect(long.length).toBeLessThan(230);
  });

  it("takes expressions as rg does", async () => {
    for (const pattern of [
      "[\\w.]+_000",
      "(?i)KEEPALIVE: NUM",
      "(?P<name>keepAlive): number",
      "\\x6beepAlive:\\s",
      "[^\\s(]+: number =",
    ])
      expect(await ask({ patterns: [pattern] })).toContain("4 [Store] readonly keepAlive: number = 25_000");
  });

  it("says what it did not look through, and goes on there", async () => {
    let state = 1;
    const noise = (length: number): string =>
      Array.from({ length }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return String.fromCharCode(97 + ((state >>> 16) % 26));
      }).join("");
    const pages = Object.fromEntries(
      Array.from({ length: 4 }, (_, at) => [`p${at}.md`, `# Page ${at}\n\n${noise(4000)}\n9${noise(250)}a\n`]),
    );
    const { ask: askNoise } = await serveFiles(pages, await makeTestFolder());
    const patterns = Array.from({ length: 20 }, (_, at) => `[^a-z].{${250 - at}}[a-m]`);
    const found: unknown[] = [];
    let calls = 0;
    for (let cursor: unknown; calls === 0 || cursor !== undefined; calls++) {
      const { json } = await askNoise("grep", { patterns, names: true, ...(cursor !== undefined && { cursor }) });
      const [first] = json["parts"] as { results: { path: string }[] }[];
      found.push(...(first?.results ?? []).map(({ path }) => path));
      cursor = json["nextCursor"];
      if (calls === 0)
        expect(json["notes"]).toEqual([expect.stringMatching(/^not complete: files 1-\d of 4 that can match/)]);
    }
    expect(calls).toBeGreaterThan(1);
    expect(found).toEqual(Object.keys(pages));
  });

  it("keeps to its budget, whatever is asked", async () => {
    const patterns = Array.from({ length: 20 }, (_, at) => `many${at}`);
    for (const max_tokens of [150, 400, 1000]) {
      const { text } = await served.ask("grep", {
        patterns: [...patterns.slice(0, 19), "."],
        max_tokens,
        format: "text",
      });
      expect(text.length).toBeLessThan(max_tokens * 5);
    }
  });
});
