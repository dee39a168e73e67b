/**
 * The rows of an answer, where they lead, and what is shown and said above them. No box needs them before it has an answer: they are a file of their own, which is
 * loaded while somebody begins to type.
 */

import type { ExcerptPart } from "../../core/search/answer.ts";
import { shortenText } from "../../core/text/short-text.ts";
import { UNSPACED } from "../../core/text/tokenize.ts";
import { groupRuns, splitCode } from "../../surface/render/text.ts";
import type { Found, FoundPage, FoundSection, SuggestedPage } from "../client/search-client.ts";
import { loadModule } from "../load-module.ts";
import { withTextFragment } from "../text-fragment.ts";
import { isForBrowser } from "./keyboard.ts";
import { cleanText, drawIcon, ICONS, isolate, keepList, make, type Settings, type Store, shareSheet } from "./make.ts";
import { chosenOf, type Filters, type QuestionState, valuesOf } from "./question-state.ts";
import type { Strings } from "./strings.ts";

const MAX_VALUES = 6;

const BETWEEN_HEADINGS = " › ";

/** Name of the event. Cancelled, it leaves the way there to the page. */
const SELECT_EVENT = "treeline-search:select";

/**
 * What answers look like: chips, rows of pages and sections, marks. They come with the rows, so that pages without a search do without;
 * `styles.ts` has the rest.
 */
export const ANSWER_STYLES = `
[part=chips],[part=facet]{display:flex;flex-wrap:wrap;align-items:center;gap:.4em}
[part=bar]{display:flex;gap:1em;padding:.5em 1em;min-height:3.1em;border-block-end:1px solid var(--_line);flex:none}
[part=total]{flex:none;line-height:2.4em;font-size:.8125em;color:var(--_muted)}
[part=chips]{flex:1;min-width:0;gap:.4em 1em;max-height:7.5em;overflow-y:auto}
[data-late]{overflow:auto hidden;scrollbar-width:none}
[data-late] :is([part=chips],[part=facet],[part~=chip]){flex:none;flex-wrap:nowrap;overflow:visible}
[part~=chip-chosen]{background:var(--_tint);border-color:var(--_accent)}
[part~=chip-chosen]::after{content:"×";font-size:1.15em}
[part=facet-name]{font-size:.8125em;color:var(--_muted)}
[part=count]{color:var(--_muted);font-size:.9em}
[part=group]+[part=group]{margin-block-start:.25em;padding-block-start:.25em;border-block-start:1px solid var(--_line)}
[part=head]~[part=group]+[part=group]{border:0;margin:0;padding:0}
[part=list]>[part=head]{padding-inline:.4em}
[part~=section]{margin-inline-start:1.25em}
[part~=section]>svg{width:1.05em}
[part=text]{flex:1;min-width:0;display:grid;gap:.1em}
[part=title]{font-weight:600;line-height:1.4;max-height:4.2em;overflow:hidden}
[part~=section] [part=title]{font-weight:500}
[part=label]{font-size:.75em;font-weight:400;padding:.1em .5em;border:1px solid var(--_line);border-radius:1em;color:var(--_muted)}
[part=path],[part=excerpt]{font-size:.875em;line-height:1.45;color:var(--_muted)}
[part=excerpt]{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
mark{background:var(--_mark);color:inherit;border-radius:.15em}
[part=excerpt] :is(mark,code){color:var(--_text)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.05em .3em;border-radius:.3em;background:color-mix(in srgb,var(--_text) 8%,transparent);box-decoration-break:clone}
[part~=star]{display:grid;place-items:center;width:2.75em;margin:-.5em -.6em -.5em auto;flex:none;color:var(--_muted)}
[part~=star]>svg{opacity:0}
:is([part~=option]:hover,[aria-selected=true],:focus-within)>[part~=star]>svg,[part~=starred]>svg{opacity:1}
[part~=starred]>svg{fill:currentColor}
@media (hover:none){[part~=star]>svg{opacity:1}}
[part~=more]{justify-content:center;font-weight:500}
@media (max-width:40rem){[part=bar]{overflow:auto hidden;align-items:center;min-height:3.7em}[part=bar] :is([part=chips],[part=facet],[part~=chip]){flex:none;flex-wrap:nowrap;overflow:visible}[part~=chip]{min-height:2.5em}}
@media (max-height:20rem){[part=bar]{padding-block:.2em;min-height:0!important}[part~=chip]{min-height:2em!important}}
@media (forced-colors:active){[part~=chip-chosen]{border:2px solid Highlight}mark{background:Mark;color:MarkText}[part=excerpt] mark{color:MarkText}}
`;

