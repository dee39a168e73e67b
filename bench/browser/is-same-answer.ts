/** Whether two runtimes gave the same answer. */

/**
 * Difference of scores, relative to the greater, that is none: logarithms and powers differ in their last digits between versions of
 * JavaScript engines.
 */
const MAX_DIFFERENCE = 1e-9;

/** Whether two answers are equal, hits in order, in all but what reading cost and the last digits of scores. */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  return isSame(one, other, "");
}

/** @param key Under which the values stand. */
function isSame(one: unknown, other: unknown, key: string): boolean {
  if (key === "cost") return true;
  if (key === "score" && typeof one === "number" && typeof other === "number") {
    return Math.abs(one - other) <= MAX_DIFFERENCE * Math.max(Math.abs(one), Math.abs(other));
  }
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return Object.is(one, other);
  // What is undefined is not sent out of a page.
  const keys = new Set([one, other].flatMap((value) => Object.keys(value)));
  return [...keys].every((name) => isSame(one[name], other[name], name));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
