/** Code of two access groups in one written index: what a caller does not see leaves no trace. */
import { beforeAll, describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { callTree } from "../../../src/core/code/call-tree.ts";
import { incomingEdges, mentionsInPages, mentionsOf, outgoingEdges } from "../../../src/core/code/edges.ts";
import { findSymbols } from "../../../src/core/code/find-symbols.ts";
import { loadFiles, loadFileWithEdges } from "../../../src/core/code/load-files.ts";
import { resolveSymbol } from "../../../src/core/code/resolve-symbol.ts";
import type { EdgeRecord, FileRecord, SymbolRecord } from "../../../src/core/format/code-model.ts";
import { CODE_TABLE_NAMES } from "../../../src/core/format/table.ts";
import { type BuiltIndex, buildCollections } from "../../support/build-index.ts";

const PAGE = { offset: 0, limit: 10 };

function symbol(name: string, line: number): SymbolRecord {
  const place = { line, column: 1 };
  return {
    kind: "function",
    name,
    path: name,
    parent: -1,
    at: place,
    start: place,
    end: { line: line + 2, column: 2 },
    signature: `function ${name}()`,
    doc: "",
    flags: ["exported"],
    type: "",
    bases: [],
    rank: 1,
    section: 1,
  };
}

function file(id: string, ...symbols: SymbolRecord[]): FileRecord {
  const rest = { language: "typescript", module: "m", package: "p", hash: "0".repeat(16), rank: 1, errors: 0 };
  return { id, ...rest, symbols };
}

const call = (from: number, to: EdgeRecord["to"]): EdgeRecord => ({
  kind: "calls",
  tier: "scope",
  typeOnly: false,
  from,
  at: { line: 2, column: 3 },
  to,
});

const OPEN: GroupCode = {
  files: [file("open:a.ts", symbol("start", 1)), file("open:b.ts", symbol("help", 1))],
  edges: [[call(0, { id: "closed:s.ts#secret" }), call(0, { file: 1, symbol: 0 })], []],
  mentions: [
    { nodeId: "docs:p.md#p", text: "start", line: 3, symbolId: "open:a.ts#start" },
    { nodeId: "docs:p.md#p", text: "secret", line: 4, symbolId: "closed:s.ts#secret" },
  ],
  packages: [],
};
const CLOSED: GroupCode = {
  files: [file("closed:s.ts", symbol("secret", 1))],
  edges: [[call(0, { id: "open:b.ts#help" })]],
  mentions: [],
  packages: [],
};

let built: BuiltIndex;
beforeAll(async () => {
  built = await buildCollections(
    [
      { name: "docs", pages: { "p.md": "# P\n\nCall `start`.\n" } },
      { name: "closed", access: "staff", pages: { "q.md": "# Q\n\nText.\n" } },
      { name: "plain", access: "guests", pages: { "r.md": "# R\n\nText.\n" } },
    ],
    undefined,
    new Map([
      ["public", OPEN],
      ["staff", CLOSED],
    ]),
  );
});

const open = async (groups: readonly string[]) => (await built.open(groups)).reader;

describe("code of several access groups", () => {
  it("comes out of a written index as it went in", async () => {
    const reader = await open(["public", "staff"]);
    const records = [...CLOSED.files, ...OPEN.files];
    const loaded = await loadFiles(reader, [...records.map(({ id }) => id), "open:none.ts"]);
    expect(loaded.map((one) => one?.record)).toEqual([...records, undefined]);
  });

  it("leads from one group to the other for who sees both", async () => {
    const reader = await open(["public", "staff"]);
    const start = await loadFileWithEdges(reader, "open:a.ts");
    const { total, edges } = await outgoingEdges(reader, start ?? never(), {}, PAGE);
    expect(total).toBe(2);
    expect(edges.map(({ to }) => to.kind === "symbol" && to.symbol.id)).toEqual([
      "closed:s.ts#secret",
      "open:b.ts#help",
    ]);
    const help = await incomingEdges(reader, [{ id: "open:b.ts#help" }], {}, PAGE);
    expect(help.edges.map(({ from }) => from?.id)).toEqual(["open:a.ts#start", "closed:s.ts#secret"]);
    const [root = never()] = (await resolveSymbol(reader, "start")).symbols;
    const tree = await callTree(reader, root, { direction: "callees", depth: 2 });
    expect(tree.children.map(({ symbol: own }) => own.id).sort()).toEqual(["closed:s.ts#secret", "open:b.ts#help"]);
    expect((await mentionsInPages(reader, ["docs:p.md"])).flat().map(({ text }) => text)).toEqual(["start", "secret"]);
    expect((await mentionsOf(reader, "closed:s.ts#secret")).sections).toHaveLength(1);
  });

  it("shows who sees one group nothing of the other", async () => {
    for (const [groups, sees] of [
      [["public"], OPEN],
      [["staff"], CLOSED],
    ] as const) {
      const reader = await open(groups);
      const own = sees.files.flatMap(({ symbols }) => symbols.map(({ name }) => name));
      const { symbols } = await findSymbols(reader, { query: "*", ...PAGE });
      expect(symbols.map(({ record }) => record.name).sort()).toEqual(own.toSorted());
    }
    const reader = await open(["public"]);
    const start = await loadFileWithEdges(reader, "open:a.ts");
    const { total, edges } = await outgoingEdges(reader, start ?? never(), {}, PAGE);
    expect(total).toBe(1);
    expect(edges).toHaveLength(1);
    expect((await incomingEdges(reader, [{ id: "open:b.ts#help" }], {}, PAGE)).total).toBe(1);
    expect((await mentionsInPages(reader, ["docs:p.md"])).flat().map(({ text }) => text)).toEqual(["start"]);
    expect(await resolveSymbol(reader, "closed:s.ts#secret")).toMatchObject({ total: 0 });
  });

  it("takes no table and no pack in a group without source files", async () => {
    const { index } = await built.open("all");
    const guests = index.root.shards.find(({ group }) => group === "guests");
    expect(CODE_TABLE_NAMES.every((name) => guests?.tables[name].entries.length === 0)).toBe(true);
    const plain = await buildCollections([{ name: "docs", pages: { "p.md": "# P\n\nText.\n" } }]);
    expect([...plain.files.keys()].filter((name) => name.endsWith(".pack"))).toHaveLength(2);
  });
});

function never(): never {
  throw new Error("there is no such file");
}