/** In scripts without blanks words are pairs of letters, which nobody typed as words. */
const PAIR = new RegExp(`^[${UNSPACED}]+$`, "u");

/** Characters of what was typed that a sentence repeats. */
const MAX_REPEATED = 60;

export type AnswerRows = ReturnType<typeof createRows>;

const readSheet = shareSheet(ANSWER_STYLES);

/** A page or section to go to; of what somebody keeps the id is a colon and the page's path or title. */
type Place = Omit<SuggestedPage, "kind">;

const MAX_STARRED = 20;

function isPlace(one: unknown): one is Place {
  return ["url", "title", "documentId"].every((key) => typeof Object(one)[key] === "string");
}

/** Rows for a list of a box, which takes their styles. */
export function createRows(box: HTMLElement, list: HTMLElement, settings: () => Settings, store: Store) {
  const stars = keepList(store, "favourites", MAX_STARRED, isPlace);
  const toggleStar = (place: Place): void => {
    const before = stars.list() ?? [];
    const others = before.filter(({ url }) => url !== place.url);
    stars.keep(others.length < before.length ? others : [place, ...others]);
  };
  const root = list.getRootNode() as ShadowRoot;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, readSheet()];
  const rows = new WeakMap<Element, Row>();
  const isStarred = ({ url }: Pick<Row, "url">): boolean => stars.list()?.some((one) => one.url === url) === true;
  const drawStar = (option: Element | undefined, row: Row): void => {
    if (option === undefined || row.url === "" || stars.list() === undefined) return;
    const part = isStarred(row) ? "star starred" : "star";
    const label = isStarred(row) ? { role: "img", "aria-label": settings().starred } : {};
    option.querySelector("[part~=star]")?.remove();
    option.append(make("span", { part, ...label }, drawIcon(ICONS.star)));
  };
  const append = (
    pages: readonly FoundPage[],
    found: Pick<Found, "query" | "corrections" | "facetCounts" | "pages">,
    isTold: (page: FoundPage) => boolean,
  ): void => {
    const { isHere, target } = settings();
    const query = [found.query, ...found.corrections.map(({ to }) => to)].join(" ");
    const style = { isHere, target, label: (row: Row) => labelOf(row.page, found) };
    for (const page of pages) {
      const ofPage = listRows(page, isTold(page), query);
      const group = drawGroup(ofPage, style);
      ofPage.forEach((row, at) => {
        const option = group.children[at] as Element;
        rows.set(option, row);
        drawStar(option, row);
      });
      list.append(group);
    }
  };
  /** Pages below a heading, each with its path: a title alone says little. */
  const appendPlaces = (heading: string, places: readonly Place[], query = ""): void => {
    if (places.length === 0) return;
    list.append(make("div", { part: "head", role: "presentation" }, heading));
    const pages = places.map(toPage);
    append(pages, { query, corrections: [], facetCounts: {}, pages }, ({ path }) => path === "");
  };
  return {
    /** Draws pages of an answer below what is there. */
    append: (pages: readonly FoundPage[], found: Found) => append(pages, found, (page) => isToldApart(page, found)),
    appendPlaces,
    appendHome(pages: readonly SuggestedPage[], { favourites, sections }: Strings) {
      appendPlaces(favourites, stars.list() ?? []);
      // Folders of the page's language, where languages have folders.
      const own = pages.filter(({ documentId }) => documentId.split(/[:/]/)[1] === settings().prefer["language"]);
      appendPlaces(sections, own.length > 1 ? own : pages);
    },
    /** Keeps what a row leads to, or lets it go. False for a row of no result. */
    star(option: HTMLElement) {
      const row = rows.get(option);
      if (row === undefined || row.url === "" || stars.list() === undefined) return false;
      const { page, section, url } = row;
      const path = section === undefined ? page.path : page.title;
      toggleStar({ url, title: row.title.map(({ text }) => text).join(""), documentId: `:${path}` });
      drawStar(option, row);
      return true;
    },
    isStarred: (option: HTMLElement) => isStarred(rows.get(option) ?? { url: "" }),
    /** Draws what narrows an answer. Gives how many chips there are. */
    drawChips(place: HTMLElement, state: QuestionState, toggle: (chip: Chip) => void) {
      const chips = listChips(settings().facets, chosenOf(state), state.counts, state.wider);
      drawChips(place, chips, toggle);
      return chips.length;
    },
    /** What is said of an answer above its rows. */
    notes: drawNotes,
    /** What is said where an answer has no pages. */
    nothing: (query: string, strings: Strings) => [drawFilled(strings.nothing, { query }), strings.hint],
    /** Index of the row that is chosen first, by the words that were searched for. */
    first: ({ pages, query, corrections }: Found) =>
      firstChoice(
        pages.slice(0, 1).flatMap((page) => listRows(page)),
        corrections.reduce((text, { from, to }) => text.replaceAll(from, to), query),
      ),
    /**
     * Follows a row that was clicked. Gives false for what is no row of an answer, or leads nowhere.
     *
     * @param leave Called before the page goes anywhere itself; not where the browser opens a tab.
     */
    follow(option: HTMLElement, event: MouseEvent, leave: () => void) {
      const row = rows.get(option);
      const { isHere, target } = settings();
      const address = row && resolveAddress(row.url, document.baseURI, isHere);
      if (row === undefined || address === undefined) return false;
      // The browser opens new tabs and windows, as it does with any link.
      if (event.button !== 0 || isForBrowser(event)) return true;
      // Before anybody hears of it: routers change the address, and the page later.
      const from = location.href;
      const detail = { url: address, page: row.page, section: row.section };
      const how = { bubbles: true, composed: true, cancelable: true };
      const isOurs = box.dispatchEvent(new CustomEvent(SELECT_EVENT, { detail, ...how }));
      if (isOurs && target !== "" && target !== "_self") return true;
      event.preventDefault();
      leave();
      if (isOurs) goTo(address, row.marks, from);
      else markWhereItLeads(address, row.marks, from);
      return true;
    },
  };
}

