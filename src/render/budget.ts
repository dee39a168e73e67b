/**
 * Fit an answer into a token budget: the fullest form that fits, cut at its end only where the form allows it.
 *
 * Pure: forms and a measure in, a choice out.
 */

/** What fitting needs to know of a form. */
export interface Fittable {
  /** Items that the form has. */
  readonly count: number;
  readonly keepAtLeast?: number | undefined;
  /** Tokens of the form with its first `shown` items; grows with `shown`. */
  readonly measure: (shown: number) => number;
}

/** The chosen form. */
export interface Fitted<F extends Fittable> {
  readonly form: F;
  /** Items to show, from the first. */
  readonly shown: number;
  /** False where even the barest form exceeds the budget with no item at all; the caller must cut text. */
  readonly fits: boolean;
}

/**
 * The first form that fits whole, or with its end cut off as far as it allows; if there is none, the last one with as
 * many items as fit.
 *
 * @param forms From the fullest to the barest; produced one after the other, none that is not needed.
 */
export function fitToBudget<F extends Fittable>(forms: Iterable<F>, maxTokens: number): Fitted<F> {
  let last: F | undefined;
  for (const form of forms) {
    last = form;
    if (form.measure(form.count) <= maxTokens) return { form, shown: form.count, fits: true };
    if (form.keepAtLeast === undefined) continue;
    const shown = countThatFit(form, maxTokens);
    if (shown >= Math.max(1, form.keepAtLeast)) return { form, shown, fits: true };
  }
  if (last === undefined) throw new RangeError("an answer has at least one form");
  const shown = countThatFit(last, maxTokens);
  return { form: last, shown, fits: last.measure(shown) <= maxTokens };
}

/** Most items that fit; 0 where not even one does. */
function countThatFit(form: Fittable, maxTokens: number): number {
  let low = 0;
  let high = form.count;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (form.measure(middle) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low;
}
