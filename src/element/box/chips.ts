/**
 * Facets as chips that narrow an answer.
 *
 * `listChips` is pure; `drawChips` makes nodes.
 */
import { groupRuns } from "../../core/group-runs.ts";
import type { Counts, WiderCounts } from "./counts.ts";
import { cleanText, isolate, make } from "./make.ts";
import { type Filters, valuesOf } from "./question.ts";

/** A value that can be chosen, or taken back. */
export interface Chip {
  readonly key: string;
  readonly value: string;
  /** Documents that have it; undefined where no answer says. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
}

/** More of one key are no choice but a list. */
const MAX_VALUES = 6;

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
  counts: Counts,
  wider: WiderCounts,
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
export function drawChips(place: HTMLElement, chips: readonly Chip[], toggle: (chip: Chip) => void): void {
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
  button.append(isolate(cleanText(value)));
  if (count !== undefined) button.append(" ", make("span", { part: "count" }, String(count)));
  button.onclick = () => toggle(chip);
  return button;
}

type Counted = readonly [string, number | undefined];

function byCount([a, countA = 0]: Counted, [b, countB = 0]: Counted): number {
  return countB - countA || (a < b ? -1 : 1);
}