function toPage({ documentId, title, url }: Place): FoundPage {
  const path = documentId.slice(documentId.indexOf(":") + 1);
  const unknown = { description: "", collection: "", meta: {}, facets: {}, score: 0, sections: [] };
  return { id: documentId, title, url, path, ...unknown };
}

/** What was searched for in place of what was typed, and which words nothing holds. */
function drawNotes(found: Found, strings: Strings): readonly Node[] {
  const { corrections, missingWords } = found;
  const notes: Node[] = [];
  if (corrections.length > 0) {
    const to = corrections.map((word) => word.to).join(", ");
    notes.push(drawFilled(strings.showing, { to, from: corrections.map((word) => word.from).join(", ") }));
  }
  const corrected = new Set(corrections.map((word) => word.from));
  const words = missingWords.filter((word) => !corrected.has(word) && !PAIR.test(word));
  // That a query found nothing is said below, in full.
  const isAll = found.pages.length === 0 && words.length >= found.query.split(/\s+/).length;
  if (words.length > 0 && !isAll) notes.push(drawFilled(strings.missing, { words: words.join(", ") }));
  return notes;
}

function drawFilled(text: string, values: Readonly<Record<string, string>>): Node {
  const sentence = document.createDocumentFragment();
  for (const piece of text.split(/(\{\w+\})/)) {
    const value = values[piece.slice(1, -1)];
    sentence.append(value === undefined ? piece : make("b", {}, isolate(shortenText(cleanText(value), MAX_REPEATED))));
  }
  return sentence;
}

/**
 * Goes to an address as a link of the page does. Routers listen for clicks on links, which those in a shadow root hide from
 * them; one outside is seen. They get the plain address; only where none takes over, the browser gets the one that says what
 * to mark.
 */
function goTo(address: string, marks: Row["marks"], from: string): void {
  const link = make("a", { href: address });
  link.hidden = true;
  document.body.append(link);
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented) markWhereItLeads(address, marks, from);
    else link.href = withTextFragment(address, marks);
  };
  addEventListener("click", onClick);
  link.click();
  removeEventListener("click", onClick);
  link.remove();
}

