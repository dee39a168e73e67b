/** The dialog at work: what happens in it changes the state of the question, and whoever asks, draws or waits follows that state. */
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import { cutText } from "../../core/text/short-text.ts";
import { noAnswer, type SearchClient, type SuggestedPage } from "../client/search-client.ts";
import { keepSuccess, loadModule } from "../load-module.ts";
import type { AnswerRows } from "./answer-rows.ts";
import { createAsker } from "./asker.ts";
import { type Choice, createChoice, isApple, isCommandKey, isForBrowser, moveChoice } from "./keyboard.ts";
import { keepList, type Settings, type Store } from "./make.ts";
import {
  again,
  answered,
  chosenOf,
  closed,
  counted,
  entered,
  type Filters,
  failed,
  filtered,
  led,
  moved,
  nearFound,
  pointed,
  type QuestionState,
  START,
  slow,
  toggleValue,
  typed,
  valuesOf,
  wantMore,
} from "./question-state.ts";
import type { Strings } from "./strings.ts";
import { createView, labelFrame, makeFrame } from "./view.ts";

let holders = 0;

/** What the page itself says, from before the first of them. */
let before: readonly [string, string] = ["", ""];

/** The keyboard on the screen comes and goes, and what is seen of the page moves beside it. */
const ROOM_EVENTS = ["resize", "scroll"] as const;

/** Lists longer than this are not looked through. */
const MAX_RECENT = 8;

/** Longer ones were pasted, not searched for. */
const MAX_LENGTH = 200;

const SECOND_MS = 1_000;

interface PanelHost {
  readonly element: HTMLElement;
  client(): SearchClient;
  /** Address of what answers; `""` where the page itself does. */
  source(): string;
  strings(): Strings;
  settings(): Settings;
}

