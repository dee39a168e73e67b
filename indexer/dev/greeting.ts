/**
 * What a person needs to know once the server answers: addresses, and how to connect a client.
 *
 * Pure: facts in, text out.
 */

/** Facts for the greeting. */
export interface GreetingFacts {
  readonly url: string;
  /** The folder as the user wrote it. */
  readonly dir: string;
  readonly documents: number;
  readonly sections: number;
  readonly watching: boolean;
}

/** The greeting. */
export function formatGreeting({ url, dir, documents, sections, watching }: GreetingFacts): string {
  const mcp = `${url}/mcp`;
  const json = JSON.stringify;
  return `
Treeline serves ${documents} documents (${sections} sections) of ${dir}

  MCP      ${mcp}
  Search   ${url}/search?q=install
  Status   ${url}/status

Connect a client
  Claude Code   claude mcp add --transport http treeline ${mcp}
  Cursor        in .cursor/mcp.json: ${json({ mcpServers: { treeline: { url: mcp } } })}
  VS Code       code --add-mcp '${json({ name: "treeline", type: "http", url: mcp })}'
  Inspector     npx mcp-inspector --cli ${mcp} --transport http --method tools/list

${watching ? "Changes are built as they come. " : ""}Ctrl-C stops.
`;
}
