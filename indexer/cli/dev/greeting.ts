/**
 * What a person needs to know once the server answers: addresses, and how to connect a client.
 *
 * Pure: facts in, text out.
 */

import { KEY_HEADER, listClientGuides, oneLineSnippet } from "../../../src/render/connect.ts";
import { toPrintable } from "../../base/printable.ts";

/** Facts for the greeting. */
export interface GreetingFacts {
  readonly url: string;
  /** The folder as the user wrote it. */
  readonly dir: string;
  readonly documents: number;
  readonly sections: number;
  readonly watching: boolean;
  /** Whether nobody is answered without a key. */
  readonly isPrivate: boolean;
  /** Collections that only keys open: those that are not public, or all where the deployment is private. */
  readonly closed: readonly string[];
}

/** Guides that are shown, and the file that a snippet belongs into; `/connect` has all of them. */
const SHOWN_GUIDES: readonly (readonly [id: string, file?: string])[] = [
  ["claude-code"],
  ["cursor", ".cursor/mcp.json"],
  ["vs-code", ".vscode/mcp.json"],
  ["inspector"],
];

/** The greeting. */
export function formatGreeting(facts: GreetingFacts): string {
  const { url, dir, documents, sections, watching, closed, isPrivate } = facts;
  return `
Treeline serves ${documents} documents (${sections} sections) of ${dir}
${closed.length === 0 ? "" : describeClosed(facts)}${isPrivate ? "" : `\nExplore it in a browser at ${url}/\nA search box for a page: <script type="module" src="${url}/search.js"></script>\n`}
  MCP      ${url}/mcp
  Search   ${url}/search?q=install
  Status   ${url}/status

Connect a client (more at ${url}/connect)
${describeClients(facts)}

${watching ? "Changes are built as they come. " : ""}Ctrl-C stops.
`;
}

function describeClients({ url, isPrivate }: GreetingFacts): string {
  const guides = listClientGuides({ origin: url, needsKey: isPrivate });
  const shown = SHOWN_GUIDES.flatMap(([id, file]) => {
    const guide = guides.find((one) => one.id === id);
    return guide === undefined ? [] : [{ guide, place: file === undefined ? "" : `in ${file}: ` }];
  });
  const width = Math.max(...shown.map(({ guide }) => guide.client.length));
  return shown
    .map(({ guide, place }) => `  ${guide.client.padEnd(width)}  ${place}${oneLineSnippet(guide)}`)
    .join("\n");
}

function describeClosed({ closed, isPrivate }: GreetingFacts): string {
  const names = closed.map(toPrintable).join(", ");
  return `
Nobody sees ${names} without a key, this machine neither: treeline keys add NAME --index DIR makes one,
--access DIR/access.json lets it in, and clients send it as the header "${KEY_HEADER}"${isPrivate ? ", as below" : ""}.
`;
}
