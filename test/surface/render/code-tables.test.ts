/**
 * Symbols grouped for TOON: what is hoisted, which level or column files get, what decodes again, and how long it is.
 */
import { decode, encode } from "@toon-format/toon";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SYMBOL_KINDS } from "../../../src/core/format/code-model.ts";
import { type CodeNode, groupNodes } from "../../../src/surface/render/symbols.ts";

function node(part: Partial<CodeNode>): CodeNode {
  return {
    id: "code:a.ts#a",
    kind: "function",
    name: "a",
    module: "app",
    package: "main",
    filePath: "a.ts",
    startLine: 1,
    endLine: 2,
    exported: true,
    ...part,
  };
}

/** Name, base, file, lines and whether it is exported: eleven interfaces of a small code base. */
const ELEVEN: readonly (readonly [string, string, string, number, number, boolean])[] = [
  ["BaseNode", "", "src/db/Types.ts", 24, 51, true],
  ["FunctionNode", "BaseNode", "src/db/Types.ts", 54, 59, true],
  ["ClassNode", "BaseNode", "src/db/Types.ts", 61, 65, true],
  ["MethodNode", "BaseNode", "src/db/Types.ts", 67, 74, true],
  ["InterfaceNode", "BaseNode", "src/db/Types.ts", 76, 79, true],
  ["TypeAliasNode", "BaseNode", "src/db/Types.ts", 81, 84, true],
  ["VariableNode", "BaseNode", "src/db/Types.ts", 86, 90, true],
  ["FileNode", "BaseNode", "src/db/Types.ts", 92, 95, true],
  ["PropertyNode", "BaseNode", "src/db/Types.ts", 97, 102, true],
  ["ParsedNodeId", "", "src/ingestion/IdGenerator.ts", 34, 39, true],
  ["NodeRow", "", "src/db/sqlite/SqliteReader.ts", 15, 26, false],
];
const INTERFACES = ELEVEN.map(([name, base, filePath, startLine, endLine, exported]) =>
  node({
    id: `${filePath}:${name}`,
    kind: "interface",
    name,
    module: "ts-graph-mcp",
    package: "main",
    filePath,
    startLine,
    endLine,
    exported,
    extends: base,
  }),
);

describe("one module and package", () => {
  test("both stand once on top, and each kind is a table", () => {
    const grouped = groupNodes([
      node({ kind: "class", name: "Store", extends: "Base", startLine: 3, endLine: 30 }),
      node({ kind: "method", name: "open", parent: "Store", startLine: 5, endLine: 5 }),
      node({ kind: "property", name: "size", parent: "Store", type: "number", startLine: 4, endLine: 4 }),
      node({ name: "help", startLine: 40, endLine: 44, exported: false }),
    ]);
    expect(encode(grouped)).toBe(
      [
        "count: 4",
        "module: app",
        "package: main",
        "file: a.ts",
        "classes[1]{extends,symbol,line,exported}:",
        "  Base,Store,3-30,true",
        "methods[1]{parent,symbol,line}:",
        "  Store,open,5",
        "properties[1]{type,parent,name,line}:",
        "  number,Store,size,4",
        "functions[1]{symbol,line,exported}:",
        "  help,40-44,false",
      ].join("\n"),
    );
  });

  test("extends goes when no row has one, and is empty for those without where another has one", () => {
    const plain = groupNodes([node({ kind: "class", name: "A", extends: "" })]);
    expect(encode(plain)).toContain("classes[1]{symbol,line,exported}:");
    const mixed = groupNodes([
      node({ kind: "class", name: "A", extends: "" }),
      node({ kind: "class", name: "B", extends: "A" }),
    ]);
    expect(encode(mixed)).toContain('  "",A,1-2,true\n  A,B,1-2,true');
  });

  test("eleven interfaces of three files take at most .57 of their flat table", () => {
    const flat = encode({
      count: INTERFACES.length,
      interfaces: INTERFACES.map(({ kind: _, ...row }) => row),
    });
    const grouped = encode(groupNodes(INTERFACES));
    expect(grouped.length / flat.length).toBeLessThanOrEqual(0.57);
    // Each row has a path that can be read.
    expect(grouped).toContain('"src/ingestion/IdGenerator.ts":\n  interfaces[1]{symbol,line,exported}:');
  });

  test("files are a level where many symbols of each make that shorter", () => {
    const nodes = ["src/one/first.ts", "src/two/second.ts"].flatMap((filePath) =>
      Array.from({ length: 30 }, (_, at) => node({ filePath, name: `f${at}` })),
    );
    const grouped = groupNodes(nodes);
    expect(Object.keys(grouped)).toEqual(["count", "module", "package", "src/one/first.ts", "src/two/second.ts"]);
  });
});

describe("several modules and packages", () => {
  test("each is a level, and names occur once a group", () => {
    const text = encode(
      groupNodes([
        node({ module: "app", package: "main", name: "a" }),
        node({ module: "app", package: "utils", name: "b", filePath: "u.ts" }),
        node({ module: "lib", package: "core", name: "c", filePath: "c.ts" }),
      ]),
    );
    expect(decode(text)).toEqual({
      count: 3,
      app: {
        main: { file: "a.ts", functions: [{ symbol: "a", line: "1-2", exported: true }] },
        utils: { file: "u.ts", functions: [{ symbol: "b", line: "1-2", exported: true }] },
      },
      lib: { core: { file: "c.ts", functions: [{ symbol: "c", line: "1-2", exported: true }] } },
    });
  });

  test("facts of a package stand before its tables, empty lists included", () => {
    const facts = { depends: [], imports: ["react"], exports: ["open"], files: 2, symbols: 9 };
    const grouped = groupNodes([node({})], { packages: [{ module: "app", package: "main", facts }] });
    expect(Object.keys(grouped)).toEqual([
      "count",
      "module",
      "package",
      "depends",
      "imports",
      "exports",
      "files",
      "symbols",
      "file",
      "functions",
    ]);
    expect(encode(grouped)).toContain("depends: []");
  });
});

test("what is grouped decodes to itself, whatever the names", () => {
  const name = fc.string({ minLength: 1, maxLength: 12 });
  const anyNode = fc.record({
    kind: fc.constantFrom(...SYMBOL_KINDS),
    name,
    module: fc.constantFrom("app", "@scope/lib", "a.b"),
    package: fc.constantFrom("main", "db: sql", "ts-graph-mcp"),
    filePath: fc.constantFrom("a.ts", "src/a.ts", "src/b,c.ts"),
    extends: name,
    type: name,
    parent: name,
    signature: fc.option(name, { nil: undefined }),
    startLine: fc.nat(99),
  });
  fc.assert(
    fc.property(fc.array(anyNode, { minLength: 1, maxLength: 12 }), (parts) => {
      const grouped = groupNodes(
        parts.map(({ signature, ...part }) =>
          node({ ...part, endLine: part.startLine + 1, ...(signature !== undefined && { signature }) }),
        ),
      );
      expect(decode(encode(grouped))).toEqual(grouped);
    }),
  );
});

test("one module of several packages stands on top, unless a package is called like what stands beside it", () => {
  const nodes = (other: string) => [node({ package: "main" }), node({ package: other, filePath: "b.ts" })];
  expect(Object.keys(groupNodes(nodes("db"), { count: 9 }))).toEqual(["count", "shown", "module", "main", "db"]);
  expect(Object.keys(groupNodes(nodes("shown")))).toEqual(["count", "app"]);
});
