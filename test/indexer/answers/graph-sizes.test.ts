/** Answers on dependencies, impact, packages and paths over graphs of all sizes: what they read, what bounds them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { graphPackages } from "../../../indexer/link/code/packages.ts";
import type { OpenIndex } from "../../../src/core/index/open-generation.ts";
import { askTables } from "../../support/ask-tables.ts";
import { makeUpCode } from "../../support/made-up-code.ts";
import { openCode } from "../../support/open-code.ts";

/** The n-th symbol at the top of a file whose name no other symbol has. */
function uniqueSymbol({ files }: GroupCode, n: number): { id: string; name: string; file: string } {
  const all = files.flatMap((file) => file.symbols.map((symbol) => ({ file, symbol })));
  const counts = new Map<string, number>();
  for (const { symbol } of all) {
    const folded = symbol.name.toLowerCase();
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  const unique = all.filter(({ symbol }) => symbol.parent < 0 && counts.get(symbol.name.toLowerCase()) === 1);
  const { file, symbol } = unique[n] as (typeof unique)[number];
  return { id: `${file.id}#${symbol.path}`, name: symbol.name, file: file.id };
}

describe("a graph of some size", () => {
  let code: GroupCode;
  let index: OpenIndex;
  beforeAll(async () => {
    code = makeUpCode(11, { files: 150, symbolsPerFile: 10, edgesPerFile: 20, mentions: 60 });
    index = (await openCode(code)).reader.index;
  });

  it("is answered from in three waves, whatever names the target", async () => {
    const [one, two] = [uniqueSymbol(code, 40), uniqueSymbol(code, 90)];
    const member = code.files
      .flatMap((file) => file.symbols.map((symbol) => ({ file, symbol })))
      .find(({ file, symbol }) => symbol.parent >= 0 && file.symbols[symbol.parent]?.parent === -1);
    const name = code.packages[0]?.name ?? "";
    const calls: (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ...[one.id, one.name, one.file, name, `${member?.file.id}#${member?.symbol.path}`].flatMap(
        (target) =>
          [
            ["get_dependencies", { target, depth: 5, direction: "both" }],
            ["analyze_impact", { target, depth: 10 }],
          ] as const,
      ),
      ["get_dependencies", {}],
      ["describe_package", { package: name }],
      ["find_path", { from: one.id, to: two.id }],
      ["find_path", { from: one.file, to: two.name }],
      ["find_path", { from: one.file, to: two.file }],
    ];
    for (const [tool, given] of calls) {
      const { waves, isError, text } = await askTables(index, tool, given);
      expect(isError, `${tool} ${JSON.stringify(given)} ${text}`).toBe(false);
      expect(waves, `${tool} ${JSON.stringify(given)}`).toBeLessThanOrEqual(3);
    }
  });

  it("whose table is damaged makes these tools fail with that, and no other", async () => {
    const { root } = index;
    const [shard] = root.shards;
    for (const table of ["reach", "packages"] as const) {
      const entries = (shard?.tables[table].entries ?? []).map((entry) => ({ ...entry, length: entry.length - 1 }));
      const tables = { ...shard?.tables, [table]: { height: 0, entries } };
      const damaged = { ...index, root: { ...root, shards: [{ ...shard, tables }] } } as OpenIndex;
      const { name } = uniqueSymbol(code, 3);
      const failing = await askTables(damaged, "analyze_impact", { target: name });
      expect(failing.isError).toBe(true);
      expect(failing.text).toMatch(/damaged/);
      for (const [tool, given] of [
        ["find_symbol", { query: name }],
        ["references", { symbol: name }],
        ["search_nodes", { query: name }],
      ] as const) {
        expect((await askTables(damaged, tool, given)).isError, tool).toBe(false);
      }
    }
  });
});

describe("symbols with whom they call and who calls them", () => {
  const include = ["calls", "called_by"];

  it.each([
    ["a few files", 4, 4],
    ["many files", 150, 5],
  ])("of %s are read in a bounded number of waves, and are those that edges say", async (_, files, most) => {
    const code = makeUpCode(11, { files, symbolsPerFile: 10, edgesPerFile: 40, mentions: 10 });
    const { index } = (await openCode(code)).reader;
    const [name] = new Set(code.files.map((file) => file.package));
    for (const given of [{ include }, { include, format: "toon" }, { include: ["called_by"], package: name }]) {
      const { waves, isError, text } = await askTables(index, "search_nodes", { limit: 100, ...given });
      expect(isError, text).toBe(false);
      expect(waves, JSON.stringify(given)).toBeLessThanOrEqual(most);
    }
    const { json } = await askTables(index, "search_nodes", {
      include,
      kind: ["function", "method"],
      limit: 60,
      format: "json",
      max_tokens: 6000,
    });
    const callers = new Map<string, Set<string>>();
    for (const [from, edges] of code.edges.entries()) {
      for (const edge of edges) {
        const isCall = ["calls", "instantiates"].includes(edge.kind) && edge.tier !== "name" && edge.from >= 0;
        if (!isCall || !("file" in edge.to) || edge.to.symbol < 0) continue;
        const file = code.files[edge.to.file];
        const id = `${file?.id}#${file?.symbols[edge.to.symbol]?.path}`;
        callers.set(id, (callers.get(id) ?? new Set()).add(`${from}/${edge.from}`));
      }
    }
    const nodes = json["symbols"] as { id: string; calledBy: string }[];
    expect(nodes.some(({ calledBy }) => calledBy !== "")).toBe(true);
    for (const { id, calledBy } of nodes) expect([id, countNames(calledBy)]).toEqual([id, callers.get(id)?.size ?? 0]);
  });

  it("of packages alone are read in two waves, as symbols are", async () => {
    const code = makeUpCode(12, { files: 150, symbolsPerFile: 10, edgesPerFile: 20, mentions: 0 });
    const { index } = (await openCode(code)).reader;
    const name = code.files[0]?.package;
    for (const given of [{ package: name }, { package: name, format: "toon" }, { query: "*get*", package: name }]) {
      const { waves, isError } = await askTables(index, "search_nodes", given);
      expect([isError, waves <= 2], JSON.stringify(given)).toEqual([false, true]);
    }
    const unknown = await askTables(index, "search_nodes", { package: "zzz" });
    expect(unknown.text).toContain('There is no package "zzz"');
  });
});

/** How many neighbours a column says: names, and `+3` for three more. */
function countNames(column: string): number {
  return column
    .split(" ")
    .filter((name) => name !== "")
    .reduce((sum, name) => sum + (name.startsWith("+") ? Number(name) : 1), 0);
}

describe("a graph of 100,000 edges", () => {
  it("is answered from within the budget, with a notice, in three waves", async () => {
    const code = makeUpCode(4, { files: 800, symbolsPerFile: 14, edgesPerFile: 150, mentions: 50 });
    expect(code.edges.reduce((sum, list) => sum + list.length, 0)).toBeGreaterThan(100_000);
    const { index } = (await openCode(code)).reader;
    const one = uniqueSymbol(code, 200);
    for (const [tool, given] of [
      ["analyze_impact", { target: one.id, depth: 10 }],
      ["analyze_impact", { target: one.file, depth: 10 }],
      ["get_dependencies", { target: one.id, depth: 5, direction: "both" }],
      ["get_dependencies", { target: one.file, depth: 5, mermaid: true, kinds: ["calls"] }],
    ] as const) {
      const { tokens, text, waves, isError } = await askTables(index, tool, given);
      expect(isError, text).toBe(false);
      expect(tokens).toBeLessThanOrEqual(3000);
      expect(text).toMatch(/are listed|fits? into 3000 tokens|The diagram has the first/);
      expect(waves).toBeLessThanOrEqual(3);
    }
  });
});

describe("a graph of one node", () => {
  it("has no dependency, impact or path, and one package", async () => {
    const [file] = makeUpCode(1, { files: 1, symbolsPerFile: 8, edgesPerFile: 0, mentions: 0 }).files;
    const files = [{ ...file, symbols: (file?.symbols ?? []).slice(0, 1) } as NonNullable<typeof file>];
    const code: GroupCode = { files, edges: [[]], mentions: [], packages: graphPackages(files, [[]], () => false) };
    const { index } = (await openCode(code)).reader;
    const [symbol] = files[0]?.symbols ?? [];
    const target = `${file?.id}#${symbol?.path}`;
    expect((await askTables(index, "get_dependencies", {})).text).toContain("0 dependencies between packages");
    expect((await askTables(index, "get_dependencies", { target, direction: "both" })).text).toContain(
      "No such dependency",
    );
    expect((await askTables(index, "analyze_impact", { target })).text).toContain("Nothing was found");
    expect((await askTables(index, "find_path", { from: target, to: file?.id })).text).toContain(
      "no step between them",
    );
    const described = await askTables(index, "describe_package", { package: file?.package, format: "json" });
    expect(described.json).toMatchObject({ files: 1, symbols: 1, dependsOn: [], external: [], imports: [] });
  });
});

describe("impact", () => {
  it("puts tests behind the rest, by their files and their flags", async () => {
    const made = makeUpCode(6, { files: 12, symbolsPerFile: 6, edgesPerFile: 20, mentions: 0 });
    const files = made.files.map((file, at) => ({
      ...file,
      id: file.id.replace(/\.(\w+)$/, at % 2 === 0 ? ".test.$1" : ".$1"),
    }));
    const { index } = (await openCode({ ...made, files, packages: graphPackages(files, made.edges, () => false) }))
      .reader;
    const { json } = await askTables(index, "analyze_impact", {
      target: files[1]?.id,
      format: "json",
      max_tokens: 6000,
    });
    const pathsOf = (list: unknown): string[] => (list as { filePath: string }[]).map(({ filePath }) => filePath);
    expect(pathsOf(json["tests"]).length).toBeGreaterThan(0);
    expect(pathsOf(json["tests"]).every((path) => path.includes(".test."))).toBe(true);
    expect(pathsOf(json["affected"]).some((path) => path.includes(".test."))).toBe(false);
  });
});
