import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { callTree } from "../../../src/core/code/call-tree.ts";
import { countIncoming, incomingEdges, outgoingEdges } from "../../../src/core/code/edges.ts";
import { idOf, loadFileWithEdges, loadSymbols } from "../../../src/core/code/load-files.ts";
import type { FileRecord } from "../../../src/core/format/code-model.ts";
import { EDGE_KINDS, EDGE_TIERS, type EdgeRecord } from "../../../src/core/format/code-model.ts";
import { PIECE_PLACES } from "../../../src/core/format/edge-tables.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { makeUpCode } from "../../support/made-up-code.ts";
import { openCode } from "../../support/open-code.ts";
import type { OpenTables } from "../../support/open-tables.ts";
import { runs } from "../../support/runs.ts";
import { scanForUses } from "../../support/scan-code.ts";

let code: GroupCode;
let open: OpenTables;
/** What very much leads to. */
const POPULAR = "npm:everywhere";

beforeAll(async () => {
  const made = makeUpCode(3, { files: 60, symbolsPerFile: 8, edgesPerFile: 40, mentions: 10 });
  const popular: EdgeRecord = {
    kind: "imports",
    tier: "scope",
    typeOnly: false,
    from: -1,
    at: { line: 1, column: 1 },
    to: { external: POPULAR },
  };
  const many = Array.from(
    { length: 60 },
    (_, at): EdgeRecord => ({
      ...popular,
      kind: at % 3 === 0 ? "type" : "imports",
      tier: at % 7 === 0 ? "name" : "scope",
    }),
  );
  code = { ...made, edges: made.edges.map((list) => [...many, ...list]) };
  open = await openCode(code);
});

type EdgeFilter = Parameters<typeof incomingEdges>[2];

const anyFilter: fc.Arbitrary<EdgeFilter> = fc.record(
  {
    kinds: fc.subarray([...EDGE_KINDS], { minLength: 1 }),
    tiers: fc.subarray([...EDGE_TIERS], { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const anyPage = fc.record({
  offset: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 4000 })),
  limit: fc.integer({ min: 1, max: 50 }),
});

const reader = (): IndexReader => new IndexReader(open.reader.index);
const isIn = ({ kinds, tiers }: EdgeFilter, edge: Pick<EdgeRecord, "kind" | "tier">): boolean =>
  (kinds?.includes(edge.kind) ?? true) && (tiers?.includes(edge.tier) ?? true);

describe("incoming edges", () => {
  it("are those that a scan of all edges finds, page by page", async () => {
    const targets = code.edges.flat().map(({ to }) => to);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 100_000 }), anyFilter, anyPage, async (draw, filter, page) => {
        const to = targets[draw % targets.length] as EdgeRecord["to"];
        const target = "file" in to ? { id: idOf(code.files[to.file] as FileRecord, to.symbol) } : to;
        const name = "id" in target ? target.id : target.external;
        const scanned = scanForUses(code, name).filter((use) => isIn(filter, use));
        const { total, edges } = await incomingEdges(reader(), [target], filter, page);
        expect(total).toBe(scanned.length);
        const [all = []] = await countIncoming(reader(), [target]);
        const wanted = all.filter((edge) => isIn(filter, edge));
        expect(wanted.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        const own = edges.map(({ kind, tier, typeOnly, at, file, from }) => ({
          kind,
          tier,
          typeOnly,
          at,
          from: from?.id ?? file.record.id,
        }));
        expect(own).toEqual(scanned.slice(page.offset, page.offset + page.limit));
      }),
      { numRuns: runs(200) },
    );
  });

  it("are counted over all pieces and read of those that the page needs", async () => {
    const all = scanForUses(code, POPULAR);
    expect(all.length).toBeGreaterThan(3 * PIECE_PLACES);
    const page = { offset: 2 * PIECE_PLACES + 10, limit: 3 };
    const { total, edges } = await incomingEdges(reader(), [{ external: POPULAR }], {}, page);
    expect(total).toBe(all.length);
    expect(edges.map(({ file }) => file.record.id)).toEqual(
      all.slice(page.offset, page.offset + 3).map(({ from }) => from),
    );
  });

  it("are none of what nothing leads to", async () => {
    const { total, edges } = await incomingEdges(reader(), [{ id: "code:none.ts#x" }], {}, { offset: 0, limit: 5 });
    expect({ total, edges }).toEqual({ total: 0, edges: [] });
  });
});