export function createPanel(host: PanelHost) {
  const frame = makeFrame();
  const { dialog, input, list } = frame;
  const choice = createChoice(input, list);
  let waiting = new AbortController();
  let preferred = host.settings().prefer;
  const store = { open: () => localStorage, source: () => host.source() };
  const recent = recentOf(store);
  let state = START;
  let rows: AnswerRows | undefined;
  const loadRows = keepSuccess(async () => {
    const { createRows } = await loadModule("./search-answer-rows.js", () => import("./answer-rows.ts")).catch(
      (cause: unknown) => {
        throw noAnswer("the rows cannot be loaded", cause);
      },
    );
    rows = createRows(host.element, list, host.settings, store);
  });
  let home: readonly SuggestedPage[] | undefined;
  let homeOf: SearchClient | undefined;

  const view = createView(frame, choice, {
    strings: () => host.strings(),
    settings: () => host.settings(),
    rows: () => rows,
    recent: recent.list,
    home: () => home,
    search(query) {
      input.value = query;
      readInput(true);
    },
    forget,
    more: () => change(wantMore(state, Date.now())),
    again: askAgain,
    toggle(key, value) {
      // That pages of all are wanted is a choice, too, where those of one are preferred.
      filter({ ...state.filters, [key]: valuesOf(toggleValue(chosenOf(state), key, value), key) });
    },
    unfilter: () => filter(Object.fromEntries(Object.keys(host.settings().prefer).map((key) => [key, []]))),
  });
  const asker = createAsker({
    async search(query, options) {
      const { filters = {} } = options ?? {};
      const isFree = ([key]: readonly [string, unknown]): boolean => !Object.hasOwn(filters, key);
      const prefer = Object.fromEntries(Object.entries(host.settings().prefer).filter(isFree));
      const chosen = Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0));
      const asked = { ...options, filters: chosen, prefer };
      const [found] = await Promise.all([host.client().search(query, asked), loadRows()]);
      return found;
    },
    suggest: (query, options) => host.client().suggest(query, options),
    onSlow: () => change(slow(state)),
    onFound(found, question) {
      const { following } = state;
      change(answered(state, found, question));
      void found.laterCounts?.then((counts) => change(counted(state, counts, question)));
      if (following === undefined) return;
      change(led(state));
      lead(following === "tab");
    },
    onNear: (near, question) => change(nearFound(state, near, question)),
    onFailure: (failure, question) => change(failed(state, failure, question, Date.now())),
  });
  const life = createLife(dialog, () => {
    change(closed(state));
    view.silence();
  });

  function change(next: QuestionState): void {
    const before = state;
    state = next;
    if (next === before) return;
    view.draw(next, before);
    if (next.failure !== before.failure) planRetry(next);
    if (next.asking === before.asking && next.completing === before.completing) return;
    if (next.asking !== undefined) asker.ask(next.asking.question, next.asking.isNow);
    else if (next.completing === undefined) asker.stop();
    else if (next.shown?.found.pages.length === 0) asker.askNear(next.completing);
    else asker.askWhole(next.completing);
  }

  /** What the browser could not reach is asked again once it is online. */
  function planRetry({ failure }: QuestionState): void {
    waiting.abort();
    waiting = new AbortController();
    if (failure?.problem !== "offline" && failure?.problem !== "unreachable") return;
    // Browsers say that they are online when they have begun to be: what is asked at once may fail once more.
    const askSoon = (): void => void setTimeout(() => state.failure === failure && askAgain(), SECOND_MS);
    addEventListener("online", askSoon, { once: true, signal: waiting.signal });
  }

  function askAgain(): void {
    change(again(state, Date.now()));
  }

  function filter(filters: Filters): void {
    change(filtered(state, filters, host.settings().collections, Date.now()));
  }

  function readInput(isNow: boolean): void {
    const text = cutText(input.value, MAX_QUERY_LENGTH);
    const isCut = text !== input.value || (state.isCut && text.trim() === state.text);
    if (isCut) input.value = text;
    change(typed(state, { text, isCut, isNow, collections: host.settings().collections }, Date.now()));
  }

  function forget(query?: string): void {
    recent.drop(query);
    view.draw(state);
    input.focus();
  }

  function onEnter(event: KeyboardEvent): void {
    // Where fingers type, the key of the keyboard on the screen means "search": results are behind it. Machines with a keyboard
    // and no mouse have no hover either, and no pointer at all.
    if (!state.isMoved && matchMedia("(hover: none) and (pointer: coarse)").matches) {
      asker.hurry();
      input.blur();
      return;
    }
    const isForTab = isForBrowser(event);
    change(entered(state, isForTab));
    if (state.following === undefined) lead(isForTab);
    else asker.hurry();
  }

  function lead(isForTab: boolean): void {
    const option = choice.current();
    if (isForTab && option instanceof HTMLAnchorElement) {
      if (option.href === "") return;
      remember();
      open(option.href, "_blank", "noopener");
    } else option?.click();
  }

  function remember(): void {
    // What found nothing is not searched for again.
    if (state.shown !== undefined && state.shown.found.pages.length > 0) recent.add(state.shown.question.query);
  }

  function star(option: HTMLElement | undefined): void {
    if (option === undefined || rows?.star(option) !== true || state.text !== "") return;
    const at = choice.index();
    view.draw(state);
    choice.choose(Math.min(at, choice.options().length - 1));
  }

  function onClick(option: HTMLElement, event: MouseEvent): void {
    if ((event.target as Element).closest("[part~=star]") !== null) {
      event.preventDefault();
      star(option);
      return;
    }
    if (rows?.follow(option, event, life.close)) remember();
    else input.focus();
  }

  watchDialog(frame, choice, {
    dismissed: () => life.close(),
    typed: () => readInput(false),
    pointed: () => change(pointed(state)),
    moved: () => change(moved(state)),
    entered: onEnter,
    clicked: onClick,
    starred: () => star(choice.current()),
    forgot(at) {
      const option = choice.current();
      const query = frame.body.hasAttribute("data-recent") ? recent.list()[at] : undefined;
      if (query === undefined) {
        if (option !== undefined && rows?.isStarred(option) === true) star(option);
        return;
      }
      forget(query);
      choice.choose(Math.min(at, choice.options().length - 1));
    },
  });

  function prepare(): void {
    void host.client().prepare({ prefer: host.settings().prefer });
    // What fails is tried again with the first question, and says so then.
    loadRows().then(showHome, () => undefined);
  }

  /** Shows where to begin, once it is known, while nothing is typed. */
  async function showHome(): Promise<void> {
    const redraw = (): void => {
      if (dialog.open && state.text === "") view.draw(state);
    };
    redraw();
    const client = host.client();
    if (!dialog.open || client === homeOf) return;
    homeOf = client;
    home = (await client.home?.()) ?? [];
    redraw();
  }

  return {
    dialog,
    /** Gets ready: somebody is about to search. */
    prepare,
    open() {
      if (!host.element.isConnected || !host.element.checkVisibility() || !life.open()) return;
      const { prefer } = host.settings();
      // A router has led to a page in another language, say.
      if (JSON.stringify(prefer) !== JSON.stringify(preferred)) change(START);
      preferred = prefer;
      input.focus();
      input.select();
      prepare();
      view.draw(state);
      readInput(true);
    },
    close: () => life.close(),
    relabel() {
      const strings = host.strings();
      labelFrame(frame, strings, host.settings().placeholder ?? strings.search);
      view.draw(state);
    },
    /** Answers come from elsewhere: what is shown is forgotten. */
    reset() {
      change(START);
      view.draw(START);
      if (dialog.open) readInput(true);
    },
  };
}

