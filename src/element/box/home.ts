/** What an empty field shows: searches that led somewhere. */
import type { Frame } from "./frame.ts";
import { cleanText, drawIcon, drawOption, ICONS, isolate, make } from "./make.ts";
import { drawAction } from "./messages.ts";
import { fill, type Strings } from "./strings.ts";

/** What can be done with recent searches. */
export interface HomeActions {
  readonly search: (query: string) => void;
  /** Forget one, or all where none is named. */
  readonly forget: (query?: string) => void;
}

/** Fills an empty frame; nothing where there are none. */
export function drawHome(frame: Frame, recent: readonly string[], strings: Strings, actions: HomeActions): void {
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
