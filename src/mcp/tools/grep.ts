/**
 * Tool `grep`: for each of several patterns the lines that match, with the symbol or heading that they stand in.
 */
import { answerInParts } from "../../surface/render/parts.ts";
import { defineTool } from "../tool.ts";

export const grepTool = defineTool({
  name: "grep",
  title: "Grep",
  description:
    "Lines that match regular expressions, with the symbol or heading around them in brackets; definitions first. Tests, examples and changelogs are counted, not listed. Whole unless it says 'not complete'.",
  parameters: {
    patterns: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description: "as for rg",
      aliases: ["pattern", "regex", "regexp", "query", "q", "text"],
    },
    path: { kind: "text", description: "folder, file or glob", aliases: ["glob", "folder"] },
    word: { kind: "boolean", default: false, description: "whole words" },
    context: { kind: "integer", default: 0, minimum: 0, maximum: 10, description: "lines after each" },
    names: { kind: "boolean", default: false, description: "only files and symbols" },
    tests: { kind: "boolean", default: false, description: "list these too" },
    limit: { kind: "integer", default: 20, maximum: 200, description: "lines per pattern" },
  },
  isSparing: true,
  pages: true,
  example: { patterns: ["max_tokens"], path: "src" },
  isKept: true,
  quotes: true,
  async run() {
    return answerInParts([]);
  },
});
