import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { GroupCode } from "../../../indexer/link/code/link-code.ts";
import { type FindRequest, findSymbols } from "../../../src/core/code/find-symbols.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { makeUpCode } from "../../support/made-up-code.ts";
import { openCode } from "../../support/open-code.ts";
import type { OpenTables } from "../../support/open-tables.ts";
import { runs } from "../../support/runs.ts";
import { scanForSymbols } from "../../support/scan-code.ts";

let code: GroupCode;
let open: OpenTables;

beforeAll(async () => {
  code = makeUpCode(7, { files: 300, symbolsPerFile: 14, edgesPerFile: 2, mentions: 20 });
  open = await openCode(code);
});

const anyWord = fc.constantFrom("create", "store", "get", "Index", "to", "STRING", "constructor", "value", "cr", "zz");
const anyQuery = fc.oneof(
  fc.array(anyWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  fc.array(anyWord, { minLength: 1, maxLength: 3 }).map((words) => words.join("")),
  fc.tuple(anyWord, fc.constantFrom("_", "*", "?", ".", "*_"), anyWord).map((parts) => parts.join("")),
  fc.tuple(fc.constantFrom("*", ""), anyWord, fc.constantFrom("*", "", "*e")).map((parts) => parts.join("")),
  fc.nat({ max: 4000 }).map((draw) => nameAt(draw, (symbol) => symbol.name)),
  fc.nat({ max: 4000 }).map((draw) => nameAt(draw, (symbol) => symbol.path.replace(/~\d+$/, ""))),
);
const anyRequest = fc.record(
  {
    query: anyQuery,
    kinds: fc.subarray(["class", "method", "constructor", "function"] as const, { minLength: 1 }),
    exported: fc.boolean(),
    languages: fc.constant(["python"]),
    packages: fc.constant(["create", "store"]),
    exactOnly: fc.boolean(),
  },
  { requiredKeys: ["query"] },
);

function nameAt(draw: number, of: (symbol: GroupCode["files"][number]["symbols"][number]) => string): string {
  const symbols = code.files[draw % code.files.length]?.symbols ?? [];
  const symbol = symbols[draw % Math.max(1, symbols.length)];
  return symbol === undefined ? "none" : of(symbol);
}

async function find(request: Omit<FindRequest, "offset" | "limit">, offset = 0, limit = 1000) {
  return findSymbols(new IndexReader(open.reader.index), { ...request, offset, limit });
}

describe("symbols by name", () => {
  it("are those that a scan of all records finds, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const scanned = scanForSymbols(code, request);
        const { total, isComplete, symbols } = await find(request);
        expect({ total, isComplete }).toEqual({ total: scanned.length, isComplete: true });
        expect(symbols.map(({ id }) => id)).toEqual(scanned.slice(0, 1000));
      }),
      { numRuns: runs(300) },
    );
  });

  it("come in pages that make up the whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRequest,
        fc.integer({ min: 1, max: 40 }),
        fc.nat({ max: 60 }),
        async (request, limit, offset) => {
          const scanned = scanForSymbols(code, request);
          const { total, symbols } = await find(request, offset, limit);
          expect(total).toBe(scanned.length);
          expect(symbols.map(({ id }) => id)).toEqual(scanned.slice(offset, offset + limit));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe("names with signs in them", () => {
  const NAMES = [
    "#poll",
    "poll",
    "_poll",
    "a.b",
    "a#b",
    "a/b",
    "c.d.e",
    "[Symbol.iterator]",
    "constructor",
    "__proto__",
  ];
  let signs: OpenTables;

  beforeAll(async () => {
    const made = makeUpCode(3, { files: 8, symbolsPerFile: 14, edgesPerFile: 0, mentions: 0 });
    const template = made.files.find(({ symbols }) => symbols.length > 0);
    const symbol = template?.symbols[0];
    if (template === undefined || symbol === undefined) throw new Error("the made-up code has no symbols");
    const holder = { ...symbol, name: "Box", path: "Box", parent: -1 };
    const members = NAMES.map((name) => ({ ...symbol, name, path: `Box.${name}`, parent: 0 }));
    signs = await openCode({
      files: [{ ...template, symbols: [holder, ...members] }],
      edges: [[]],
      mentions: [],
      packages: [],
    });
  });

  it.each(NAMES)("%s is found first by the whole name, and behind its container", async (name) => {
    for (const query of [name, `Box.${name}`]) {
      for (const exactOnly of [false, true]) {
        const reader = new IndexReader(signs.reader.index);
        const { symbols } = await findSymbols(reader, { query, exactOnly, offset: 0, limit: 5 });
        expect([query, symbols[0]?.record.name]).toEqual([query, name]);
      }
    }
  });
});
