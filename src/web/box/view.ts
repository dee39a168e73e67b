/** Draws the state of a question: rows, chips, why there are none, and what is read out of it. */
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import type { ClientProblem, SuggestedPage } from "../client/search-client.ts";
import type { AnswerRows } from "./answer-rows.ts";
import { type Choice, isApple } from "./keyboard.ts";
import { cleanText, drawIcon, ICONS, isolate, make, type Settings } from "./make.ts";
import { chosenOf, type QuestionState, type Shown } from "./question-state.ts";
import { count, fill, type Strings } from "./strings.ts";

/** Screen readers hear how many there are when typing has paused. */
const ANNOUNCE_MS = 700;

/** What is drawn with, and what buttons and rows in it do. */
interface ViewHost {
  strings(): Strings;
  settings(): Settings;
  /** Draws rows; there before the first answer is. */
  rows(): AnswerRows | undefined;
  recent(): readonly string[];
  /** Pages to begin with; undefined where they are not known yet. */
  home(): readonly SuggestedPage[] | undefined;
  search(query: string): void;
  /** Forget a recent search, or all where none is named. */
  forget(query?: string): void;
  more(): void;
  again(): void;
  unfilter(): void;
  toggle(key: string, value: string): void;
}

export function createView(frame: Frame, choice: Choice, host: ViewHost) {
  const { list, note, message } = frame;
  let announcing = 0;
  /** The answer whose rows the list has; null where it has recent searches. And the row behind them. */
  let drawn: Shown | null | undefined;
  let moreRow: HTMLElement | undefined;

  const draw = (state: QuestionState, before?: QuestionState): void => {
    const focused = readFocus();
    const isNew = (...names: readonly (keyof QuestionState)[]): boolean =>
      before === undefined || names.some((name) => state[name] !== before[name]);
    frame.dialog.toggleAttribute("data-busy", state.asking !== undefined);
    list.setAttribute("aria-busy", String(state.asking !== undefined));
    // Pages that are still to come have their room.
    const { isBrief, nextOffset } = state.shown?.found ?? {};
    // With pages to begin with, which may still come, it is as high all the time: nothing in it moves.
    const isHigh = host.home()?.length !== 0 || (isBrief === true && nextOffset !== undefined);
    frame.dialog.toggleAttribute("data-part", isHigh);
    if (isNew("filters", "counts", "wider", "shown")) drawBar(state);
    if (isNew("text", "asking", "shown", "failure", "isSlow", "isCut", "quietUntil", "completing")) {
      if (state.text !== "") drawRows(state, before);
      else if (isNew("text")) drawRecent(before === undefined ? choice.index() : -1);
      drawMessage(note, listNotes(state));
      drawReason(state);
    }
    if (before !== undefined && isNew("shown", "failure", "isSlow")) announce(state);
    // Who was where something else is now goes on in the field.
    if (focused !== null && readFocus() === null) frame.input.focus();
  };

  const readFocus = (): Element | null => (frame.dialog.getRootNode() as ShadowRoot).activeElement ?? null;

  const drawBar = (state: QuestionState): void => {
    const chips = host.rows()?.drawChips(frame.chips, state, ({ key, value }) => host.toggle(key, value)) ?? 0;
    const total = state.shown?.found.total ?? 0;
    // Rows do not move down below a finger: chips that come after them have the room of one line.
    frame.bar.toggleAttribute("data-late", state.isLate);
    frame.bar.hidden = total + chips === 0;
    frame.total.textContent = total === 0 ? "" : count(host.strings().found, total, host.settings().language);
  };

  /** The rows of what is shown: all anew, further ones below, or those that are there. */
  const drawRows = (state: QuestionState, before: QuestionState | undefined): void => {
    const isAnew = before === undefined;
    const { shown } = state;
    const isLonger = shown !== drawn && (shown?.question.offset ?? 0) > 0;
    const isOther = isAnew || (shown !== drawn && !isLonger);
    // The rest of an answer: further rows below those of each page, which stay as they are, or titles that come near.
    const isCompleted = isOther && shown !== undefined && shown.question === drawn?.question;
    const { scrollTop } = list;
    let chosen = choice.index();
    const place = placeOf(choice.current());
    moreRow?.remove();
    if (isOther) {
      clearList();
      // Titles that come near were not asked for: none is chosen by itself.
      if (!isAnew && !isCompleted) chosen = (shown && host.rows()?.first(shown.found)) ?? 0;
    } else if (isLonger) chosen = choice.options().length;
    if (shown !== undefined && (isOther || isLonger)) drawShown(shown, isOther ? 0 : (drawn?.found.pages.length ?? 0));
    drawMore(state);
    if (isCompleted && chosen >= 0) chosen = findPlace(place);
    choice.choose(chosen, isLonger);
    if (isOther) list.scrollTop = isAnew || isCompleted ? scrollTop : 0;
    drawn = shown;
  };

  const drawShown = ({ found, near = [] }: Shown, from: number): void => {
    host.rows()?.append(found.pages.slice(from), found);
    host.rows()?.appendPlaces(host.strings().didYouMean, near, found.query);
  };

  /** Which row of which group an option is; undefined for the row behind the groups. */
  const placeOf = (option: HTMLElement | undefined): readonly [group: number, row: number] | undefined => {
    const group = option?.parentElement;
    return option === undefined || group == null || group === list
      ? undefined
      : [[...list.children].indexOf(group), [...group.children].indexOf(option)];
  };

  /** Index of the option in a place, of the last one where there is no place. */
  const findPlace = (place: readonly [group: number, row: number] | undefined): number => {
    const options = choice.options();
    const row = place === undefined ? options.at(-1) : list.children[place[0]]?.children[place[1]];
    return options.indexOf(row as HTMLElement);
  };

  const drawRecent = (chosen: number): void => {
    drawn = null;
    clearList();
    drawHome(frame, host.recent(), host.strings(), host);
    host.rows()?.appendHome(host.home() ?? [], host.strings());
    choice.choose(chosen, false);
  };

  const clearList = (): void => {
    frame.head.hidden = true;
    frame.forgets.hidden = true;
    for (const place of [frame.head, frame.forgets, list]) place.replaceChildren();
    frame.body.toggleAttribute("data-recent", false);
  };

  /** The row behind the others: it brings more, says that it does, or why it cannot. */
  const drawMore = (state: QuestionState): void => {
    // What is not whole yet has no more: further rows come in above.
    if (state.shown?.found.nextOffset === undefined || state.completing !== undefined) return;
    const { more, searching, retry } = host.strings();
    const isAsked = (state.asking?.question.offset ?? 0) > 0;
    const why = state.failure === undefined ? [] : [explain(state), ...(mayRetry(state) ? [` ${retry}`] : [])];
    moreRow = drawOption("more", ...(isAsked ? [searching] : why.length > 0 ? why : [more]));
    moreRow.onclick = why.length > 0 ? host.again : host.more;
    list.append(moreRow);
  };

  const explain = ({ failure, quietUntil }: QuestionState): string =>
    failure === undefined ? "" : explainProblem(failure.problem, host.strings(), quietUntil - Date.now());

  const listNotes = ({ text, shown, isCut, isSlow }: QuestionState): readonly (Node | string)[] => {
    if (text === "") return [];
    const strings = host.strings();
    return [
      ...(isCut ? [fill(strings.cut, { n: String(MAX_QUERY_LENGTH) })] : []),
      ...((shown && host.rows()?.notes(shown.found, strings)) ?? []),
      ...(isSlow && shown !== undefined ? [strings.slow] : []),
    ];
  };

  /** Says why there are no rows, where there are none. */
  const drawReason = (state: QuestionState): void => {
    const { text, failure, shown, asking, isSlow } = state;
    const strings = host.strings();
    const retry = { label: strings.retry, run: host.again };
    const unfilter = { label: strings.allResults, run: host.unfilter };
    const say = (lines: readonly (Node | string)[], actions: readonly Action[] = []): void =>
      drawMessage(message, lines, actions);
    if (text === "") say([]);
    else if (shown !== undefined && shown.found.pages.length === 0) {
      const nothing = host.rows()?.nothing(shown.question.query, strings) ?? [];
      say(nothing, Object.values(chosenOf(state)).flat().length > 0 ? [unfilter] : []);
    } else if (shown !== undefined) say([]);
    else if (failure !== undefined) say([explain(state)], mayRetry(state) ? [retry] : []);
    else if (asking !== undefined) say([isSlow ? strings.slow : strings.searching]);
    else say([]);
  };

  const announce = (state: QuestionState): void => {
    const { shown, failure, isSlow } = state;
    const said = [...note.children, ...message.querySelectorAll("p")].map(({ textContent }) => textContent);
    if (shown?.near?.length)
      said.push(`${host.strings().didYouMean}: ${shown.near.map(({ title }) => title).join(", ")}`);
    if (shown !== undefined && failure !== undefined) said.push(explain(state));
    else if (shown !== undefined && shown.found.pages.length > 0 && !isSlow) {
      said.push(count(host.strings().found, shown.found.total, host.settings().language));
    }
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      frame.status.textContent = said.join(" ");
    }, ANNOUNCE_MS);
  };

  return {
    /** Shows a state in place of another one; all anew where none is named, as words and settings may be others. */
    draw,
    silence() {
      clearTimeout(announcing);
      frame.status.textContent = "";
    },
  };
}