/** Marks what was found once a page that is changed by script shows it. */
function markWhereItLeads(address: string, marks: Row["marks"], from: string): void {
  const marking = withTextFragment(address, marks);
  if (marking === address) return;
  const mark = async (): Promise<void> => {
    const { markBehind } = await loadModule("./search-mark-when-shown.js", () => import("../marks/mark-when-shown.ts"));
    markBehind(marking, from);
  };
  mark().catch(() => undefined);
}

interface RowStyle {
  readonly isHere: boolean;
  readonly target: string;
  readonly label: (row: Row) => string;
}

function drawGroup(rows: readonly Row[], style: RowStyle): HTMLElement {
  const name = cleanText(rows[0]?.page.title || rows[0]?.page.path || "");
  const group = make("div", { role: "group", part: "group", "aria-label": name });
  group.append(...rows.map((row) => drawRow(row, style)));
  return group;
}

function drawRow(row: Row, { isHere, target, label }: RowStyle): HTMLElement {
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
  const title = make("span", { part: "title" }, isolate(...drawParts(row.title)));
  const badge = kind === "page" ? label(row) : "";
  if (badge !== "") title.append(" ", make("span", { part: "label" }, isolate(cleanText(badge))));
  body.append(title);
  // Who does not see the rows above hears of which page a section is.
  if (kind === "section") body.append(make("span", { part: "page-name" }, isolate(cleanText(row.page.title))));
  if (about !== "") body.append(make("span", { part: "path" }, isolate(about)));
  if (row.excerpt.length > 0) body.append(make("span", { part: "excerpt" }, isolate(...drawExcerpt(row.excerpt))));
  link.append(drawIcon(ICONS[kind]), body);
  return link;
}

/** Words that the excerpts of a page mark: those of the query in other forms, too. */
function listMarked(page: FoundPage): string {
  const parts = page.sections.flatMap(({ excerpt }) => excerpt.filter(({ marked }) => marked));
  return parts.map(({ text }) => (/^[\p{L}\p{N}]+$/u.test(text) ? text : "")).join(" ");
}

function drawExcerpt(parts: Row["excerpt"]): readonly (Node | string)[] {
  return groupRuns(parts, ({ isCode }) => isCode).flatMap((run) =>
    run[0]?.isCode ? make("code", { part: "code" }, ...drawParts(run)) : drawParts(run),
  );
}

function drawParts(parts: readonly ExcerptPart[]): readonly (Node | string)[] {
  return parts.map(({ text, marked }) => (marked ? make("mark", { part: "mark" }, cleanText(text)) : cleanText(text)));
}