describe("outgoing edges", () => {
  it("are those of the file, each with what it leads to", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 59 }), anyFilter, anyPage, async (number, filter, page) => {
        const record = code.files[number];
        const file = await loadFileWithEdges(reader(), record?.id ?? "");
        if (file === undefined) throw new Error("no file");
        const wanted = (code.edges[number] ?? []).filter((edge) => isIn(filter, edge));
        const { total, edges } = await outgoingEdges(reader(), file, filter, page);
        expect(total).toBe(wanted.length);
        const named = edges.map(({ to, ...edge }) => ({
          ...edge,
          to: to.kind === "external" ? to.name : to.kind === "file" ? to.file.record.id : to.symbol.id,
        }));
        expect(named).toEqual(
          wanted.slice(page.offset, page.offset + page.limit).map(({ to, ...edge }) => ({
            ...edge,
            to: "file" in to ? idOf(code.files[to.file] as FileRecord, to.symbol) : "id" in to ? to.id : to.external,
          })),
        );
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("the call tree", () => {
  it("has below each symbol those that calls lead to or come from, and says what it left out", async () => {
    for (const direction of ["callers", "callees"] as const) {
      for (let file = 0; file < 12; file++) {
        if ((code.files[file]?.symbols.length ?? 0) === 0) continue;
        const [symbol] = await loadSymbols(reader(), [{ shard: 0, file, symbol: 0 }]);
        if (symbol === undefined) throw new Error("no symbol");
        const tree = await callTree(reader(), symbol, { direction, depth: 2 });
        const expected = direction === "callers" ? callers(file, 0) : callees(file, 0);
        expect(tree.children.length + (tree.more ?? 0)).toBe(expected.size);
        expect(tree.children.length).toBe(Math.min(20, expected.size));
        for (const child of tree.children) {
          expect(expected.get(child.symbol.id)).toBe(child.calls);
          const isFollowed = child.tier !== "name" && !child.isRepeated;
          expect(child.more !== undefined).toBe(isFollowed);
          if (!isFollowed) continue;
          if (child.symbol.symbol < 0) {
            expect([child.symbol.record.kind, child.children, child.more]).toEqual(["file", [], 0]);
            continue;
          }
          const { file: childFile, symbol: childSymbol } = child.symbol;
          const below = (direction === "callers" ? callers : callees)(childFile, childSymbol);
          expect(child.children.length + (child.more ?? 0)).toBe(below.size);
        }
      }
    }
  });
});

function isCall({ kind }: Pick<EdgeRecord, "kind">): boolean {
  return kind === "calls" || kind === "instantiates";
}

/** Places in the file of the declarations that are one symbol: equal in name, kind and container. */
function declarations(file: number, symbol: number): number[] {
  const symbols = code.files[file]?.symbols ?? [];
  const nameOf = (at: number): string => [symbols[at]?.name, symbols[at]?.kind, symbols[at]?.parent].join(" ");
  return symbols.flatMap((_, at) => (nameOf(at) === nameOf(symbol) ? [at] : []));
}

function callers(file: number, symbol: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const at of declarations(file, symbol)) {
    for (const { from, kind } of scanForUses(code, idOf(code.files[file] as FileRecord, at))) {
      if (isCall({ kind })) counts.set(from, (counts.get(from) ?? 0) + 1);
    }
  }
  return counts;
}

function callees(file: number, symbol: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { from, to, kind } of code.edges[file] ?? []) {
    if (!declarations(file, symbol).includes(from) || !isCall({ kind }) || !("file" in to) || to.symbol < 0) continue;
    const id = idOf(code.files[to.file] as FileRecord, to.symbol);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
