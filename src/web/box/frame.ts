/** The nodes of the dialog, and the words that stand in it whatever is searched for. */
import { drawIcon, ICONS, make } from "./make.ts";
import type { Strings } from "./strings.ts";

/** The nodes that change. */
export interface Frame {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
  /** Where somebody types. It keeps the focus while rows are chosen. */
  readonly input: HTMLInputElement;
  readonly close: HTMLButtonElement;
  /** How many pages there are, and what narrows them. It is as high with chips as without: these may come later. */
  readonly bar: HTMLElement;
  readonly total: HTMLElement;
  readonly chips: HTMLElement;
  /** One line above the rows: corrections, what was not found, that it takes long. */
  readonly note: HTMLElement;
  /** Above recent searches, and above titles that come near. */
  readonly head: HTMLElement;
  readonly body: HTMLElement;
  readonly list: HTMLElement;
  /** Buttons beside recent searches: an option of a list cannot hold any. */
  readonly forgets: HTMLElement;
  /** In place of rows: why there are none. */
  readonly message: HTMLElement;
  /** Read out by screen readers. */
  readonly status: HTMLElement;
  readonly footer: HTMLElement;
}

const LIST_ID = "list";

/** Makes the dialog, closed. */
export function makeFrame(): Frame {
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
  const forgets = make("div", { part: "forgets" });
  const body = make("div", { part: "body" }, list, forgets);
  const total = make("span", { part: "total" });
  const chips = make("div", { part: "chips", role: "group" });
  const bar = makeHidden("bar");
  bar.append(total, chips);
  const message = makeHidden("message");
  const footer = makeHidden("footer");
  const note = makeHidden("note");
  const head = makeHidden("head");
  const status = make("div", { part: "status", role: "status" });
  const dialog = make("dialog", { part: "dialog" }, form, make("div", { part: "progress" }));
  dialog.append(bar, note, message, head, body, footer, status);
  return { dialog, form, input, close, bar, total, chips, note, head, body, list, forgets, message, status, footer };
}

/** Puts the words of a language in. */
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
    make("span", {}, make("kbd", {}, "Esc"), strings.toClose),
  );
}

function makeHidden(part: string): HTMLElement {
  const place = make("div", { part });
  place.hidden = true;
  return place;
}
