/** What a compiler knows, in place of edges that were found by syntax. */
import { describe, expect, it } from "vitest";
import type { PreciseDocument } from "../../../../indexer/languages/base/language.ts";
import type { CodePosition } from "../../../../src/core/format/code-model.ts";
import { codeFile, EXPORTED, edgesOf, link, reference } from "../../../support/code-files.ts";

const place = (line: number, column = 1): CodePosition => ({ line, column });

/** A document of definitions and references by their lines: in made-up files each thing stands on its own. */
function document(
  path: string,
  definitions: Readonly<Record<string, number>>,
  references: readonly (readonly [symbol: string, line: number, column?: number])[] = [],
  implementations: PreciseDocument["implementations"] = [],
): PreciseDocument {
  return {
    id: `code:${path}`,
    definitions: Object.entries(definitions).map(([symbol, line]) => ({
      symbol,
      start: place(line),
      end: place(line, symbol.endsWith("/") ? 1 : 5),
    })),
    references: references.map(([symbol, line, column]) => ({ symbol, at: place(line, column), isWrite: false })),
    implementations,
  };
}

const facts = (...documents: readonly PreciseDocument[]) => ({ precise: { documents, leftOut: new Set<string>() } });

const shapes = codeFile("shapes.ts", (file) => {
  file.symbol("class", "Circle", EXPORTED);
  file.symbol("constructor", "constructor", { parent: 0 });
  file.symbol("method", "draw", { parent: 0 });
  file.symbol("class", "Square", EXPORTED);
  file.symbol("method", "draw", { parent: 3 });
  file.symbol("interface", "Shape", EXPORTED);
  file.symbol("method", "draw", { parent: 5 });
});
const SHAPES = {
  "p shapes/": 1,
  "p Circle#": 1,
  "p Circle#new().": 2,
  "p Circle#draw().": 3,
  "p Square#": 4,
  "p Square#draw().": 5,
  "p Shape#": 6,
  "p Shape#draw().": 7,
};
const unknown = { kind: "unknown" } as const;

