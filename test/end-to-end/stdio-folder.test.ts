/** `treeline mcp DIR`: a folder indexed, watched and served by the program that a client starts. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { appendFile, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished, vi } from "vitest";
import { findPlaces } from "../../indexer/base/installation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";
import { textsOf } from "../support/journey.ts";
import { runProgram } from "../support/run-program.ts";
import { type FileContents, makeFolder, writeFiles } from "../support/temporary-folder.ts";

const CLI = join(projectRoot, "indexer", "cli", "main.ts");
const SEEN = { timeout: 60_000, interval: 300 };
const FILES = {
  "docs/install.md": "# Install\n\nUse the package manager of capybaras.\n",
  "src/widget.ts": "export function makeWidget(size: number): number {\n  return size + 1;\n}\n",
  ".gitignore": "out/\n",
};

/** A repository with these files in its first commit. */
async function makeRepository(files: FileContents = FILES): Promise<string> {
  const dir = await realpath(await makeFolder(files));
  onTestFinished(() => rm(findPlaces(dir, "mcp").base, { recursive: true, force: true }));
  git(dir, "init", "--quiet");
  git(dir, "add", ".");
  commit(dir);
  return dir;
}

function git(dir: string, ...words: readonly string[]): string {
  return execFileSync("git", [...words], { cwd: dir, encoding: "utf8" });
}

function commit(dir: string): void {
  git(dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all", "--message=Change");
}

/** A client of a program that serves the folder which it is started in. */
async function connect(dir: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp"],
    cwd: dir,
    env: quietEnvironment() as Record<string, string>,
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (text: Buffer) => {
    log += text.toString();
  });
  const client = new Client({ name: "treeline-tests", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const ask = async (pattern: string): Promise<string> => {
    const result = await client.callTool({ name: "grep_documents", arguments: { pattern } });
    expect(result.isError ?? false).toBe(false);
    return textsOf(result);
  };
  return { client, pid: transport.pid as number, log: () => log, ask };
}

it("sees what is not committed, says so, follows commits, and leaves nothing that git would show", async () => {
  const dir = await makeRepository();
  const { ask, log, pid, client } = await connect(dir);
  const built = /docs\/install\.md[\s\S]*from [0-9a-f]{7} of \d+ \w+$/;
  await vi.waitFor(async () => expect(await ask("capybaras")).toMatch(built), SEEN);
  expect(git(dir, "status", "--porcelain")).toBe("");

  await writeFile(join(dir, "docs/new.md"), "# New\n\nIt tells of wombats.\n");
  await vi.waitFor(async () => expect(await ask("wombats")).toMatch(/docs\/new\.md[\s\S]* with changes$/), SEEN);
  git(dir, "add", ".");
  commit(dir);
  const head = git(dir, "rev-parse", "--short=7", "HEAD").trim();
  await vi.waitFor(async () => expect(await ask("wombats")).toMatch(new RegExp(`from ${head} of \\d+ \\w+$`)), SEEN);
  await appendFile(join(dir, "src/widget.ts"), "export const quokkas = 1;\n");
  await vi.waitFor(async () => expect(await ask("quokkas")).toMatch(/src\/widget\.ts[\s\S]* with changes$/), SEEN);

  // What git ignores is not indexed.
  await mkdir(join(dir, "out"));
  await writeFile(join(dir, "out/a.md"), "# Out\n\nOf numbats.\n");
  await writeFile(join(dir, "docs/last.md"), "# Last\n\nOf pandas.\n");
  await vi.waitFor(async () => expect(await ask("pandas")).toContain("docs/last.md"), SEEN);
  expect(await ask("numbats")).not.toContain("out/a.md");
  expect(git(dir, "status", "--porcelain")).toBe(" M src/widget.ts\n?? docs/last.md\n");
  expect(log()).toContain(`folder ${dir}`);
  await client.close();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), SEEN);
});

