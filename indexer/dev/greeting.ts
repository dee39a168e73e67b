/**
 * What a person needs to know once the server answers: addresses, and how to connect a client.
 *
 * Pure: facts in, text out.
 */

import { toPrintable } from "../printable.ts";

/** Facts for the greeting. */
export interface GreetingFacts {
  readonly url: string;
  /** The folder as the user wrote it. */
  readonly dir: string;
  readonly documents: number;
  readonly sections: number;
  readonly watching: boolean;
  /** Collections that only keys open: those that are not public, or all where the deployment is private. */
  readonly closed: readonly string[];
}

/** Where a client's key stands, so that none is written into a configuration. */
const KEY_HEADER = "Authorization: Bearer $TREELINE_KEY";

/** The greeting. */
export function formatGreeting({ url, dir, documents, sections, watching, closed }: GreetingFacts): string {
  const mcp = `${url}/mcp`;
  const json = JSON.stringify;
  return `
Treeline serves ${documents} documents (${sections} sections) of ${dir}
${closed.length === 0 ? "" : describeClosed(closed)}
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

function describeClosed(closed: readonly string[]): string {
  const names = closed.map(toPrintable).join(", ");
  return `
Nobody sees ${names} without a key, this machine neither: treeline keys add NAME --index DIR makes one,
--access DIR/access.json lets it in, and clients send it (claude mcp add … --header "${KEY_HEADER}").
`;
}
