/**
 * The order of names in lists: by their UTF-16 units, whatever the language of the machine.
 *
 * Keys of tables have an order of their own (`../bytes/key.ts`). Pure.
 */

/** Negative, zero or positive as `a` comes before, with or after `b`. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