it("answers before there is an index: how far it is; and from the index of the run before at once", async () => {
  const pages = Array.from({ length: 2500 }, (_, at) => [
    `docs/p${at}.md`,
    `# Page ${at}\n\n${"Some words. ".repeat(400)}`,
  ]);
  const dir = await makeRepository({ ...FILES, ...Object.fromEntries(pages) });
  const first = await connect(dir);
  expect((await first.client.listTools()).tools.length).toBeGreaterThan(3);
  const shares: number[] = [];
  await vi.waitFor(async () => {
    const answer = await first.ask("capybaras");
    if (answer.startsWith("indexing")) {
      const [, percent, done] =
        /^indexing, (\d+) %(?: \(([\d,]+) of 2,503 files\))?; ask again in a few seconds$/.exec(answer) ?? [];
      shares.push(Number(percent));
      if (done !== undefined) expect(Number(percent)).toBeLessThanOrEqual(99);
    }
    expect(answer).toContain("docs/install.md");
  }, SEEN);
  expect(shares.length).toBeGreaterThan(0);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  await first.client.close();
  const second = await connect(dir);
  expect(await second.ask("capybaras")).toContain("docs/install.md");
  expect(second.log()).not.toContain("Built");
});

it("builds once for two of a folder, and the second goes on when the first is killed", async () => {
  const dir = await makeRepository();
  const first = await connect(dir);
  await vi.waitFor(async () => expect(await first.ask("capybaras")).toContain("docs/install.md"), SEEN);
  const second = await connect(dir);
  expect(await second.ask("capybaras")).toContain("docs/install.md");
  await writeFile(join(dir, "docs/new.md"), "# New\n\nIt tells of wombats.\n");
  await vi.waitFor(async () => expect(await second.ask("wombats")).toContain("docs/new.md"), SEEN);
  expect(second.log()).not.toContain("Built");
  process.kill(first.pid, "SIGKILL");
  await writeFile(join(dir, "docs/newer.md"), "# Newer\n\nIt tells of quokkas.\n");
  await vi.waitFor(async () => expect(await second.ask("quokkas")).toContain("docs/newer.md"), SEEN);
  await vi.waitFor(() => expect(second.log()).toContain("Built"), SEEN);
});

it("says what is wrong with a folder that cannot be indexed, and indexes it when that is mended", async () => {
  const dir = await makeRepository({
    "treeline.config.json": '{ "collections": 5 }',
    "a.md": "# A\n\nOf capybaras.\n",
  });
  const { client } = await connect(dir);
  const call = () => client.callTool({ name: "grep_documents", arguments: { pattern: "capybaras" } });
  await vi.waitFor(async () => {
    const result = await call();
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toMatch(
      /cannot be indexed: .*treeline\.config\.json[\s\S]*tried again when a file changes/,
    );
  }, SEEN);
  await rm(join(dir, "treeline.config.json"));
  await vi.waitFor(async () => expect(textsOf(await call())).toContain("a.md"), SEEN);
});

it.each([
  [["nope"], 1, 'folder "nope" does not exist'],
  [["--index", "nope"], 1, 'no index at "nope"; --index takes a folder that treeline build wrote'],
  [[".", "--index", "nope"], 2, "a folder to index or --index, not both"],
  [["package.json"], 1, '"package.json" is a file; name the folder'],
])("fails at once where it cannot serve: %s", async (words, code, message) => {
  const { exitCode, output } = await runProgram(process.execPath, [CLI, "mcp", ...words]);
  expect(output).toContain(message);
  expect(exitCode).toBe(code);
});

it("ends where nobody listens, and leaves no lock", async () => {
  const dir = await makeRepository();
  for (let run = 0; run < 3; run++) expect((await runProgram(process.execPath, [CLI, "mcp"], dir)).exitCode).toBe(0);
  expect(readdirSync(findPlaces(dir, "mcp").base).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

it("does not index a whole home folder, and builds anew what another version wrote", async () => {
  const dir = await makeRepository();
  const { exitCode, output } = await runProgram(process.execPath, [CLI, "mcp"], dir, { HOME: dir });
  expect({ exitCode, output }).toMatchObject({ exitCode: 1, output: expect.stringContaining("is no project") });
  await writeFiles(findPlaces(dir, "mcp").index, { [POINTER_FILE]: "TLPT\u0009of another version" });
  const { ask } = await connect(dir);
  await vi.waitFor(async () => expect(await ask("capybaras")).toContain("docs/install.md"), SEEN);
});
