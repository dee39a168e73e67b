import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BuildSummary, buildCorpus } from "../../../indexer/index/build.ts";
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { InputError } from "../../../src/core/errors.ts";
import { decodeManifest, decodePointer, readBuildTime } from "../../../src/core/format/generation.ts";
import { unitsOf } from "../../../src/core/format/locator.ts";
import { TABLE_NAMES } from "../../../src/core/format/table.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { blockReads, readWithResident, residentTable } from "../../../src/core/index/resident.ts";
import { search } from "../../../src/core/search/search.ts";
import { stopListOf } from "../../../src/core/text/analyze.ts";
import { isNameKey } from "../../../src/core/text/name-forms.ts";
import { openFiles } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";
import { type FileContents, makeFolder, readFolder, writeFiles } from "../../support/temporary-folder.ts";

/** More pages than are prepared without threads, in folders whose names sort in other ways than the disk lists them. */
const TREE: FileContents = Object.fromEntries(
  Array.from({ length: 70 }, (_, n) => [
    `${["guide", "Guide-2", "api/v1", "ä", "10", "9"][n % 6]}/page-${n}.md`,
    `---\ntags: [t${n % 5}]\nauthor: a${n}\n---\n# Page ${n}\n\nSee [next](../guide/page-${(n * 6) % 70}.md) and [no](gone-${n}.md).\n\n## Part ${n % 7}\n\n${"words of the text ".repeat(n)}\n`,
  ]),
);

async function build(files: FileContents): Promise<{ summary: BuildSummary; out: string; dir: string }> {
  const dir = await makeFolder(files);
  const out = join(dir, ".treeline", "index");
  return { summary: await buildCorpus({ dir, outDir: out }), out, dir };
}

async function openOut(out: string): Promise<IndexReader> {
  return (await openFiles(await readFolder(out), "all")).reader;
}

async function pathsFor(reader: IndexReader, query: string): Promise<string[]> {
  return (await search(reader, ask(query, { limit: 1000 }))).hits.map(({ path }) => path);
}

/** Everything that an index holds, inflated, as text. */
async function textOfIndex(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const { reader } = await openFiles(files, "all");
  const latin = new TextDecoder("latin1");
  const texts = [...files.values()].map((bytes) => latin.decode(bytes));
  texts.push(JSON.stringify(await readLog(reader)));
  texts.push(JSON.stringify(reader.index.root));
  await readWithResident(reader, ["locator"]);
  for (const { index } of reader.shards) {
    const { tables } = await reader.read(TABLE_NAMES.map((table) => ({ shard: index, table, keys: "all" })));
    for (const chunks of tables) for (const [key, value] of entriesOf(chunks)) texts.push(key, latin.decode(value));
    const locator = residentTable(reader, index, "locator");
    for (let document = 0; document < locator.slots; document++) {
      const { blocks } = await reader.read([], blockReads(reader, index, document, unitsOf(locator, document)));
      texts.push(JSON.stringify(blocks));
    }
  }
  return texts.join("\n");
}

