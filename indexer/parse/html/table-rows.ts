/**
 * Rows of a table in the order in which they are shown. Pure.
 */
import { attributeOf, childrenOf, classesOf, isElement, type PageElement } from "./page-tree.ts";
import { isSkipped, type Regions } from "./regions.ts";

/** A row with its cells, or a caption. */
export interface TableRow {
  readonly cells: readonly PageElement[];
  readonly caption?: PageElement;
}

const GROUPS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);

/** Whether a table shows code beside line numbers. */
export function isCodeTable(table: PageElement): boolean {
  return classesOf(table).some((name) =>
    /^(?:highlighttable|rouge-table|lntable|hljs-ln|crayon-table|code-table)$/.test(name),
  );
}

/** Rows of a table; those of tables in its cells belong to the cells. */
export function readRows(table: PageElement, regions: Regions): TableRow[] {
  const rows: TableRow[] = [];
  const shown = (element: PageElement): PageElement[] =>
    childrenOf(element).filter((child): child is PageElement => isElement(child) && !isSkipped(regions.of(child)));
  const visit = (element: PageElement): void => {
    for (const child of shown(element)) {
      const { tagName } = child;
      if (GROUPS.has(tagName)) visit(child);
      else if (tagName === "tr") rows.push({ cells: shown(child).filter((cell) => /^t[dh]$/.test(cell.tagName)) });
      else if (tagName === "caption") rows.unshift({ cells: [], caption: child });
    }
  };
  visit(table);
  return rows;
}

/** Columns of a table that cells are put into by their spans, and rows that one cell reaches down. */
const MAX_COLUMNS = 50;
const MAX_SPANNED_ROWS = 200;

/**
 * Where the cells of a table stand; the further columns and rows that a cell spans are left free.
 *
 * One for a table; `place` is called for each row in order.
 */
export class TableGrid {
  /** By column, rows below that a cell above reaches into. */
  readonly #reached: number[] = [];

  /** Columns of a row: a cell, or undefined where one spans. */
  place(cells: readonly PageElement[]): (PageElement | undefined)[] {
    const row: (PageElement | undefined)[] = [];
    const skipReached = (): void => {
      while ((this.#reached[row.length] ?? 0) > 0) {
        (this.#reached[row.length] as number)--;
        row.push(undefined);
      }
    };
    for (const cell of cells) {
      skipReached();
      const columns = Math.max(1, Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - row.length));
      const rows = Math.min(spanOf(cell, "rowspan"), MAX_SPANNED_ROWS) - 1;
      for (let at = 0; at < columns; at++) {
        if (row.length < MAX_COLUMNS) this.#reached[row.length] = rows;
        row.push(at === 0 ? cell : undefined);
      }
    }
    skipReached();
    return row;
  }
}

/** Cells that an element spans, at least 1. */
function spanOf(cell: PageElement, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? "", 10);
  return span > 0 ? span : 1;
}