function mayRetry({ failure }: QuestionState): boolean {
  return failure !== undefined && failure.problem !== "bad-query";
}

/** Fills an empty frame; nothing where there are none. */
function drawHome(
  frame: Frame,
  recent: readonly string[],
  strings: Strings,
  actions: Pick<ViewHost, "search" | "forget">,
): void {
  if (recent.length === 0) return;
  frame.head.hidden = false;
  frame.head.append(strings.recent, drawAction({ label: strings.forgetAll, run: () => actions.forget() }));
  frame.body.toggleAttribute("data-recent", true);
  frame.forgets.hidden = false;
  for (const query of recent) {
    const text = cleanText(query);
    const option = drawOption("recent", drawIcon(ICONS.recent), isolate(text));
    option.onclick = () => actions.search(query);
    frame.list.append(option);
    const label = fill(strings.forget, { query: text });
    const button = make("button", { type: "button", part: "forget", "aria-label": label }, drawIcon(ICONS.close));
    button.onclick = () => actions.forget(query);
    frame.forgets.append(button);
  }
}

type Frame = ReturnType<typeof makeFrame>;

const LIST_ID = "list";

export function makeFrame() {
  const input = make("input", {
    type: "text",
    part: "input",
    role: "combobox",
    dir: "auto",
    enterkeyhint: "search",
    inputmode: "search",
    autocomplete: "off",
    autocapitalize: "off",
    autocorrect: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-controls": LIST_ID,
    "aria-expanded": "false",
  });
  const close = make("button", { type: "button", part: "close" }, drawIcon(ICONS.close));
  const form = make("form", { part: "form", role: "search" }, drawIcon(ICONS.search), input, close);
  // Not a stop of the Tab key, as browsers make of what scrolls: keys would do nothing there.
  const list = make("div", { part: "list", role: "listbox", id: LIST_ID, tabindex: "-1" });
  // Buttons beside recent searches: an option of a list cannot hold any.
  const forgets = make("div", { part: "forgets" });
  const body = make("div", { part: "body" }, list, forgets);
  const total = make("span", { part: "total" });
  const chips = make("div", { part: "chips", role: "group" });
  // As high with chips as without: these may come later.
  const bar = makeHidden("bar");
  bar.append(total, chips);
  const message = makeHidden("message");
  const footer = makeHidden("footer");
  // One line above the rows: corrections, what was not found, that it takes long.
  const note = makeHidden("note");
  // Above recent searches, and above titles that come near.
  const head = makeHidden("head");
  const status = make("div", { part: "status", role: "status" });
  const dialog = make("dialog", { part: "dialog" }, form, make("div", { part: "progress" }));
  dialog.append(bar, note, message, head, body, footer, status);
  return { dialog, form, input, close, bar, total, chips, note, head, body, list, forgets, message, status, footer };
}

