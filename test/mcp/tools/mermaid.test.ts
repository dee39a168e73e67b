import fc from "fast-check";
import { expect, it } from "vitest";
import type { EdgeKind } from "../../../src/core/format/code-model.ts";
import { formatMermaid } from "../../../src/mcp/tools/get-dependencies.ts";

const NODE = String.raw`n\d+(?:\["[^"\n]*"\]|\(\["[^"\n]*"\]\))?`;
const LINE = new RegExp(String.raw`^ {2}${NODE} (?:-->|-\.->)(?:\|"[^"\n]*"\|)? ${NODE}$`);

const node = (id: string, label = id, kind: "file" | "external" = "file") => ({ id, label, kind });
const edge = { kinds: ["imports"] as EdgeKind[], typeOnly: false };

it("draws each node once with its label, and what is outside with round ends", () => {
  const [a, b, c] = [node("a", "src/a.ts"), node("b", "src/b.ts"), node("npm:c", "npm:c", "external")];
  expect(
    formatMermaid([
      { ...edge, from: a, to: b },
      { ...edge, from: b, to: c, weight: 3 },
      { ...edge, from: a, to: c, typeOnly: true },
      { from: c, to: a, kinds: ["type"], typeOnly: true },
    ]),
  ).toBe(
    [
      "flowchart LR",
      '  n0["src/a.ts"] --> n1["src/b.ts"]',
      '  n1 -->|"3"| n2(["npm:c"])',
      "  n0 -.-> n2",
      '  n2 -.->|"type"| n0',
    ].join("\n"),
  );
});

it("writes signs that the language reads as numbers", () => {
  const drawn = formatMermaid([{ ...edge, from: node('a"]<b>#x;'), to: node("`end`\n  n9 --> n1") }]);
  expect(drawn).toBe('flowchart LR\n  n0["a#34;#93;#60;b#62;#35;x#59;"] --> n1["#96;end#96;#10;  n9 --#62; n1"]');
});

it("is a flowchart of as many lines as edges, whatever names hold", () => {
  const anyNode = fc.record({
    id: fc.string(),
    label: fc.string({ unit: "binary" }),
    kind: fc.constantFrom<("file" | "external")[]>("file", "external"),
  });
  const anyEdge = fc.record({
    from: anyNode,
    to: anyNode,
    kinds: fc.subarray<EdgeKind>(["imports", "calls", "type"]),
    typeOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyEdge, { maxLength: 8 }), (edges) => {
      const [head, ...lines] = formatMermaid(edges).split("\n");
      expect(head).toBe("flowchart LR");
      expect(lines).toHaveLength(edges.length);
      for (const line of lines) expect(line).toMatch(LINE);
    }),
  );
});
