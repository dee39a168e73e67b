/**
 * Prove on a real tree, through the real server and a real MCP client, that every page is there and usable.
 *
 *   npm run prove:pages -- DIR URL      (URL of a server that serves DIR, such as http://127.0.0.1:8787)
 *
 * Lists the whole catalogue by its cursor and compares it with the Markdown files below DIR, then asks `get_tree` of
 * every page and compares the outline's last line with the file. Ends with 1 when anything is missing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [dir, url] = process.argv.slice(2);
if (dir === undefined || url === undefined) {
  console.error("usage: npm run prove:pages -- DIR URL");
  process.exit(2);
}
const client = new Client({ name: "prove-pages", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));

const listed = new Set<string>();
let cursor: string | undefined;
do {
  const page = await call("list_documents", {
    limit: 20,
    format: "json",
    max_tokens: 6000,
    ...(cursor === undefined ? {} : { cursor }),
  });
  for (const { path } of page.documents as { path: string }[]) listed.add(path);
  cursor = page.nextCursor as string | undefined;
} while (cursor !== undefined);

const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(?:md|mdx|markdown)$/.test(name),
);
const lost = files.filter((name) => !listed.has(name));
let wrong = 0;
for (const name of files) {
  const tree = await call("get_tree", { doc_id: name, format: "json", max_depth: 1 });
  const sections = tree.sections as { subtreeEndLine?: number; endLine?: number }[] | undefined;
  const text = readFileSync(join(dir, name), "utf8");
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const last = sections?.[0]?.subtreeEndLine ?? sections?.[0]?.endLine ?? 0;
  if (last === Math.max(1, lines)) continue;
  wrong++;
  console.log(`${name}: outline ends at line ${last}, the file at ${lines}`);
}
await client.close();
console.log(`${files.length} files, ${listed.size} documents, ${lost.length} lost, ${wrong} with a wrong outline`);
process.exitCode = lost.length + wrong > 0 ? 1 : 0;

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Record<string, unknown>;
}
