/**
 * SQLite's FTS5 behind HTTP: what a search costs a server that holds the pages in a database. `npm run prove:cpu` measures against it.
 *
 *   node bench/fts-server.ts DIR
 *
 * One row a page: path, title, text. A query asks for any of its words, as Treeline's do, for ten pages with a snippet each: in the
 * order of `bm25()`, as most write it, or with `order=rank` as FTS5 does it faster, which makes snippets of what is shown alone.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const SHOWN = 10;
/** Words around a match, as an excerpt of Treeline's has them. */
const SNIPPET_WORDS = 30;
const TITLE_WEIGHT = 4;

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error("usage: node bench/fts-server.ts DIR");
const database = new DatabaseSync(":memory:");
database.exec("CREATE VIRTUAL TABLE pages USING fts5(path UNINDEXED, title, body, tokenize = 'porter unicode61')");
const insert = database.prepare("INSERT INTO pages VALUES (?, ?, ?)");
database.exec("BEGIN");
for (const path of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
  if (!/\.mdx?$/.test(path)) continue;
  const text = readFileSync(join(dir, path), "utf8");
  const [, title = path] = /^title: *["']?(.*?)["']? *$/m.exec(text) ?? /^# +(.+?) *$/m.exec(text) ?? [];
  insert.run(path, title, text.replace(/^---\n[\s\S]*?\n---\n/, ""));
}
database.exec("COMMIT");
const prepare = (score: string, order: string) =>
  database.prepare(
    `SELECT path, title, snippet(pages, 2, '<mark>', '</mark>', '…', ${SNIPPET_WORDS}) AS excerpt, ${score} AS score
     FROM pages WHERE pages MATCH ? ORDER BY ${order} LIMIT ${SHOWN}`,
  );
const byFunction = prepare(`bm25(pages, 0, ${TITLE_WEIGHT}, 1)`, "score");
const byRank = prepare("rank", "rank");

const server = createServer(({ url = "/" }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const words = (searchParams.get("q") ?? "").match(/[\p{L}\p{N}_]+/gu) ?? [];
  const isSearch = pathname === "/search" && words.length > 0;
  const match = words.map((word) => `"${word}"`).join(" OR ");
  const find = searchParams.get("order") === "rank" ? byRank : byFunction;
  const answer = isSearch ? { hits: find.all(match) } : { error: "not found" };
  response.writeHead(isSearch ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(answer));
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
