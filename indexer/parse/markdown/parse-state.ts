/**
 * State that our rules share in one parse. Tokens that they add are `tags` for lines of tags, `tag` for one within a line, with `meta`,
 * and `shown_text` for what is shown though it is no Markdown, or too complex for it.
 */

/** Kind of text: Markdown and MDX as authors write them, and the Markdown that is made of a page of a built site. */
export type Dialect = "markdown" | "mdx" | "site";

/** State of one file's parse. markdown-it adds `references` to it. */
export type ParseEnvironment = ReturnType<typeof openParseEnvironment>;

export function openParseEnvironment(dialect: Dialect) {
  return {
    dialect,
    /** In MDX every tag is a component, braces are expressions and indented code does not exist. */
    isMdx: dialect === "mdx",
    /** Labels of the footnotes that the file defines. */
    footnotes: new Set<string>(),
    budget: openScanBudget(),
    /** Offset of the end of the components or the footnote that are open; in them, indentation makes no code. */
    noCodeUntil: 0,
    /** How deep the parse of inline content is inside image descriptions. */
    inlineDepth: 0,
  };
}

/** More unclosed constructs than this in one file, and the rest of them stay text. */
const MAX_FAILED_SCANS = 64;

export interface ScanBudget {
  failuresLeft: number;
}

export function openScanBudget(): ScanBudget {
  return { failuresLeft: MAX_FAILED_SCANS };
}

/** Offset of `needle` between `from` and `limit`, or -1. A failure costs one from the budget. */
export function findWithin(text: string, needle: string, from: number, limit: number, budget: ScanBudget): number {
  if (budget.failuresLeft <= 0) return -1;
  const at = text.indexOf(needle, from);
  if (at >= 0 && at + needle.length <= limit) return at;
  budget.failuresLeft--;
  return -1;
}