/** Searches that led somewhere, the last one first. Each of the functions gives the list. */
export function recentOf(store: Store) {
  const isKept = (query: unknown): query is string =>
    typeof query === "string" && query !== "" && query.length <= MAX_LENGTH;
  const { list: read, keep } = keepList(store, "", MAX_RECENT, isKept);
  const list = () => read() ?? [];
  return {
    list,
    /** Puts a search first; it is in the list once. */
    add(query: string) {
      const kept = query.trim();
      const others = list().filter((other) => other.toLowerCase() !== kept.toLowerCase());
      return keep(isKept(kept) ? [kept, ...others] : others);
    },
    /** Forgets one search, or all where none is named. */
    drop: (query?: string) => keep(query === undefined ? [] : list().filter((other) => other !== query)),
  };
}

/** The life of one dialog. @param onClosed Called at once, however it was closed. */
function createLife(dialog: HTMLDialogElement, onClosed: () => void) {
  let letGo: (() => void) | undefined;
  /** Leaves the keyboard on the screen its room. */
  const leaveRoom = (): void => {
    if (visualViewport === null) return;
    dialog.style.setProperty("--_height", `${visualViewport.height}px`);
    dialog.style.setProperty("--_top", `${visualViewport.offsetTop}px`);
    // A page may be wider than the phone.
    dialog.style.setProperty("--_width", `${visualViewport.width}px`);
    dialog.style.setProperty("--_left", `${visualViewport.offsetLeft}px`);
  };
  const close = (): void => {
    if (letGo === undefined) return;
    letGo();
    letGo = undefined;
    watcher.disconnect();
    for (const event of ROOM_EVENTS) visualViewport?.removeEventListener(event, leaveRoom);
    if (dialog.open) dialog.close();
    onClosed();
  };
  // What the page hides cannot be closed by anybody, and holds all of the page.
  const watcher = new ResizeObserver(() => {
    // On paper there is none.
    if (!dialog.checkVisibility() && !matchMedia("print").matches) close();
  });
  // The Escape key closes it first and says so later: by then it may be open again.
  dialog.addEventListener("close", () => {
    if (!dialog.open) close();
  });
  return {
    /** False where it is open already. */
    open() {
      if (dialog.open) return false;
      close();
      letGo = lockScroll();
      leaveRoom();
      for (const event of ROOM_EVENTS) visualViewport?.addEventListener(event, leaveRoom);
      dialog.showModal();
      watcher.observe(dialog);
      return true;
    },
    close,
  };
}

