/** mdBook: The Rust Programming Language, as Debian built it, with the stubs of its earlier editions. */
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Site } from "../site.ts";

/** The site. */
export const mdbook: Site = {
  name: "mdbook",
  about: "mdBook, as built",
  pages: { debian: ["rust-doc", "libjs-highlight.js", "fonts-font-awesome"] },
  lineInHtml: true,
  async write(source, folder) {
    const book = join(source, "usr/share/doc/rust-doc/html/book");
    // Some files are links into other packages, of which the site does without some.
    await cp(book, join(folder, "html"), { recursive: true, dereference: true, filter: (path) => existsSync(path) });
  },
  output: "html",
  base: "/",
  visit: {
    start: "ch00-00-introduction.html",
    query: "borrow checker",
    page: "ch10-03-lifetime-syntax.html",
    // As Debian builds it, its own switch stays hidden.
    dark: "system",
  },
};
