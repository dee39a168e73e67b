/**
 * The command line as people run it: what it prints and where, and its exit code. One test runs processes; the others call what
 * these call.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommands } from "../../indexer/cli/commands/build.ts";
import { searchCommands } from "../../indexer/cli/commands/search.ts";
import { statusCommands } from "../../indexer/cli/commands/status.ts";
import { runCli } from "../../indexer/cli/run-cli.ts";
import { decodePointer } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";
import { listCommand } from "../support/list-command.ts";
import { type FileContents, makeFolder, readFolder, writeFiles } from "../support/temporary-folder.ts";

const NODE = join(projectRoot, "node_modules", ".bin", "node");
const CLI = join(projectRoot, "indexer", "cli", "main.ts");

const PAGES: FileContents = {
  "guide/routing.md":
    "---\ntags: [web]\n---\n# Routing\n\nA route leads to a handler.\n\n## Dynamic routes\n\nUse `useRouter`.\n",
  "guide/caching.md": "# Caching\n\nThe cache keeps what a handler gave.\n",
  "index.md": "# Handbook\n\nStart with [routing](guide/routing.md).\n",
};

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const COMMANDS = Object.values({ ...buildCommands, ...statusCommands, ...searchCommands }).map(listCommand);

/** Run the command line in a folder, in this process. */
async function treeline(folder: string, ...words: readonly string[]): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const before = process.cwd();
  process.chdir(folder);
  try {
    const print = (line: string): unknown => out.push(`${line}\n`);
    const warn = (line: string): unknown => err.push(`${line}\n`);
    const code = await runCli(COMMANDS, words, { print, warn, interactive: false });
    return { code, out: out.join(""), err: err.join("") };
  } finally {
    process.chdir(before);
  }
}

