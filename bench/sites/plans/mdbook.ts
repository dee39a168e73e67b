/** mdBook: The Rust Programming Language, as Debian built it. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";

/** The site. */
export const mdbook: Site = {
  name: "mdbook",
  about: "mdBook, as built",
  pages: { debian: ["rust-doc"] },
  lineInHtml: true,
  async write(source, folder) {
    // Links lead to scripts of other packages.
    const book = join(source, "usr/share/doc/rust-doc/html/book");
    await cp(book, join(folder, "html"), { recursive: true, filter: async (path) => !(await isLink(path)) });
  },
  output: "html",
  base: "/",
  visit: {
    start: "ch00-00-introduction.html",
    query: "borrow checker",
    page: "ch10-03-lifetime-syntax.html",
    dark: ["#theme-toggle", "#navy"],
  },
};

async function isLink(path: string): Promise<boolean> {
  const { lstat } = await import("node:fs/promises");
  return (await lstat(path)).isSymbolicLink();
}