describe("buildCorpus", () => {
  it("gives the same bytes for the same tree: in another folder, files made in another order, at another time", async () => {
    const first = await build(TREE);
    const second = await build(Object.fromEntries(Object.entries(TREE).reverse()));
    const third = await build(TREE);
    for (const path of Object.keys(TREE)) await utimes(join(third.dir, path), new Date(0), new Date(1e12));
    await buildCorpus({ dir: third.dir, outDir: third.out });
    const files = await readFolder(first.out);
    expect(files.size).toBeGreaterThanOrEqual(5);
    expect(await readFolder(second.out)).toEqual(files);
    expect(await readFolder(third.out)).toEqual(files);
    expect(second.summary).toEqual(first.summary);
  });

  it("stores the configured ranking: the preset resolved, without what is at its default", async () => {
    const ranking = { preset: "mixed", bm25_b: 0.75, title_weight: 4, code_weight: null };
    const { out } = await build({ "a.md": "# A", "treeline.config.json": JSON.stringify({ ranking }) });
    const { root } = (await openOut(out)).index;
    expect(root.ranking).toEqual({ bm25_k1: 1, title_weight: 4, full_coverage_bonus: 8 });
  });

  it("gives the same bytes whatever the number of threads", async () => {
    const dir = await makeFolder(TREE);
    const outs = [0, 1, 3].map((threads) => ({ threads, outDir: join(dir, `out-${threads}`) }));
    for (const { threads, outDir } of outs) await buildCorpus({ dir, outDir, threads });
    const [alone, ...others] = await Promise.all(outs.map(({ outDir }) => readFolder(outDir)));
    for (const files of others) expect(files).toEqual(alone);
  });

  it("gives the same bytes again over an index that is there already", async () => {
    const { dir, out } = await build(TREE);
    const before = await readFolder(out);
    await buildCorpus({ dir, outDir: out });
    expect(await readFolder(out)).toEqual(before);
  });

  it("writes no absolute path, host or clock into any file", async () => {
    const { dir, out } = await build(TREE);
    const text = await textOfIndex(await readFolder(out));
    expect(text).toContain("Page 69");
    expect(text).not.toContain(dir);
    expect(text).not.toContain(dir.slice(1, 12));
    expect(text).not.toMatch(new RegExp(`${new Date().getFullYear()}-\\d\\d-\\d\\dT`));
  });

  it("says in the pointer how long it took where it has a clock", async () => {
    const { dir, out } = await build(TREE);
    const files = await readFolder(out);
    const pointer = files.get(POINTER_FILE) as Uint8Array;
    expect(readBuildTime(pointer)).toBeUndefined();
    let ms = 0;
    const timed = async (outDir: string, step: number): Promise<Map<string, Uint8Array>> => {
      await buildCorpus({ dir, outDir, clock: () => (ms += step) });
      return readFolder(outDir);
    };
    const first = await timed(out, 20.4);
    expect(readBuildTime(first.get(POINTER_FILE) as Uint8Array)).toMatchObject({
      at: "1970-01-01T00:00:00.040Z",
      ms: 20,
    });
    const differing = [...first].filter(([name, bytes]) => Buffer.compare(bytes, files.get(name) ?? pointer) !== 0);
    expect(differing.map(([name]) => name)).toEqual([POINTER_FILE]);
    expect(decodePointer(first.get(POINTER_FILE) as Uint8Array)).toEqual(decodePointer(pointer));
    await writeFiles(dir, { "new.md": "# New\n" });
    expect(readBuildTime((await timed(out, 900)).get(POINTER_FILE) as Uint8Array)).toMatchObject({ ms: 900 });
  });

  it("lists every file in the manifest with its size, and names files by their content", async () => {
    const { out, summary } = await build(TREE);
    const files = await readFolder(out);
    const pointer = decodePointer(files.get(POINTER_FILE) ?? new Uint8Array());
    const manifest = decodeManifest(files.get(pointer.manifest) ?? new Uint8Array());
    const others = [...files].filter(([name]) => name !== POINTER_FILE && name !== pointer.manifest);
    expect(manifest.files).toEqual(others.map(([name, bytes]) => ({ name, bytes: bytes.length })));
    expect(summary.files).toBe(files.size);
    for (const [name, bytes] of files) {
      if (name === POINTER_FILE) continue;
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
      expect(name.slice(0, 32)).toBe(
        Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(""),
      );
    }
  });

  it("counts what it wrote", async () => {
    const { summary, out } = await build(TREE);
    const reader = await openOut(out);
    const { generation } = reader.index;
    expect(summary).toMatchObject({ documents: 70, sections: 140, commit: "none", generation: generation.id });
    expect(summary).toMatchObject({
      words: generation.words,
      terms: generation.terms,
      indexBytes: generation.indexBytes,
    });
    expect(summary.diagnostics.filter(({ message }) => message.startsWith("link to gone-"))).toHaveLength(70);
    expect(summary.facetKeysLeftOut.map(({ key }) => key)).toEqual(["author"]);
    expect(await readLog(reader)).toEqual({
      skipped: summary.skipped.map(({ collection, path, reason, message }) => ({ collection, path, reason, message })),
      diagnosticCount: summary.diagnosticCount,
      diagnostics: summary.diagnostics,
      facetKeysLeftOut: summary.facetKeysLeftOut,
    });
  });

  it("removes the files of the generation that it replaces, and keeps all others", async () => {
    const { dir, out } = await build({ "a.md": "# One" });
    const before = [...(await readFolder(out)).keys()];
    await writeFiles(out, {
      "README.md": "mine",
      [`${"ab".repeat(16)}.pack`]: "mine too",
    });
    await writeFile(join(dir, "a.md"), "# Two");
    await buildCorpus({ dir, outDir: out });
    const after = [...(await readFolder(out)).keys()];
    expect(after).toEqual(expect.arrayContaining(["README.md", `${"ab".repeat(16)}.pack`, POINTER_FILE]));
    expect(after.filter((name) => before.includes(name) && name !== POINTER_FILE && !name.endsWith(".log"))).toEqual(
      [],
    );
    expect(after.some((name) => name.startsWith("."))).toBe(false);
    expect(await pathsFor(await openOut(out), "two")).toEqual(["a.md"]);
  });

  it("never indexes its own output", async () => {
    const { dir, out } = await build({ "a.md": "# One" });
    await writeFiles(out, { "note.md": "# Note" });
    expect((await buildCorpus({ dir, outDir: out })).documents).toBe(1);
  });

  it("tells its progress to the end", async () => {
    const dir = await makeFolder(TREE);
    const steps: [number, number][] = [];
    await buildCorpus({ dir, outDir: join(dir, "out"), progress: (done, total) => steps.push([done, total]) });
    expect(steps.at(-1)).toEqual([70, 70]);
    expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).sort((a, b) => a - b));
  });
});

