/**
 * What the rules of one parse share: passed through markdown-it as its environment.
 *
 * Pure types and a constructor; no I/O, no clock.
 */
import { openScanBudget, type ScanBudget } from "./scan-budget.ts";

/** Kind of text: Markdown and MDX as authors write them, and the Markdown that is made of a page of a built site. */
export type Dialect = "markdown" | "mdx" | "site";

/** State of one file's parse. markdown-it adds `references` to it. */
export interface ParseEnvironment {
  readonly dialect: Dialect;
  /** In MDX every tag is a component, braces are expressions and indented code does not exist. */
  readonly isMdx: boolean;
  /** Labels of the footnotes that the file defines. */
  readonly footnotes: Set<string>;
  readonly budget: ScanBudget;
  /** 0-based line before which the indentation of component children has been taken away. */
  alignedUntil: number;
  /** How deep the parse of inline content is inside image descriptions. */
  inlineDepth: number;
  /** 0-based line of the first part that was too complex and became plain text; -1 when there is none. */
  simplifiedLine: number;
}

/** A fresh environment for one file. */
export function openParseEnvironment(dialect: Dialect): ParseEnvironment {
  return {
    dialect,
    isMdx: dialect === "mdx",
    footnotes: new Set(),
    budget: openScanBudget(),
    alignedUntil: 0,
    inlineDepth: 0,
    simplifiedLine: -1,
  };
}
