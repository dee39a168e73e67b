import { describe, expect, it } from "vitest";
import { formatGreeting } from "../../../../indexer/cli/dev/dev.ts";
import { listClientGuides } from "../../../../src/surface/render/connect.ts";

const ORIGIN = "http://127.0.0.1:8787";
type GreetingFacts = Parameters<typeof formatGreeting>[0];

const OPEN: GreetingFacts = {
  url: ORIGIN,
  dir: "docs",
  documents: 12,
  sections: 80,
  watching: true,
  isPrivate: false,
  closed: [],
};
const PRIVATE: GreetingFacts = { ...OPEN, isPrivate: true, closed: ["docs"] };

/** What the greeting says behind the name of a client. */
function lineOf(greeting: string, client: string): string {
  const line = greeting.split("\n").find((one) => one.startsWith(`  ${client} `));
  if (line === undefined) throw new Error(`nothing about ${client}`);
  return line.slice(client.length + 2).trim();
}

describe("formatGreeting", () => {
  it("names the address and how to connect four kinds of clients", () => {
    const greeting = formatGreeting(OPEN);
    for (const line of [
      "Treeline serves 12 documents (80 sections) of docs",
      "http://127.0.0.1:8787/mcp",
      "claude mcp add --transport http treeline http://127.0.0.1:8787/mcp\n",
      '{"mcpServers":{"treeline":{"url":"http://127.0.0.1:8787/mcp"}}}\n',
      '{"servers":{"treeline":{"type":"http","url":"http://127.0.0.1:8787/mcp"}}}\n',
      "npx -y @modelcontextprotocol/inspector --cli http://127.0.0.1:8787/mcp --transport http",
      "Changes are built as they come.",
    ]) {
      expect(greeting).toContain(line);
    }
    expect(greeting).not.toMatch(/key|Authorization/i);
  });

  it("leads people to the explorer, which a browser without a key sees nothing of where all need one", () => {
    const line = `\nExplore it in a browser at ${ORIGIN}/\nA search box for a page: <script type="module" src="${ORIGIN}/search.js"></script>\n`;
    expect(formatGreeting(OPEN)).toContain(line);
    expect(formatGreeting({ ...OPEN, closed: ["plans"] })).toContain(line);
    expect(formatGreeting(PRIVATE)).not.toContain("browser");
  });

  it.each([OPEN, PRIVATE])("says what a server that is as private says ($isPrivate)", (facts) => {
    const greeting = formatGreeting(facts);
    for (const { id, client, language, snippet } of listClientGuides({ origin: ORIGIN, needsKey: facts.isPrivate })) {
      if (!["claude-code", "cursor", "vs-code", "inspector"].includes(id)) continue;
      const line = lineOf(greeting, client);
      if (language === "json") expect(JSON.parse(line.slice(line.indexOf("{")))).toEqual(JSON.parse(snippet));
      else expect(line).toBe(snippet);
    }
  });

  it("has every command and file send the key where nobody is answered without one", () => {
    const greeting = formatGreeting(PRIVATE);
    expect(lineOf(greeting, "Claude Code")).toContain('--header "Authorization: Bearer $TREELINE_KEY"');
    expect(lineOf(greeting, "MCP inspector")).toContain('--header "Authorization: Bearer $TREELINE_KEY"');
    for (const client of ["Cursor", "VS Code"])
      expect(lineOf(greeting, client)).toContain('"Authorization":"Bearer ${');
  });

  it("says which collections need a key where others need none", () => {
    const greeting = formatGreeting({ ...OPEN, closed: ["plans", "a\u001b[31m"] });
    expect(greeting).toContain("Nobody sees plans, a");
    expect(greeting).not.toContain("\u001b");
    expect(lineOf(greeting, "Claude Code")).not.toContain("--header");
  });
});