describe("buildCorpus with languages", () => {
  it("tells the readers of the index in which language each collection is, and analyses it so", async () => {
    const { out } = await build({
      "treeline.config.json": `{ "collections": [
        { "name": "de", "root": "de", "language": "german" }, { "name": "en", "root": "en" }
      ] }`,
      "de/a.md": "# Häuser\n\nDie Verbindungen.",
      "en/b.md": "# Houses\n\nThe connections.",
    });
    const reader = await openOut(out);
    expect(reader.collections.map(({ name, language }) => [name, language])).toEqual([
      ["de", "german"],
      ["en", "english"],
    ]);
    const { tables } = await reader.read([{ shard: 0, table: "terms", keys: "all" }]);
    const terms = tables.flatMap((chunks) => [...entriesOf(chunks)].map(([key]) => textOfKey(key)));
    expect(terms.filter(isNameKey)).toContain("haus\0\u0002haus");
    expect(terms.filter((term) => !isNameKey(term))).toEqual(
      ["a", "b", "connect", stopListOf("die"), "haus", "hous", "häuser", stopListOf("the"), "verbind"].sort(),
    );
  });
});

describe("buildCorpus on unusable input", () => {
  async function refusalOf(dir: string, outDir: string): Promise<InputError> {
    const error: unknown = await buildCorpus({ dir, outDir }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InputError);
    return error as InputError;
  }

  it("refuses a folder that is missing, empty or a file, and leaves no index behind", async () => {
    const dir = await makeFolder({ "docs/a.md": "# A", "empty/.keep": "" });
    const out = join(dir, "out");
    expect((await refusalOf(join(dir, "doc"), out)).message).toContain("does not exist");
    expect((await refusalOf(join(dir, "docs", "a.md"), out)).message).toContain("is a file");
    expect((await refusalOf(join(dir, "empty"), out)).message).toContain("nothing to index");
    expect(await readdir(dir)).toEqual(["docs", "empty"]);
  });

  it("refuses a glossary with mistakes, or one that is named and missing", async () => {
    const dir = await makeFolder({ "a.md": "# A", "glossary.json": '{"a": 1}' });
    expect((await refusalOf(dir, join(dir, "out"))).message).toBe(
      "glossary.json:1:7: glossary.a must be a list or a string, found the number 1",
    );
    await writeFiles(dir, { "treeline.config.json": '{"glossary": "words.json"}' });
    expect((await refusalOf(dir, join(dir, "out"))).message).toContain("words.json");
    expect((await readdir(dir)).includes("out")).toBe(false);
  });

  it("names folders near a wrong one", async () => {
    const dir = await makeFolder({ "documentation/a.md": "# A", "guides/b.md": "# B" });
    expect((await refusalOf(join(dir, "documentatoin"), join(dir, "out"))).nearest).toEqual([
      join(dir, "documentation"),
    ]);
  });

  it("refuses an output folder that is a file or lies in one", async () => {
    const dir = await makeFolder({ "a.md": "# A", out: "mine" });
    for (const out of [join(dir, "out"), join(dir, "out", "index")]) {
      expect((await refusalOf(dir, out)).message).toContain("out");
    }
  });

  it("says why nothing is left to index", async () => {
    const dir = await makeFolder({ "a.md": Uint8Array.of(0, 1, 2) });
    expect((await refusalOf(dir, join(dir, "out"))).message).toContain("a.md holds NUL bytes");
  });

  it("keeps the old index when a build fails", async () => {
    const { dir, out } = await build({ "a.md": "# Kept" });
    const before = await readFolder(out);
    await writeFile(join(dir, "treeline.config.json"), "{");
    await refusalOf(dir, out);
    expect(await readFolder(out)).toEqual(before);
  });
});

