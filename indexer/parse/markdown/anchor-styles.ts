/**
 * How generators of sites turn the text of a heading into its anchor.
 *
 * Docusaurus, Starlight, Nextra, mdBook, Hugo and Jekyll all follow GitHub's rule, so it is the default. The others are
 * written after the functions that these programs use; `test/indexer/parse/markdown/anchor-styles.test.ts` holds them
 * against a site that is really built, and against what Python-Markdown gave.
 *
 * Pure: text in, text out.
 */
import { slugify } from "../../../src/core/text/names.ts";
import type { AnchorStyle } from "../../config/config.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is dropped.
const CONTROLS = /[\0-\x1f]/g;
const NOT_ASCII = /[^\0-\x7f]/g;
/** What `@mdit-vue/shared` takes for punctuation. */
const VITEPRESS_PUNCTUATION = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/** The anchor of a heading that stands alone on its page; may be empty. */
export function makeAnchor(style: AnchorStyle, title: string): string {
  switch (style) {
    case "github":
      return slugify(title);
    case "mkdocs":
      return slugifyForMkDocs(title);
    case "vitepress":
      return slugifyForVitePress(title);
  }
}

/** `slugify` of `markdown.extensions.toc`: letters that have an ASCII form, and nothing else. */
function slugifyForMkDocs(title: string): string {
  const ascii = title.normalize("NFKD").replace(NOT_ASCII, "");
  return ascii
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-");
}

/** `slugify` of `@mdit-vue/shared`: accents dropped, punctuation to `-`, a digit at the beginning behind `_`. */
function slugifyForVitePress(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(CONTROLS, "")
    .replace(VITEPRESS_PUNCTUATION, "-")
    .replace(/^-|-$/g, "")
    .replace(/^(\d)/, "_$1")
    .toLowerCase();
}
