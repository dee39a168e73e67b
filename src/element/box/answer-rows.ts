/**
 * The rows of an answer, where they lead, and what is shown and said above them. No box needs them before it has an answer: they are a file of their own, which is
 * loaded while somebody begins to type.
 */
import type { Found, FoundPage, SuggestedPage } from "../client/search-client.ts";
import { resolveAddress } from "./address.ts";
import { drawFilled, drawNotes } from "./answer-notes.ts";
import { ANSWER_STYLES } from "./answer-styles.ts";
import { type Chip, drawChips, listChips } from "./chips.ts";
import { announceChoice, goTo, markWhereItLeads } from "./follow.ts";
import { isForBrowser } from "./keyboard.ts";
import { drawGroup } from "./list.ts";
import type { QuestionState } from "./question-state.ts";
import { firstChoice, isToldApart, labelOf, listRows, type Row } from "./rows.ts";
import type { Settings } from "./settings.ts";
import { shareSheet } from "./sheet.ts";
import type { Strings } from "./strings.ts";

/** The rows of one list. */
export interface AnswerRows {
  /** Draw pages of an answer below what is there. */
  append(pages: readonly FoundPage[], found: Found): void;
  /** Draw titles that come near to what was typed below what is there. */
  appendNear(near: readonly SuggestedPage[], found: Found): void;
  /** Draw what narrows an answer. Gives how many chips there are. */
  drawChips(place: HTMLElement, state: QuestionState, toggle: (chip: Chip) => void): number;
  /** What is said of an answer above its rows. */
  notes(found: Found, strings: Strings): readonly Node[];
  /** What is said where an answer has no pages. */
  nothing(query: string, strings: Strings): readonly (Node | string)[];
  /** Index of the row that is chosen first. */
  first(pages: readonly FoundPage[], query: string): number;
  /**
   * Follow a row that was clicked. Gives false for what is no row of an answer, or leads nowhere.
   *
   * @param leave Called before the page goes anywhere itself; not where the browser opens a tab.
   */
  follow(option: HTMLElement, event: MouseEvent, leave: () => void): boolean;
}

/** For the rows of all boxes of a page. */
const readSheet = shareSheet(ANSWER_STYLES);

/** Rows for a list of a box, which takes their styles. */
export function createRows(box: HTMLElement, list: HTMLElement, settings: () => Settings): AnswerRows {
  const root = list.getRootNode() as ShadowRoot;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, readSheet()];
  const rows = new WeakMap<Element, Row>();
  const append = (pages: readonly FoundPage[], found: Found, isTold: (page: FoundPage) => boolean): void => {
    const { isHere, target } = settings();
    const query = [found.query, ...found.corrections.map(({ to }) => to)].join(" ");
    const style = { query, isHere, target, label: (row: Row) => labelOf(row.page, found) };
    for (const page of pages) {
      const ofPage = listRows(page, isTold(page));
      const group = drawGroup(ofPage, style);
      ofPage.forEach((row, at) => {
        rows.set(group.children[at] as Element, row);
      });
      list.append(group);
    }
  };
  return {
    append: (pages, found) => append(pages, found, (page) => isToldApart(page, found)),
    // A title alone says little: its path stands above it.
    appendNear: (near, found) => append(near.map(toPage), found, () => false),
    drawChips(place, { filters, counts, wider }, toggle) {
      const chips = listChips(settings().facets, filters, counts, wider);
      drawChips(place, chips, toggle);
      return chips.length;
    },
    notes: drawNotes,
    nothing: (query, strings) => [drawFilled(strings.nothing, { query }), strings.hint],
    first: (pages, query) =>
      firstChoice(
        pages.slice(0, 1).flatMap((page) => listRows(page)),
        query,
      ),
    follow(option, event, leave) {
      const row = rows.get(option);
      const { isHere, target } = settings();
      const address = row && resolveAddress(row.url, document.baseURI, isHere);
      if (row === undefined || address === undefined) return false;
      // The browser opens new tabs and windows, as it does with any link.
      if (event.button !== 0 || isForBrowser(event)) return true;
      const isOurs = announceChoice(box, { url: address, page: row.page, section: row.section });
      if (isOurs && target !== "" && target !== "_self") return true;
      event.preventDefault();
      leave();
      if (isOurs) goTo(address, row);
      else markWhereItLeads(address, row.marks);
      return true;
    },
  };
}

/** A page of which the title is all that is known. */
function toPage({ documentId, title, url }: SuggestedPage): FoundPage {
  const path = documentId.slice(documentId.indexOf(":") + 1);
  const unknown = { description: "", collection: "", meta: {}, facets: {}, score: 0, sections: [] };
  return { id: documentId, title, url, path, ...unknown };
}
