/** Plain HTML of DocBook: PostgreSQL's manual, as Debian built it. */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { listFiles, type Site } from "../site.ts";

/** A third of the manual: tutorial, language, commands, configuration, programs. */
const PARTS =
  /^(?:index|tutorial|sql-|sql\.|queries|ddl|dml|datatype|functions|indexes|mvcc|performance|runtime-config|app-|backup|continuous|textsearch|typeconv|explicit-locking|transaction|perf|populate|using-explain|maintenance|routine)/;

/** The site. */
export const postgresql: Site = {
  name: "postgresql",
  about: "DocBook HTML, as built",
  pages: { debian: ["postgresql-doc-15"] },
  lineInHtml: true,
  async write(source, folder) {
    const pages = join(source, "usr/share/doc/postgresql-doc-15/html");
    await mkdir(join(folder, "html"));
    for (const path of await listFiles(pages, ".html", ".css", ".svg")) {
      if (PARTS.test(path) || !path.endsWith(".html")) await cp(join(pages, path), join(folder, "html", path));
    }
  },
  output: "html",
  base: "/",
  visit: { start: "index.html", query: "create table", page: "sql-createtable.html" },
};