describe("buildCorpus on hostile input", () => {
  const GOOD = { "good.md": "# Good\n\nA needle here.\n" };

  /** Build hostile files beside a good one, which is found all the same; the codes of what was noticed. */
  async function buildBeside(files: FileContents, prepare: (dir: string) => Promise<void> = async () => undefined) {
    const dir = await makeFolder({ ...GOOD, ...files });
    await prepare(dir);
    const out = join(dir, "out");
    const summary = await buildCorpus({ dir, outDir: out });
    const reader = await openOut(out);
    expect(await pathsFor(reader, "needle")).toContain("good.md");
    return {
      summary,
      reader,
      codes: [...new Set(summary.diagnostics.map(({ code }) => code))],
      skipped: summary.skipped.map(({ path, reason }) => `${path} ${reason}`),
    };
  }

  it("reports invalid YAML and indexes the page", async () => {
    const { codes, reader } = await buildBeside({ "a.md": "---\ntitle: [open\n---\n# A\n\nthread\n" });
    expect(codes).toEqual(["invalid-yaml"]);
    expect(await pathsFor(reader, "thread")).toEqual(["a.md"]);
  });

  it("reports invalid UTF-8 and indexes the rest of the page", async () => {
    const { codes, reader } = await buildBeside({
      "a.md": Uint8Array.from([...new TextEncoder().encode("# A\n\nthread "), 0xff, 0xc3]),
    });
    expect(codes).toEqual(["invalid-utf8"]);
    expect(await pathsFor(reader, "thread")).toEqual(["a.md"]);
  });

  it("skips a file above the limit and a file that is not text", async () => {
    const { skipped } = await buildBeside({ "large.md": "x".repeat(12 * 1024 * 1024), "binary.md": Uint8Array.of(0) });
    expect(skipped).toEqual(["binary.md binary", "large.md too-large"]);
  });

  it("skips links that lead into themselves, to nothing and out of the folder", async () => {
    const { skipped, summary } = await buildBeside({ "sub/a.md": "# A" }, async (dir) => {
      await symlink("..", join(dir, "sub", "loop"));
      await symlink("nowhere.md", join(dir, "broken.md"));
      await symlink("/etc/hosts", join(dir, "outside.md"));
    });
    expect(skipped).toEqual(["broken.md symlink-broken", "outside.md symlink-outside", "sub/loop symlink-loop"]);
    expect(summary.documents).toBe(2);
  });

  it("skips a file whose path is too long for a key", async () => {
    const deep = Array.from({ length: 6 }, () => "d".repeat(200)).join("/");
    const { skipped } = await buildBeside({ [`${deep}/a.md`]: "# A", [`${deep.slice(0, 600)}/b.md`]: "# B" });
    expect(skipped).toEqual([`${deep}/a.md path-too-long`]);
  });

  it("builds ten thousand nested quotes, a million characters on one line and a million lines", async () => {
    const { summary, reader } = await buildBeside({
      "quotes.md": `${"> ".repeat(10_000)}thread\n`,
      "line.md": `thread ${"x".repeat(1_000_000)} thread`,
      "words.md": `thread ${"word ".repeat(200_000)}`,
      "lines.md": `thread\n${"\n".repeat(1_000_000)}thread`,
      "brackets.md": `${"[".repeat(50_000)} thread`,
      "empty.md": "",
    });
    expect(summary.documents).toBe(7);
    expect((await pathsFor(reader, "thread")).sort()).toEqual([
      "brackets.md",
      "line.md",
      "lines.md",
      "quotes.md",
      "words.md",
    ]);
  });

  it("builds a word that unfolds to more than a key may have", async () => {
    const { reader } = await buildBeside({ "a.md": `# A\n\n${"\ufdfa".repeat(64)} thread\n` });
    expect(await pathsFor(reader, "thread")).toEqual(["a.md"]);
  });

  it("takes frontmatter keys and facet values of any name", async () => {
    const { reader } = await buildBeside({
      "a.md":
        '---\nconstructor: x\n__proto__: y\ntoString: z\n"a\\0b": c\nhasOwnProperty: [1, 2]\n---\n# A\n\nthread\n',
      "b.md": "# B\n\nthread\n",
    });
    const filter = { include: { constructor: ["x"] }, exclude: {} };
    const { hits, facetCounts } = await search(reader, ask("thread", { filter, withFacetCounts: true }));
    expect(hits.map(({ path }) => path)).toEqual(["a.md"]);
    expect(Object.entries(facetCounts).find(([key]) => key === "constructor")).toEqual(["constructor", { x: 1 }]);
  });

  it("does not take a folder for a page", async () => {
    const { summary } = await buildBeside({ "sub/treeline.md": "# A" }, (dir) => mkdir(join(dir, "folder.md")));
    expect(summary.documents).toBe(2);
    expect(summary.skipped).toEqual([]);
  });

  it("builds collections whose pages are the same, and the index of each", async () => {
    const config = JSON.stringify({
      collections: [
        { name: "one", root: "one" },
        { name: "two", root: "two", access: "staff" },
      ],
    });
    const dir = await makeFolder({ "treeline.config.json": config, "one/a.md": "# Same", "two/a.md": "# Same" });
    const out = join(dir, "out");
    const summary = await buildCorpus({ dir, outDir: out });
    const files = await readFolder(out);
    expect(summary.files).toBe(files.size);
    const pointer = decodePointer(files.get(POINTER_FILE) ?? new Uint8Array());
    const names = decodeManifest(files.get(pointer.manifest) ?? new Uint8Array()).files.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const { hits } = await search(await openOut(out), ask("same"));
    expect(hits.map(({ id }) => id).sort()).toEqual(["one:a.md", "two:a.md"]);
  });
});
