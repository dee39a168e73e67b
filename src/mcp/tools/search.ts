/**
 * Tool `search`: for each of several needs the passages that answer it, then lines that name further ones.
 */
import { answerInParts } from "../../surface/render/parts.ts";
import { defineTool } from "../tool.ts";

export const searchTool = defineTool({
  name: "search",
  title: "Search",
  description:
    "Passages of docs and code that answer each question or set of words, best first. Ask all in one call. Docs can be out of date: check defaults in code.",
  parameters: {
    queries: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description: "other wordings of one need behind |",
      aliases: ["query", "q", "question", "questions", "text"],
    },
    in: { kind: "choice", values: ["all", "docs", "code"], default: "all", description: "where" },
    path: { kind: "text", description: "folder or glob" },
    passages: { kind: "integer", maximum: 10, description: "per query" },
  },
  isSparing: true,
  example: { queries: ["install on linux"] },
  isKept: true,
  quotes: true,
  async run() {
    return answerInParts([]);
  },
});
