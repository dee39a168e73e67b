/**
 * Tool `map`: folders with their files, of a folder its files with what they export or are about.
 */
import { answerInParts } from "../../surface/render/parts.ts";
import { defineTool } from "../tool.ts";

export const mapTool = defineTool({
  name: "map",
  title: "Map",
  description: "Folders and how many files; of a folder its files with exports or headings.",
  parameters: {
    path: { kind: "text", description: "folder" },
  },
  isSparing: true,
  example: { path: "src" },
  isKept: true,
  async run() {
    return answerInParts([]);
  },
});