/** The same in a process of its own. */
function treelineProcess(folder: string, ...words: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, [CLI, ...words], {
      cwd: folder,
      env: { ...quietEnvironment(), NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/** A folder with an index of its pages. */
async function buildFolder(): Promise<string> {
  const dir = await makeFolder(PAGES);
  expect(await treeline(dir, "build", "--quiet")).toEqual({ code: 0, out: "", err: "" });
  return dir;
}

function linesOf(text: string): unknown[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

describe("a process of treeline", () => {
  it("writes answers to standard output, words about the work to standard error, and ends with the code of the command", async () => {
    const dir = await makeFolder({ ...PAGES, "bad.md": "[gone](gone.md)\n" });
    const built = await treelineProcess(dir, "build");
    expect(built.code).toBe(0);
    expect(built.out).toMatch(/^generation [0-9a-f]{12} of commit none\n {2}4 pages, /);
    expect(built.err).toContain("[broken-link]");
    const failed = await treelineProcess(dir, "build", "gone");
    expect(failed).toEqual({ code: 1, out: "", err: expect.stringContaining('folder "gone" does not exist') });
    const misspelt = await treelineProcess(dir, "biuld");
    expect(misspelt).toEqual({ code: 2, out: "", err: expect.stringContaining("build") });
  });

  it("knows each command", async () => {
    const { code, out } = await treelineProcess(await makeFolder(), "--help");
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`^ +${name}\\b`, "m"));
  });
});

describe("treeline build", () => {
  it("builds a folder and says what came of it", async () => {
    const dir = await makeFolder(PAGES);
    const { code, out, err } = await treeline(dir, "build");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^generation [0-9a-f]{12} of commit none\n {2}3 pages, 4 sections, /);
    expect(out).toMatch(/pages\/s/);
  });

  it("prints the summary as one JSON object, findings included, and nothing else", async () => {
    const dir = await makeFolder({
      ...PAGES,
      "bad.md": "---\ntitle: [open\n---\n[gone](gone.md)\n",
      "binary.md": Uint8Array.of(0),
    });
    const { code, out, err } = await treeline(dir, "build", ".", "--out", "index", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const summary = JSON.parse(out) as Record<string, unknown>;
    expect(summary).toMatchObject({ documents: 4, sections: 5, findings: 3, diagnosticCount: 2, commit: "none" });
    expect(summary["skipped"]).toMatchObject([{ path: "binary.md", reason: "binary", collection: "docs" }]);
    expect(summary["diagnostics"]).toMatchObject([
      { severity: "error", code: "invalid-yaml", path: "bad.md", line: 3 },
      { severity: "warning", code: "broken-link", path: "bad.md", line: 4 },
    ]);
  });

  it("names findings by file and line, and fails on them only when it is strict", async () => {
    const dir = await makeFolder({ "a.md": "# A\n\n[gone](gone.md)\n" });
    const lenient = await treeline(dir, "build");
    expect(lenient.code).toBe(0);
    expect(lenient.err).toContain("warning docs:a.md:3: link to gone.md: no such page [broken-link]");
    const strict = await treeline(dir, "build", "--strict", "--quiet");
    expect(strict.code).toBe(1);
    expect(strict.err).toContain("--strict");
    expect((await treeline(await makeFolder(PAGES), "build", "--strict", "--quiet")).code).toBe(0);
  });

  it("says what is wrong with a folder that is missing, empty or a file, and names near ones", async () => {
    const dir = await makeFolder({ "documentation/a.md": "# A", "empty/.keep": "" });
    const missing = await treeline(dir, "build", "documentatoin");
    expect(missing).toMatchObject({ code: 1, out: "" });
    expect(missing.err).toBe('treeline build: folder "documentatoin" does not exist\ndid you mean: documentation?\n');
    const empty = await treeline(dir, "build", "empty");
    expect(empty.code).toBe(1);
    expect(empty.err).toContain('nothing to index in "empty": no file matches ');
    const file = await treeline(dir, "build", "documentation/a.md");
    expect(file.code).toBe(1);
    expect(file.err).toContain("is a file; name the folder that holds it");
    for (const { err } of [missing, empty, file]) expect(err).not.toContain("    at ");
  });

  it("points into a configuration that is wrong", async () => {
    const dir = await makeFolder({ ...PAGES, "treeline.config.json": '{\n  "collections": [{ "nmae": "docs" }]\n}\n' });
    const { code, err } = await treeline(dir, "build");
    expect(code).toBe(1);
    expect(err).toMatch(/treeline\.config\.json:2:\d+: .*nmae.*name/);
  });

  it("calls wrong usage by exit code 2, with the usage", async () => {
    const dir = await makeFolder(PAGES);
    for (const words of [["build", "--ouput", "x"], ["build", "a", "b"], ["build", "--out", ""], ["biuld"], []]) {
      const { code, out, err } = await treeline(dir, ...words);
      expect(code).toBe(2);
      expect(out + err).toContain("treeline");
    }
    expect((await treeline(dir, "build", "--ouput", "x")).err).toContain("did you mean --out?");
    expect((await treeline(dir, "biuld")).err).toContain("build");
  });

  it("gives the same files when it is run again", async () => {
    const dir = await buildFolder();
    const first = JSON.parse((await treeline(dir, "status", "--json")).out) as { generation: { id: string } };
    await writeFiles(dir, { "index.md": PAGES["index.md"] ?? "" });
    await treeline(dir, "build", "--quiet");
    const second = JSON.parse((await treeline(dir, "status", "--json")).out) as { generation: { id: string } };
    expect(second.generation.id).toBe(first.generation.id);
  });
});

describe("treeline build --base and join", () => {
  it("builds on an index, says what it took over, and why it did not", async () => {
    const dir = await makeFolder(PAGES);
    const first = await treeline(dir, "build", "--out", "one", "--json");
    const before: unknown = JSON.parse(first.out);
    expect(before).toMatchObject({ base: "", notice: "", added: 3, changed: 0, deleted: 0, reusedBytes: 0 });
    await writeFiles(dir, { "index.md": "# Handbook\n\nStart with a [zebra](guide/routing.md).\n" });
    const second = await treeline(dir, "build", "--base", "one", "--out", "two", "--json");
    expect([second.code, second.err]).toEqual([0, ""]);
    const { generation } = before as { generation: string };
    const summary = JSON.parse(second.out) as { newBytes: number; reusedBytes: number };
    expect(summary).toMatchObject({ base: generation, notice: "", added: 0, changed: 1, deleted: 0 });
    expect(Math.min(summary.newBytes, summary.reusedBytes)).toBeGreaterThan(0);
    const said = await treeline(dir, "build", "--base", "one", "--out", "two");
    expect(said.out).toMatch(new RegExp(`on ${generation}: 1 pages changed, 0 added, 0 deleted; .* new, .* reused`));
    const found = await treeline(dir, "search", "zebra", "--index", "two", "--json");
    expect(JSON.parse(found.out)).toMatchObject({ hits: [{ id: "docs:index.md" }] });
    const refused = await treeline(dir, "build", "--base", "gone", "--out", "three");
    expect([refused.code, refused.err]).toEqual([0, 'built from scratch: there is no index at "gone" to build on\n']);
    const json = await treeline(dir, "build", "--base", "gone", "--out", "three", "--json", "--quiet");
    expect(JSON.parse(json.out)).toMatchObject({ base: "", notice: 'there is no index at "gone" to build on' });
  });

  it("keeps what it parsed beside the index, unless it is told not to", async () => {
    const dir = await makeFolder(PAGES);
    await treeline(dir, "build", "--no-cache", "--quiet");
    expect(await readdir(join(dir, ".treeline"))).toEqual(["index"]);
    // A build of what the index was made of parses nothing.
    await writeFiles(dir, { "index.md": "# Other\n" });
    await treeline(dir, "build", "--quiet");
    expect((await readdir(join(dir, ".treeline"))).sort()).toEqual(["cache", "index"]);
  });

  it("builds parts and joins them to the index of one build", async () => {
    const dir = await makeFolder(PAGES);
    const counts: number[] = [];
    for (const index of [1, 2]) {
      const part = await treeline(dir, "build", "--shard", `${index}/2`, "--out", `part-${index}`, "--json");
      const { documents, ...rest } = JSON.parse(part.out) as { documents: number; index: number };
      expect(rest).toMatchObject({ index, of: 2 });
      counts.push(documents);
    }
    expect(counts[0] ?? 0).toBe(3 - (counts[1] ?? 0));
    const joined = await treeline(dir, "join", "part-1", "part-2", "--out", "joined", "--json");
    expect([joined.code, joined.err]).toEqual([0, ""]);
    await treeline(dir, "build", "--out", "alone", "--quiet");
    const [one, other] = [await readFolder(join(dir, "joined")), await readFolder(join(dir, "alone"))];
    // The pointer of a build on one machine says how long it took.
    expect(decodePointer(one.get(POINTER_FILE) as Uint8Array)).toEqual(
      decodePointer(other.get(POINTER_FILE) as Uint8Array),
    );
    for (const files of [one, other]) files.delete(POINTER_FILE);
    expect(one).toEqual(other);
    const half = await treeline(dir, "join", "part-1", "--out", "half");
    expect([half.code, half.out, half.err]).toEqual([1, "", expect.stringContaining("part 2 of 2 is missing")]);
  });

  it("refuses parts and bases that cannot be meant", async () => {
    const dir = await makeFolder(PAGES);
    for (const [words, message] of [
      [["build", "--shard", "1/2"], "--shard needs --out"],
      [["build", "--shard", "3/2", "--out", "x"], "it must be I/N with I from 1 to N"],
      [["build", "--shard", "0/2", "--out", "x"], "it must be I/N with I from 1 to N"],
      [["build", "--shard", "half", "--out", "x"], "it must be I/N with I from 1 to N"],
      [["build", "--shard", "1/2", "--out", "x", "--base", "y"], "--base belongs to `join`"],
      [["build", "--base", ""], "--base needs a folder or an address"],
      [["join"], "name the folders of the parts"],
    ] as const) {
      const { code, err } = await treeline(dir, ...words);
      expect([words, code, err.includes(message)]).toEqual([words, 2, true]);
    }
  });
});

describe("an index that is missing or damaged", () => {
  it("is named by every command that reads one, with how to make one", async () => {
    const dir = await makeFolder(PAGES);
    for (const command of [["status"], ["search", "route"], ["dump", "terms"]]) {
      const { code, out, err } = await treeline(dir, ...command);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("no index in");
      expect(err).toContain("example: treeline build");
    }
  });

  it("is said to be what it is", async () => {
    const dir = await makeFolder({ ".treeline/index/treeline.pointer": "<!doctype html>" });
    const { code, err } = await treeline(dir, "status");
    expect(code).toBe(1);
    expect(err).toContain("pointer: found magic");
  });
});

describe("commands that read an index", () => {
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-cli-"));
    await writeFiles(dir, PAGES);
    await treeline(dir, "build", "--quiet");
  });

  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("status: show what it holds, in words and as JSON", async () => {
    const { code, out } = await treeline(dir, "status");
    expect(code).toBe(0);
    expect(out).toMatch(/^generation [0-9a-f]{12}, format 1\n/);
    expect(out).toContain("3 documents, 4 sections");
    const status = JSON.parse((await treeline(dir, "status", "--json")).out) as Record<string, unknown>;
    expect(status).toMatchObject({
      generation: { documents: 3, sections: 4, commit: "none", formatVersion: 1 },
      collections: [{ name: "docs", documents: 3 }],
    });
  });

  it("search: print documents with their sections and excerpts", async () => {
    const { code, out } = await treeline(dir, "search", "dynamic route");
    expect(code).toBe(0);
    expect(out).toContain("guide/routing.md");
    expect(out).toContain("docs:guide/routing.md#dynamic-routes");
    expect(out).toContain("Use `useRouter`.");
  });

  it("search: print the whole answer as one JSON object", async () => {
    const { code, out } = await treeline(dir, "search", "handler", "--json", "--limit", "1");
    expect(code).toBe(0);
    const answer = JSON.parse(out) as Record<string, unknown>;
    expect(answer).toMatchObject({ totalDocuments: 2, stopWordsUsed: false, scoredTerms: ["handler"] });
    expect(answer["hits"]).toHaveLength(1);
    expect(answer["cost"]).toMatchObject({ maxConcurrentReads: expect.any(Number) });
  });

  it("search: take no hits for an answer, and wrong words for wrong usage", async () => {
    const none = await treeline(dir, "search", "zebra");
    expect(none.code).toBe(0);
    expect(none.out).toContain("0 documents");
    expect(none.out).toContain("zebra");
    for (const words of [[], [" "], ["x", "--limit", "0"], ["x", "--limit", "many"]]) {
      expect((await treeline(dir, "search", ...words)).code).toBe(2);
    }
    const collection = await treeline(dir, "search", "x", "--collection", "dcos");
    expect(collection.code).toBe(1);
    expect(collection.err).toContain("docs");
  });

  it("dump: print documents, sections and terms as JSON lines", async () => {
    const documents = linesOf((await treeline(dir, "dump", "documents")).out) as { id: string }[];
    expect(documents.map(({ id }) => id)).toEqual(["docs:guide/caching.md", "docs:guide/routing.md", "docs:index.md"]);
    const sections = linesOf((await treeline(dir, "dump", "sections")).out) as { nodeId: string }[];
    expect(sections.map(({ nodeId }) => nodeId)).toContain("docs:guide/routing.md#dynamic-routes");
    expect(sections).toHaveLength(4);
    const terms = linesOf((await treeline(dir, "dump", "terms")).out) as {
      term: string;
      frequencies: { documents: number };
    }[];
    expect(terms.find(({ term }) => term === "handler")?.frequencies.documents).toBe(2);
    expect(terms.map(({ term }) => term)).toEqual(terms.map(({ term }) => term).sort());
  });

  it("dump: name the kinds there are", async () => {
    for (const words of [[], ["document"]]) {
      const { code, err } = await treeline(dir, "dump", ...words);
      expect(code).toBe(2);
      expect(err).toContain("documents");
    }
  });
});