interface Chip {
  readonly key: string;
  readonly value: string;
  /** Documents that have it; undefined where no answer says. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
}

/**
 * The chips of an answer, by key in the order given: the most frequent values, in the order of before any was chosen, so that
 * a chip stays under the pointer that pressed it; chosen ones always, whether the answer has them or not. A key that leaves
 * no choice has no chips.
 *
 * @param wider What is known of keys from before values of them were chosen, so that others can be added.
 */
export function listChips(
  keys: readonly string[],
  chosen: Filters,
  counts: QuestionState["counts"],
  wider: QuestionState["wider"],
): readonly Chip[] {
  const all = [...new Set([...keys, ...Object.keys(chosen)])];
  return all.flatMap((key) => {
    const taken = valuesOf(chosen, key);
    const own = counts.get(key);
    const before = taken.length > 0 ? wider.get(key)?.counts : undefined;
    // Counts of other words are kept as unknown: then those of this answer say the order.
    const known = new Map([
      ...(own ?? []),
      ...[...(before ?? [])].map(([value, count]) => [value, count ?? own?.get(value) ?? 0] as const),
    ]);
    const order = [...known].sort(byCount).map(([value]) => value);
    if (taken.length === 0 && order.length < 2) return [];
    const unknown = taken.filter((value) => !order.includes(value));
    const rest = order.filter((value) => !taken.includes(value)).slice(0, Math.max(0, MAX_VALUES - taken.length));
    return [...order.filter((value) => taken.includes(value) || rest.includes(value)), ...unknown].map((value) => {
      const isChosen = taken.includes(value);
      return { key, value, count: own?.get(value) ?? (isChosen ? undefined : before?.get(value)), isChosen };
    });
  });
}

/** Shows chips as buttons that say whether they are pressed, by key. Keeps the focus on the one that has it. */
function drawChips(place: HTMLElement, chips: readonly Chip[], toggle: (chip: Chip) => void): void {
  const focused = [...place.querySelectorAll("button")].find((button) => button.matches(":focus"))?.value;
  place.replaceChildren(
    ...groupRuns(chips, ({ key }) => key).map((ofKey) => {
      const name = cleanText(ofKey[0]?.key ?? "");
      const group = make("div", { part: "facet", role: "group", "aria-label": name });
      group.append(make("span", { part: "facet-name" }, isolate(name)), ...ofKey.map((chip) => drawChip(chip, toggle)));
      return group;
    }),
  );
  [...place.querySelectorAll("button")].find(({ value }) => value === focused)?.focus();
}

function drawChip(chip: Chip, toggle: (chip: Chip) => void): HTMLButtonElement {
  const { key, value, count, isChosen } = chip;
  const button = make("button", {
    type: "button",
    part: isChosen ? "chip chip-chosen" : "chip",
    "aria-pressed": String(isChosen),
    value: `${key}=${value}`,
  });
  button.append(isolate(cleanText(nameOf(chip))));
  if (count !== undefined) button.append(" ", make("span", { part: "count" }, String(count)));
  button.onclick = () => toggle(chip);
  return button;
}

/** A language by its own name, other values as they are. */
function nameOf({ key, value }: Chip): string {
  try {
    return (key === "language" && new Intl.DisplayNames(value, { type: "language" }).of(value)) || value;
  } catch {
    return value;
  }
}

type Counted = readonly [string, number | undefined];

function byCount([a, countA = 0]: Counted, [b, countB = 0]: Counted): number {
  return countB - countA || (a < b ? -1 : 1);
}

/** Where words begin, parts of identifiers do, or letters of scripts without blanks stand. */
const PLACES = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])[\\p{L}\\p{N}]|(?<=[\\p{Ll}\\p{N}])\\p{Lu}|[${UNSPACED}]`, "gu");

interface Row {
  readonly page: FoundPage;
  /** Undefined for the row of the page itself. */
  readonly section: FoundSection | undefined;
  readonly url: string;
  readonly title: readonly ExcerptPart[];
  /** Headings above, without the page's title. */
  readonly above: readonly string[];
  readonly excerpt: ReturnType<typeof splitCode>;
  /** What is to be marked where it leads: words of excerpt and title, or the heading where that alone was found. */
  readonly marks: readonly ExcerptPart[];
}

/**
 * The rows of a page: itself, with what its first part says, then its sections, best first.
 *
 * @param isToldApart False where other pages have its title: its path stands above it then.
 * @param query Its words are marked in titles.
 */
export function listRows(page: FoundPage, isToldApart = true, query = ""): readonly Row[] {
  const top = page.sections.find((section) => isTop(page, section));
  const sections = page.sections.filter((section) => section !== top && section.heading !== "");
  const excerpt = splitCode(top?.excerpt.length ? top.excerpt : describe(page, sections));
  const words = `${query} ${listMarked(page)}`;
  const title = markWords(cleanText(page.title || page.path), words);
  const own: Row = {
    page,
    section: undefined,
    url: page.url || page.sections[0]?.url || "",
    title,
    above: isToldApart ? [] : [page.path],
    excerpt,
    marks: [...excerpt, LINE, ...title],
  };
  return [own, ...sections.map((section) => toRow(page, section, words))];
}

/** Between texts that do not stand side by side. */
const LINE: ExcerptPart = { text: "\n", marked: false };

/**
 * Which row of a page is chosen first: its best section; but the page where its title has all words of the query, or as many as the
 * section's heading, or where that heading is about something else and mentions a word. So the Enter key leads to the heading
 * or text that answers, and not to a side note.
 */
export function firstChoice(rows: readonly Row[], query: string): number {
  const [own, best] = rows;
  if (own === undefined || best === undefined || best.section !== own.page.sections[0]) return 0;
  const asked = wordsOf(query);
  const cover = (title: Row["title"]) => {
    const words = wordsOf(title.map(({ text }) => text).join(""));
    return {
      found: asked.filter((word) => words.some((other) => isAlike(word, other))).length,
      // Short words of a title say nothing of what it is about.
      others: words.filter((word) => word.length > 3 && !asked.some((other) => isAlike(word, other))).length,
    };
  };
  const [inTitle, inHeading] = [cover(own.title), cover(best.title)];
  const isSideNote = inHeading.found > 0 && (inHeading.found <= inHeading.others || inHeading.found <= inTitle.found);
  return inTitle.found === asked.length || isSideNote ? 0 : 1;
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether one begins with the other: forms of a word do, and words that are not typed to their end. */
function isAlike(a: string, b: string): boolean {
  return a.length > 1 && b.length > 1 ? a.startsWith(b) || b.startsWith(a) : a === b;
}

/** What tells pages of several collections, or versions of one, apart; empty where nothing has to be. */
export function labelOf(page: FoundPage, { facetCounts, pages }: Pick<Found, "facetCounts" | "pages">): string {
  const isOneOfSeveral = (key: string): boolean => Object.keys(facetCounts[key] ?? {}).length > 1;
  const isElsewhere = pages.some(({ collection }) => collection !== page.collection);
  const versions = isOneOfSeveral("version") ? (page.facets["version"] ?? []) : [];
  return [...(isElsewhere || isOneOfSeveral("collection") ? [page.collection] : []), ...versions].join(" ");
}

/** Whether no other page of an answer has this one's title and label. */
export function isToldApart(page: FoundPage, found: Pick<Found, "facetCounts" | "pages">): boolean {
  const alike = found.pages.filter(({ title }) => title === page.title);
  return alike.filter((other) => labelOf(other, found) === labelOf(page, found)).length === 1;
}

/**
 * A title in parts, those marked that begin with a word of the query: words, parts of identifiers, and any place in scripts without
 * blanks. Case and accents do not count.
 */
export function markWords(title: string, query: string): readonly ExcerptPart[] {
  const asked = wordsOf(query).sort((a, b) => b.length - a.length);
  const parts: ExcerptPart[] = [];
  let at = 0;
  for (const { index } of title.matchAll(PLACES)) {
    const end = index < at ? undefined : findEnd(title, index, asked);
    if (end === undefined) continue;
    parts.push({ text: title.slice(at, index), marked: false }, { text: title.slice(index, end), marked: true });
    at = end;
  }
  return [...parts, { text: title.slice(at), marked: false }].filter(({ text }) => text !== "");
}

/** Where the longest of the words ends that stands at a place; undefined where none does. */
function findEnd(title: string, from: number, words: readonly string[]): number | undefined {
  const longest = words[0]?.length ?? 0;
  let folded = "";
  let end = from;
  let found: number | undefined;
  // Letters with their accents, one by one.
  for (const [letter] of title.slice(from).matchAll(/.\p{M}*/gsu)) {
    folded += fold(letter);
    end += letter.length;
    if (words.includes(folded)) found = end;
    if (folded.length >= longest) break;
  }
  return found;
}

function isTop(page: FoundPage, { nodeId }: FoundSection): boolean {
  return nodeId === page.id || nodeId === `${page.id}#n0`;
}

