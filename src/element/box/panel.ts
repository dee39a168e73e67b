/**
 * The dialog at work: what happens in it changes the state of the question, and whoever asks, draws or waits follows that state.
 */

import { noAnswer } from "../client/ask.ts";
import type { SearchClient } from "../client/search-client.ts";
import { keepSuccess } from "../keep-success.ts";
import type { AnswerRows } from "./answer-rows.ts";
import { createAsker } from "./asker.ts";
import { createChoice } from "./choice.ts";
import { watchDialog } from "./dialog-events.ts";
import { createLife } from "./dialog-life.ts";
import { labelFrame, makeFrame } from "./frame.ts";
import { isForBrowser } from "./keyboard.ts";
import { cutQuery, type Filters, toggleValue } from "./question.ts";
import {
  again,
  answered,
  closed,
  counted,
  entered,
  failed,
  filtered,
  led,
  moved,
  nearFound,
  pointed,
  type QuestionState,
  START,
  slow,
  typed,
  wantMore,
} from "./question-state.ts";
import { secondsLeft } from "./quiet.ts";
import { addRecent, dropRecent, listRecent } from "./recent.ts";
import { createRetry } from "./retry.ts";
import type { Settings } from "./settings.ts";
import type { Strings } from "./strings.ts";
import { createView } from "./view.ts";

/** What the dialog needs of its element. */
export interface PanelHost {
  readonly element: HTMLElement;
  client(): SearchClient;
  /** Address of what answers; `""` where the page itself does. */
  source(): string;
  strings(): Strings;
  settings(): Settings;
}

/** The dialog of one box. */
export interface Panel {
  readonly dialog: HTMLDialogElement;
  /** Gets ready: somebody is about to search. */
  prepare(): void;
  open(): void;
  close(): void;
  /** Words or settings are others. */
  relabel(): void;
  /** Answers come from elsewhere: what is shown is forgotten. */
  reset(): void;
}

/** Makes the dialog of a box, closed. */
export function createPanel(host: PanelHost): Panel {
  const frame = makeFrame();
  const { dialog, input, list } = frame;
  const choice = createChoice(input, list);
  const retry = createRetry();
  const store = { open: () => localStorage, source: () => host.source() };
  let state = START;
  let rows: AnswerRows | undefined;
  const loadRows = keepSuccess(async () => {
    const { createRows } = await import("./answer-rows.ts").catch((cause: unknown) => {
      throw noAnswer("the rows cannot be loaded", cause);
    });
    rows = createRows(host.element, list, host.settings);
  });

  const view = createView(frame, choice, {
    strings: () => host.strings(),
    settings: () => host.settings(),
    rows: () => rows,
    recent: () => listRecent(store),
    search(query) {
      input.value = query;
      readInput(true);
    },
    forget,
    more: () => change(wantMore(state, Date.now())),
    again: askAgain,
    filter,
    toggle: (key, value) => filter(toggleValue(state.filters, key, value)),
  });
  const asker = createAsker({
    async search(query, options) {
      const [found] = await Promise.all([host.client().search(query, options), loadRows()]);
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

  /** Shows a state, then does what it asks for. */
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

  function planRetry({ failure, quiet }: QuestionState): void {
    retry.stop();
    if (failure?.problem === "offline" || failure?.problem === "unreachable") {
      // Browsers say that they are online when they have begun to be: what is asked at once may fail once more.
      retry.whenOnline(() => retry.after(1, () => undefined, askAgain));
    }
    const wait = failure?.problem === "too-many" ? secondsLeft(quiet, Date.now()) : 0;
    if (wait === 0) return;
    const tick = (): void => view.draw(state, { ...state, quiet: undefined });
    retry.after(wait, tick, quiet?.isTriedAgain ? askAgain : tick);
  }

  function askAgain(): void {
    change(again(state, Date.now()));
  }

  function filter(filters: Filters): void {
    change(filtered(state, filters, host.settings().collections, Date.now()));
  }

  /** Asks for what stands in the field. */
  function readInput(isNow: boolean): void {
    const text = cutQuery(input.value);
    const isCut = text !== input.value || (state.isCut && text.trim() === state.text);
    if (isCut) input.value = text;
    change(typed(state, { text, isCut, isNow, collections: host.settings().collections }, Date.now()));
  }

  function forget(query?: string): void {
    dropRecent(store, query);
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

  /** Follows the chosen row. */
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
    if (state.shown !== undefined && state.shown.found.pages.length > 0) addRecent(store, state.shown.question.query);
  }

  function onClick(option: HTMLElement, event: MouseEvent): void {
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
    forgot(at) {
      const query = frame.body.hasAttribute("data-recent") ? listRecent(store)[at] : undefined;
      if (query === undefined) return;
      forget(query);
      choice.choose(Math.min(at, choice.options().length - 1));
    },
  });

  function prepare(): void {
    void host.client().prepare();
    // What fails is tried again with the first question, and says so then.
    loadRows().catch(() => undefined);
  }

  return {
    dialog,
    prepare,
    open() {
      if (!host.element.isConnected || !host.element.checkVisibility() || !life.open()) return;
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
    reset() {
      change(START);
      view.draw(START);
      if (dialog.open) readInput(true);
    },
  };
}
