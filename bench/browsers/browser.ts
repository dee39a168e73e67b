/**
 * A browser as the scripted visitor sees it: an address, keys, a pointer, what a page says of itself. Firefox and WebKit each have a
 * file, which speaks to the browser in its own protocol without a library.
 */

/** A window of a browser that a visitor uses. */
export interface Browser {
  readonly name: string;
  readonly version: string;
  /** Opens an address, and waits until its page has loaded. */
  goTo(url: string): Promise<void>;
  /** Goes back in the history of the window. */
  back(): Promise<void>;
  /** The value of an expression in the page, as JSON; of a promise what it becomes. */
  ask<Value>(expression: string): Promise<Value>;
  /** Presses keys together, as `Control+k`. */
  press(chord: string): Promise<void>;
  /** Types a text, key by key. */
  type(text: string): Promise<void>;
  /** Clicks at a place of what is seen of the page, in CSS pixels; `held` is a key that is down meanwhile. */
  click(x: number, y: number, held?: string): Promise<void>;
  /** Makes the window so large, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** A picture of what is seen, as PNG. */
  picture(): Promise<Uint8Array>;
  /** Errors and warnings that the browser itself has told so far. */
  said(): readonly string[];
  close(): Promise<void>;
}

/** Keys without a letter, as WebDriver names them (W3C WebDriver, 17.4.2). */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
  Meta: "\uE03D",
};

/** One step of a device; WebDriver and WebDriver BiDi have the same. */
type Step = Readonly<Record<string, string | number>>;

/** What devices do, as both protocols take it. */
export type Actions = readonly {
  readonly type: string;
  readonly id: string;
  readonly actions: readonly Step[];
}[];

/** Keys that go down one after the other, and up again the other way. @param chord Names with `+` between them. */
export function chordActions(chord: string): Actions {
  const keys = chord.split("+").map((name) => KEYS[name] ?? name);
  const down = keys.map((value) => ({ type: "keyDown", value }));
  const up = keys.toReversed().map((value) => ({ type: "keyUp", value }));
  return [{ type: "key", id: "keyboard", actions: [...down, ...up] }];
}

/** A text, a key after the other. */
export function textActions(text: string): Actions {
  const actions = [...text].flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  return [{ type: "key", id: "keyboard", actions }];
}

/** A click at a place, with a key held or without. */
export function clickActions(x: number, y: number, held?: string): Actions {
  const pointer = [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: pointer };
  if (held === undefined) return [mouse];
  const value = KEYS[held] ?? held;
  const pause = { type: "pause", duration: 0 };
  const keys = [{ type: "keyDown", value }, ...pointer.map(() => pause), { type: "keyUp", value }];
  return [
    { ...mouse, actions: [pause, ...pointer, pause] },
    { type: "key", id: "keyboard", actions: keys },
  ];
}