function toRow(page: FoundPage, section: FoundSection, words: string): Row {
  const { url, heading, headingPath } = section;
  const last = headingPath.at(-1) === heading ? -1 : undefined;
  const first = headingPath.findIndex((name) => name !== page.title);
  const above = first < 0 ? [] : headingPath.slice(first, last);
  const excerpt = splitCode(section.excerpt);
  const title = markWords(cleanText(heading), words);
  const isMarked = excerpt.some(({ marked }) => marked);
  const marks = isMarked ? [...excerpt, LINE, ...title] : [{ text: heading, marked: true }];
  return { page, section, url: url || page.url, title, above, excerpt, marks };
}

/** A page of which nothing else is shown says what it is about. */
function describe({ description }: FoundPage, sections: readonly FoundSection[]): readonly ExcerptPart[] {
  const isSaid = sections.some(({ excerpt }) => excerpt.length > 0);
  return isSaid || description === "" ? [] : [{ text: description, marked: false }];
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * The address in full, or undefined where it is none that a row may lead to: only those of pages (`http:`, `https:`) and
 * relative ones are.
 *
 * @param base Address of the page that shows the row.
 * @param isHere Keeps path, query and anchor, and takes the site of `base`: for previews of a site elsewhere.
 */
export function resolveAddress(address: string, base: string, isHere = false): string | undefined {
  if (address === "") return undefined;
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return undefined;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  return isHere ? new URL(base).origin + url.pathname + url.search + url.hash : url.href;
}
