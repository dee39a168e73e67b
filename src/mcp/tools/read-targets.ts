/**
 * Tool `read` as agents are offered it: the text of several targets, each a file, lines of it, a section or a symbol.
 */
import { answerInParts } from "../../surface/render/parts.ts";
import { defineTool } from "../tool.ts";

export const readTargetsTool = defineTool({
  name: "read",
  title: "Read",
  description: "Text of targets. Of a bare path a short file whole, else its outline.",
  parameters: {
    targets: {
      kind: "texts",
      required: true,
      maxEntries: 30,
      description:
        "path:10-40, path:10 (the symbol or section around it), path#Symbol, path#heading, Class.member, path",
      aliases: ["target"],
    },
    lines: { kind: "integer", default: 60, maximum: 2000, description: "most per target" },
  },
  isSparing: true,
  readsBodies: () => true,
  example: { targets: ["src/index.ts:10-40"] },
  quotes: true,
  async run() {
    return answerInParts([]);
  },
});