describe("a reference of a compiler", () => {
  it("gives an edge where the syntax says what is done and nothing says with what", () => {
    const using = codeFile("use.ts", (file) => {
      file.use("calls", unknown, ["draw"]);
      file.use("writes", unknown, ["draw"]);
    });
    expect(edgesOf(link([shapes, using]), "use.ts")).toEqual([]);
    const precise = facts(
      document("shapes.ts", SHAPES),
      document("use.ts", {}, [
        ["p Square#draw().", 1],
        ["p Circle#draw().", 2],
      ]),
    );
    expect(edgesOf(link([shapes, using], [], precise), "use.ts")).toEqual([
      "calls precise shapes.ts#Square.draw",
      "writes precise shapes.ts#Circle.draw",
    ]);
  });

  it("takes the place of an edge to another symbol and confirms one to the same", () => {
    const using = codeFile("use.ts", (file) => {
      const circle = file.import("./shapes", "Circle");
      const type = reference({ kind: "import", import: circle });
      file.use("calls", { kind: "value", type }, ["draw"]);
      file.use("calls", { kind: "value", type }, ["draw"]);
      file.use("calls", { kind: "value", type }, ["draw"]);
    });
    const precise = facts(
      document("shapes.ts", SHAPES),
      document("use.ts", {}, [
        ["p Circle#", 1],
        ["p shapes/", 1, 30],
        ["p Square#draw().", 2],
        ["p Circle#draw().", 3],
      ]),
    );
    expect(edgesOf(link([shapes, using], [], precise), "use.ts")).toEqual([
      "imports precise shapes.ts",
      "imports precise shapes.ts#Circle",
      "calls precise shapes.ts#Square.draw",
      "calls precise shapes.ts#Circle.draw",
      "calls receiver shapes.ts#Circle.draw",
    ]);
  });

  it("to a constructor makes an object of the class, as an edge of our own does", () => {
    const using = codeFile("use.ts", (file) => file.use("calls", { kind: "free", name: "Ring" }));
    const precise = facts(document("shapes.ts", SHAPES), document("use.ts", {}, [["p Circle#new().", 1]]));
    expect(edgesOf(link([shapes, using], [], precise), "use.ts")).toEqual(["instantiates precise shapes.ts#Circle"]);
  });

  it("that the syntax passes over is a read or names a type", () => {
    const using = codeFile("use.ts", (file) => file.symbol("function", "paint", { end: place(9) }));
    const precise = facts(
      document("shapes.ts", SHAPES),
      document("use.ts", {}, [
        ["p Shape#", 2],
        ["p Circle#", 3],
      ]),
    );
    const linked = link([shapes, using], [], precise);
    expect(edgesOf(linked, "use.ts")).toEqual(["type precise shapes.ts#Shape", "reads precise shapes.ts#Circle"]);
    expect(linked.edges[1]?.map(({ from }) => from)).toEqual([0, 0]);
  });

  it("to a name and its other name on one line is one edge", () => {
    const using = codeFile("use.ts", (file) => file.import("./shapes", "Circle", "Ring"));
    const precise = facts(
      document("shapes.ts", SHAPES),
      document("use.ts", {}, [
        ["p Circle#", 1],
        ["p Circle#", 1, 10],
      ]),
    );
    expect(edgesOf(link([shapes, using], [], precise), "use.ts")).toEqual([
      "imports scope shapes.ts",
      "imports precise shapes.ts#Circle",
    ]);
  });

  it("to the sides of a short form gives an edge to each, with its form", () => {
    const using = codeFile("use.ts");
    const own = document("use.ts", {});
    const side = (symbol: string, short: "key" | "value") => ({ symbol, at: place(1), isWrite: false, short });
    const sides = [side("p Circle#draw().", "key"), side("p Square#", "value")];
    const precise = facts(document("shapes.ts", SHAPES), { ...own, references: sides });
    const linked = link([shapes, using], [], precise);
    expect(edgesOf(linked, "use.ts").sort()).toEqual([
      "reads precise shapes.ts#Circle.draw",
      "reads precise shapes.ts#Square",
    ]);
    expect(linked.edges[1]?.map(({ form }) => form).sort()).toEqual(["key", "value"]);
  });

  it("to a member of several types gives an edge to each, whether or not the syntax says what is done", () => {
    const using = codeFile("use.ts", (file) => {
      file.use("calls", unknown, ["draw"]);
    });
    const precise = facts(
      document("shapes.ts", SHAPES),
      document("use.ts", {}, [
        ["p Circle#draw().", 1],
        ["p Square#draw().", 1],
        ["p Circle#draw().", 2],
        ["p Square#draw().", 2],
      ]),
    );
    expect(edgesOf(link([shapes, using], [], precise), "use.ts")).toEqual([
      "calls precise shapes.ts#Circle.draw",
      "calls precise shapes.ts#Square.draw",
      "reads precise shapes.ts#Circle.draw",
      "reads precise shapes.ts#Square.draw",
    ]);
  });

  it("out of the corpus takes a guess away, and nothing that is more than a guess", () => {
    const only = codeFile("only.ts", (file) => {
      file.symbol("class", "Queue", EXPORTED);
      file.symbol("method", "drain", { parent: 0 });
    });
    const using = codeFile("use.ts", (file) => {
      const queue = file.import("./only", "Queue");
      file.use("calls", unknown, ["drain"]);
      file.use("calls", { kind: "value", type: reference({ kind: "import", import: queue }) }, ["drain"]);
    });
    const before = edgesOf(link([only, using]), "use.ts");
    expect(before).toContain("calls name only.ts#Queue.drain");
    const outside = document("use.ts", {}, [
      ["npm other drain().", 2],
      ["npm other drain().", 3],
    ]);
    expect(edgesOf(link([only, using], [], facts(outside)), "use.ts")).toEqual(
      before.filter((edge) => !edge.includes(" name ")),
    );
    const leftOut = { precise: { documents: [outside], leftOut: new Set(["npm other drain()."]) } };
    expect(edgesOf(link([only, using], [], leftOut), "use.ts")).toEqual(before);
  });
});

describe("a relationship", () => {
  const relate = (...pairs: readonly (readonly [string, ...string[]])[]) =>
    facts(
      document(
        "shapes.ts",
        SHAPES,
        [],
        pairs.map(([symbol, ...of]) => ({ symbol, of })),
      ),
    );

  it("gives what is implemented, extended and overridden, where no syntax says so", () => {
    expect(edgesOf(link([shapes]), "shapes.ts")).toEqual([]);
    const precise = relate(
      ["p Circle#", "p Shape#"],
      ["p Square#", "p Circle#"],
      ["p Circle#draw().", "p Shape#draw()."],
    );
    expect(edgesOf(link([shapes], [], precise), "shapes.ts")).toEqual([
      "implements precise shapes.ts#Shape",
      "overrides precise shapes.ts#Shape.draw",
      "extends precise shapes.ts#Circle",
    ]);
  });

  it("that is inherited gives no edge of its own", () => {
    const precise = relate(["p Circle#", "p Shape#"], ["p Square#", "p Shape#", "p Circle#"]);
    expect(edgesOf(link([shapes], [], precise), "shapes.ts")).toEqual([
      "implements precise shapes.ts#Shape",
      "extends precise shapes.ts#Circle",
    ]);
  });

  it("to what is not in the corpus gives none", () => {
    const precise = relate(["p Circle#", "npm other Base#"]);
    expect(edgesOf(link([shapes], [], precise), "shapes.ts")).toEqual([]);
  });
});