export function labelFrame(frame: Frame, strings: Strings, placeholder: string): void {
  const { dialog, input, close, chips, list, footer } = frame;
  dialog.setAttribute("aria-label", strings.search);
  input.setAttribute("aria-label", strings.search);
  input.placeholder = placeholder;
  close.title = strings.close;
  chips.setAttribute("aria-label", strings.filters);
  list.setAttribute("aria-label", strings.results);
  footer.hidden = false;
  footer.replaceChildren(
    make("span", {}, make("kbd", {}, "↵"), strings.toOpen),
    make("span", {}, make("kbd", {}, "↑"), make("kbd", {}, "↓"), strings.toMove),
    make("span", {}, make("kbd", {}, isApple() ? "⌘D" : "Ctrl D"), strings.favourites.toLocaleLowerCase()),
    make("span", {}, make("kbd", {}, "Esc"), strings.close.toLocaleLowerCase()),
  );
}

function makeHidden(part: string): HTMLElement {
  const place = make("div", { part });
  place.hidden = true;
  return place;
}

const MINUTE_MS = 60_000;

interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** Shows lines of text, and buttons below them; nothing hides the place. */
function drawMessage(place: HTMLElement, lines: readonly (Node | string)[], actions: readonly Action[] = []): void {
  place.hidden = lines.length === 0;
  place.replaceChildren(...lines.map((line) => make("p", {}, line)), ...actions.map(drawAction));
}

function drawAction({ label, run }: Action): HTMLButtonElement {
  const button = make("button", { type: "button", part: "action" }, label);
  button.onclick = run;
  return button;
}

/** What is said of a problem; of any other that the search failed. */
const SAID: Partial<Readonly<Record<ClientProblem, Exclude<keyof Strings, "found">>>> = {
  offline: "offline",
  unreachable: "unreachable",
  slow: "unreachable",
  "too-many": "tooMany",
  "no-index": "noIndex",
  "bad-query": "badQuery",
};

/** Why there is no answer, in words. @param wait Milliseconds until it may be asked again. */
function explainProblem(problem: ClientProblem, strings: Strings, wait: number): string {
  return fill(strings[SAID[problem] ?? "failed"], { n: String(Math.max(1, Math.ceil(wait / MINUTE_MS))) });
}

/** A row that is no link: a recent search, a way to see more. */
function drawOption(part: string, ...children: readonly (Node | string)[]): HTMLElement {
  return make("div", { role: "option", part: `option ${part}` }, ...children);
}
