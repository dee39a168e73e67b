/**
 * Tool `inspect` as agents are offered it: what each of several symbols is, who uses it and where the docs name it.
 */
import { answerInParts } from "../../surface/render/parts.ts";
import { defineTool } from "../tool.ts";

export const inspectSymbolsTool = defineTool({
  name: "inspect",
  title: "Inspect",
  description:
    "Symbols: place, signature, value; who calls, implements, imports or types it (function and line); docs that name it. Tests are counted. Whole unless it says 'not complete'. For a rename: imports, calls, types, docs.",
  parameters: {
    symbols: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description: "Name, Class.member or path#Name; with a role only that: 'tryN calls', 'Shape implements'",
      aliases: ["names"],
    },
    tests: { kind: "boolean", default: false, description: "list tests too" },
  },
  isSparing: true,
  example: { symbols: ["Store.open"] },
  isKept: true,
  quotes: true,
  async run() {
    return answerInParts([]);
  },
});
