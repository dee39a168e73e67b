/** Symbols whose declarations stand in several files: prototypes, members of C++ outside of their class, parts of a type. */
import { describe, expect, it } from "vitest";
import { callTree } from "../../../src/core/code/call-tree.ts";
import { incomingEdges } from "../../../src/core/code/edges.ts";
import { findSymbols } from "../../../src/core/code/find-symbols.ts";
import { declarationsOf } from "../../../src/core/code/load-files.ts";
import { findFamily } from "../../../src/core/code/rename-family.ts";
import { findSymbol } from "../../../src/mcp/find-named.ts";
import { formatSymbol } from "../../../src/surface/render/symbols.ts";
import { linkSources } from "../../support/code-files.ts";
import { openCode } from "../../support/open-code.ts";

const { files, edges } = await linkSources({
  "c/add.c": '#include "add.h"\nint addup(int x, int y) { return x + y; }\n',
  "c/add.h": "int addup(int x, int y);\n",
  "c/use.c": '#include "add.h"\nint twice(int x) { return addup(x, x); }\n',
  "cpp/foo.cc":
    '#include "foo.h"\nnamespace ns {\nint Foo::bar(int x) { v_ = x; return v_; }\nint Baz::bar(int x) { return x; }\n}\n',
  "cpp/foo.h":
    "namespace ns {\nclass Foo { public: int bar(int x); private: int v_; };\nclass Baz { public: int bar(int x); };\n}\n",
  "cpp/use.cc": '#include "foo.h"\nint main() { ns::Foo f; return f.bar(1); }\n',
  "cs/a.cs": "namespace N {\n  public partial class P { public void One() { Two(); } }\n}\n",
  "cs/b.cs": "namespace N {\n  public partial class P { public void Two() { One(); } }\n}\n",
  "draw/circle.cc": '#include "circle.h"\nvoid Circle::draw() { Shape::draw(); }\nvoid Other::draw() {}\n',
  "draw/circle.h": '#include "shape.h"\nclass Circle : public Shape { public: void draw() override; };\n',
  "draw/shape.cc": '#include "shape.h"\nvoid Shape::draw() {}\n',
  "draw/shape.h": "class Shape { public: virtual void draw(); };\n",
});
const { reader } = await openCode({ files, edges, mentions: [], packages: [] });

const find = (symbol: string) =>
  findSymbol(reader, { symbol, file: undefined, line: undefined, character: undefined }, "inspect");

/** Places that lead to a symbol, as `path:line:column kind`. */
async function placesOf(name: string): Promise<string[]> {
  const targets = declarationsOf(await find(name)).map(({ id }) => ({ id }));
  const found = await incomingEdges(reader, targets, {}, { offset: 0, limit: 20 });
  return found.edges.map(({ file, at, kind }) => `${file.record.id.slice(5)}:${at.line}:${at.column} ${kind}`).sort();
}

async function callersOf(name: string): Promise<string[]> {
  const { children } = await callTree(reader, await find(name), { direction: "callers", depth: 1 });
  return children.map(({ symbol }) => symbol.record.name);
}

async function familyOf(name: string): Promise<string[]> {
  const { symbols } = await findFamily(reader, await find(name));
  return symbols.map(({ id }) => id.slice(5)).sort();
}

describe("a prototype and its definition", () => {
  it.each(["addup", "code:c/add.h#addup", "code:c/add.c#addup"])("are one symbol as %s", async (name) => {
    expect((await find(name)).id).toBe("code:c/add.c#addup");
    expect(await placesOf(name)).toEqual(["c/add.h:1:5 declares", "c/use.c:2:27 calls"]);
    expect(await callersOf(name)).toEqual(["twice"]);
  });
});

describe("a member of C++ outside of its class", () => {
  it("is named with its class and told apart from one beside it", async () => {
    const { symbols } = await findSymbols(reader, { query: "bar", offset: 0, limit: 10 });
    expect(symbols.map(({ record, inFile }) => formatSymbol(record, inFile.symbols[record.parent])).sort()).toEqual([
      "@2:25 Method - bar [Foo, Class]",
      "@3:10 Method - bar [Foo]",
      "@3:25 Method - bar [Baz, Class]",
      "@4:10 Method - bar [Baz]",
    ]);
    for (const name of ["Foo.bar", "code:cpp/foo.cc#ns.Foo.bar", "code:cpp/foo.h#ns.Foo.bar"]) {
      expect(await callersOf(name)).toEqual(["main"]);
    }
    expect(await placesOf("Baz.bar")).toEqual(["cpp/foo.h:3:25 declares"]);
    expect(await placesOf("Foo.v_")).toEqual(["cpp/foo.cc:3:23 writes", "cpp/foo.cc:3:38 reads"]);
  });

  it.each(["Shape.draw", "Circle.draw", "code:draw/circle.h#Circle.draw"])(
    "is renamed with what it overrides and what overrides it, from %s",
    async (name) => {
      expect(await familyOf(name)).toEqual([
        "draw/circle.cc#Circle.draw",
        "draw/circle.h#Circle.draw",
        "draw/shape.cc#Shape.draw",
        "draw/shape.h#Shape.draw",
      ]);
    },
  );
});

describe("parts of a class of C#", () => {
  it("are one class", async () => {
    for (const name of ["P", "code:cs/b.cs#N.P"]) {
      expect((await find(name)).id).toBe("code:cs/a.cs#N.P");
      expect(await placesOf(name)).toEqual(["cs/b.cs:2:24 declares"]);
    }
    expect(await callersOf("P.Two")).toEqual(["One"]);
  });
});
