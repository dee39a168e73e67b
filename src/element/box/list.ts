/** Rows as options of a list: links that the text field points at while it keeps the focus. */
import type { ExcerptPart } from "../../core/search/answer.ts";
import { withTextFragment } from "../text-fragment.ts";
import { resolveAddress } from "./address.ts";
import { cleanText, drawIcon, ICONS, isolate, make } from "./make.ts";
import { markWords, type Row } from "./rows.ts";

/** Headings above a section are told apart by this. */
const BETWEEN_HEADINGS = " › ";

/** How rows are drawn. */
export interface RowStyle {
  readonly query: string;
  readonly isHere: boolean;
  /** Where links open; `""` for here. */
  readonly target: string;
  readonly label: (row: Row) => string;
}

/** A page's rows as a group of options. */
export function drawGroup(rows: readonly Row[], style: RowStyle): HTMLElement {
  const group = make("div", { role: "group", part: "group", "aria-label": cleanText(rows[0]?.title ?? "") });
  group.append(...rows.map((row) => drawRow(row, style)));
  return group;
}

function drawRow(row: Row, { query, isHere, target, label }: RowStyle): HTMLElement {
  const address = resolveAddress(row.url, document.baseURI, isHere);
  const kind = row.section === undefined ? "page" : "section";
  const link = make("a", { role: "option", part: `option ${kind}`, tabindex: "-1" });
  if (address !== undefined) {
    link.href = withTextFragment(address, row.marks);
    if (target !== "") {
      link.target = target;
      link.rel = "noopener";
    }
  }
  const body = make("span", { part: "text" });
  const about = row.above.map(cleanText).join(BETWEEN_HEADINGS);
  const title = make(
    "span",
    { part: "title" },
    isolate(...drawParts(markWords(cleanText(row.title), `${query} ${listMarked(row)}`))),
  );
  const badge = kind === "page" ? label(row) : "";
  if (badge !== "") title.append(" ", make("span", { part: "label" }, isolate(cleanText(badge))));
  body.append(title);
  // Who does not see the rows above hears of which page a section is.
  if (kind === "section") body.append(make("span", { part: "page-name" }, isolate(cleanText(row.page.title))));
  if (about !== "") body.append(make("span", { part: "path" }, isolate(about)));
  if (row.excerpt.length > 0) body.append(make("span", { part: "excerpt" }, isolate(...drawParts(row.excerpt))));
  link.append(drawIcon(ICONS[kind]), body);
  return link;
}

/** Words that the excerpts of a page mark: those of the query in other forms, too. */
function listMarked({ page }: Row): string {
  const parts = page.sections.flatMap(({ excerpt }) => excerpt.filter(({ marked }) => marked));
  return parts.map(({ text }) => (/^[\p{L}\p{N}]+$/u.test(text) ? text : "")).join(" ");
}

function drawParts(parts: readonly ExcerptPart[]): readonly (Node | string)[] {
  return parts.map(({ text, marked }) => (marked ? make("mark", { part: "mark" }, cleanText(text)) : cleanText(text)));
}