/** Holds the page; the function that comes back lets it go, once. The page moves again when nobody holds it any more. */
function lockScroll(): () => void {
  const root = document.documentElement;
  const { style } = root;
  if (holders++ === 0) {
    before = [style.overflow, style.scrollbarGutter];
    if (innerWidth > root.clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    if (--holders === 0) [style.overflow, style.scrollbarGutter] = before;
  };
}

/** What can have the focus: rows are chosen out of the field. */
const STOPS = "input,button";

interface Deeds {
  dismissed(): void;
  typed(): void;
  /** A mouse or a finger is at the rows. */
  pointed(): void;
  moved(): void;
  entered(event: KeyboardEvent): void;
  clicked(option: HTMLElement, event: MouseEvent): void;
  /** The chosen recent search or kept result is not wanted any more. */
  forgot(option: number): void;
  /** The chosen result is to be kept, or not any more. */
  starred(): void;
}

/** What key events of an editor are in browsers that say `isComposing` too late. */
const COMPOSING_CODE = 229;

function watchDialog(frame: ReturnType<typeof makeFrame>, choice: Choice, deeds: Deeds): void {
  const { dialog, input, list } = frame;
  let isComposing = false;
  let pressed: EventTarget | null = null;

  frame.form.onsubmit = (event) => event.preventDefault();
  frame.close.onclick = () => deeds.dismissed();
  input.addEventListener("compositionstart", () => {
    isComposing = true;
  });
  input.addEventListener("compositionend", () => {
    isComposing = false;
    deeds.typed();
  });
  input.addEventListener("input", () => {
    if (!isComposing) deeds.typed();
  });
  const onKey = (event: KeyboardEvent): void => {
    // Keys that end a composition belong to it.
    if (event.isComposing || event.keyCode === COMPOSING_CODE) return;
    const moved = moveChoice(event, choice.index(), choice.options().length);
    if (moved !== undefined) {
      event.preventDefault();
      choice.choose(moved);
      deeds.moved();
    } else if (event.key === "Enter") {
      event.preventDefault();
      deeds.entered(event);
    } else if (isCommandKey(event, isApple(), "d")) {
      event.preventDefault();
      deeds.starred();
    } else if (event.key === "Delete" && event.shiftKey && choice.index() >= 0) deeds.forgot(choice.index());
  };
  input.addEventListener("keydown", onKey);
  const onClick = (event: MouseEvent): void => {
    const option = optionAt(event);
    // The right button opens a menu.
    if (option !== null && event.button < 2) deeds.clicked(option, event);
  };
  list.addEventListener("click", onClick);
  list.addEventListener("auxclick", onClick);
  // The focus stays in the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("pointermove", (event) => {
    const option = optionAt(event);
    // Rows that move under a pointer that stands still are not chosen by it.
    if (event.pointerType !== "mouse" || (event.movementX === 0 && event.movementY === 0)) return;
    deeds.pointed();
    if (option === null || option === choice.current()) return;
    choice.choose(choice.options().indexOf(option), false);
    deeds.moved();
  });
  list.addEventListener("pointerdown", () => deeds.pointed());
  // The keyboard on the screen makes room for what is scrolled.
  list.addEventListener("touchmove", () => input.blur(), { passive: true });
  // Keys of the page are not meant while somebody types here.
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (isCommandKey(event, isApple())) {
      event.preventDefault();
      deeds.dismissed();
    } else if (event.ctrlKey || event.metaKey) return;
    // To WebKit 2.50 for GTK it is no known key together with Shift.
    else if (event.key === "Tab" || event.code === "Tab") goRound(dialog, event);
    else if (event.target === dialog) {
      // A click where nothing is to be done took the focus away.
      input.focus();
      onKey(event);
    }
  });
  // A click beside it closes it; a drag that ends there does not.
  dialog.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog && pressed === dialog) deeds.dismissed();
  });
}

function optionAt({ target }: Event): HTMLElement | null {
  return (target as Element).closest<HTMLElement>("[role=option]");
}

/*
 * The Tab key in the dialog: behind the last stop comes the first.
 *
 * Browsers would go on to controls of their own. Firefox 153 finds no way back from there into a dialog in a shadow root, and
 * there, in WebKit 2.50 too, the dialog itself is a stop.
 */

/** Goes from the last stop to the first, or the other way; elsewhere the browser goes on. */
function goRound(dialog: HTMLElement, event: KeyboardEvent): void {
  const { target, shiftKey } = event;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());
  const [last, first] = shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (target !== last && target !== dialog) return;
  event.preventDefault();
  first?.focus();
}
