import { expect, it } from "vitest";
import { formatGreeting } from "../../../indexer/dev/greeting.ts";

it("the greeting names the address and how to connect four kinds of clients", () => {
  const greeting = formatGreeting({
    url: "http://127.0.0.1:8787",
    dir: "docs",
    documents: 12,
    sections: 80,
    watching: true,
    closed: [],
  });
  for (const line of [
    "Treeline serves 12 documents (80 sections) of docs",
    "http://127.0.0.1:8787/mcp",
    "claude mcp add --transport http treeline http://127.0.0.1:8787/mcp",
    '{"mcpServers":{"treeline":{"url":"http://127.0.0.1:8787/mcp"}}}',
    `code --add-mcp '{"name":"treeline","type":"http","url":"http://127.0.0.1:8787/mcp"}'`,
    "npx mcp-inspector --cli http://127.0.0.1:8787/mcp --transport http",
    "Changes are built as they come.",
  ]) {
    expect(greeting).toContain(line);
  }
});
