/** The guides of docs/connecting.md are those that servers give. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listClientGuides } from "../../src/render/connect.ts";
import { projectRoot } from "../support/environment.ts";

const PAGE = readFileSync(join(projectRoot, "docs", "connecting.md"), "utf8");
const ORIGIN = "https://docs.example.com";

const blocks = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));
const guides = [true, false].flatMap((needsKey) => listClientGuides({ origin: ORIGIN, needsKey }));

describe("docs/connecting.md", () => {
  it("has a heading for each client that has a guide of its own", () => {
    for (const { id, client } of guides) {
      if (id !== "mcp-remote" && id !== "stdio") expect(PAGE).toContain(`\n## ${client}\n`);
    }
  });

  it("shows nothing else than what servers say", () => {
    const ofServers = guides.filter(({ language }) => language === "json").map(({ snippet }) => JSON.parse(snippet));
    const lines = guides.filter(({ language }) => language !== "json").map(({ snippet }) => snippet);
    for (const { language, text } of blocks) {
      if (language === "json") expect(ofServers).toContainEqual(JSON.parse(text));
      else if (!text.startsWith("curl"))
        for (const line of text.split("\n\n").flatMap((one) => (language === "sh" ? one.split("\n") : [one])))
          expect(lines).toContain(line);
    }
    expect(PAGE).toContain(`${ORIGIN}/mcp?tools=openai`);
  });
});
