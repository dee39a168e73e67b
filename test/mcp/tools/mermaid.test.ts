import fc from "fast-check";
import { expect, it } from "vitest";
import { formatMermaid } from "../../../src/mcp/tools/get-dependencies.ts";

const NODE = String.raw`n\d+(?:\["[^"\n]*"\]|\(\["[^"\n]*"\]\))?`;
const LINE = new RegExp(String.raw`^ {2}${NODE} (?:-->|-\.->)(?:\|"[^"\n]*"\|)? ${NODE}$`);

const node = (id: string, label = id, isOutside = false) => ({ id, label, isOutside });

it("draws each node once with its label, and what is outside with round ends", () => {
  const [a, b, c] = [node("a", "src/a.ts"), node("b", "src/b.ts"), node("npm:c", "npm:c", true)];
  expect(
    formatMermaid([
      { from: a, to: b, label: "", isDotted: false },
      { from: b, to: c, label: "3", isDotted: false },
      { from: a, to: c, label: "", isDotted: true },
      { from: c, to: a, label: "type", isDotted: true },
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
  const drawn = formatMermaid([
    { from: node('a"]<b>#x;'), to: node("`end`\n  n9 --> n1"), label: "a|b", isDotted: false },
  ]);
  expect(drawn).toBe(
    'flowchart LR\n  n0["a#34;#93;#60;b#62;#35;x#59;"] -->|"a#124;b"| n1["#96;end#96;#10;  n9 --#62; n1"]',
  );
});

it("is a flowchart of as many lines as edges, whatever names hold", () => {
  const anyNode = fc.record({ id: fc.string(), label: fc.string({ unit: "binary" }), isOutside: fc.boolean() });
  const anyEdge = fc.record({ from: anyNode, to: anyNode, label: fc.string(), isDotted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(anyEdge, { maxLength: 8 }), (edges) => {
      const [head, ...lines] = formatMermaid(edges).split("\n");
      expect(head).toBe("flowchart LR");
      expect(lines).toHaveLength(edges.length);
      for (const line of lines) expect(line).toMatch(LINE);
    }),
  );
});
