/**
 * Values as TOON. Pure.
 */
import { encode } from "@toon-format/toon";
import { toWellFormed } from "../../core/text/short-text.ts";
import type { JsonObject } from "./answer.ts";

/** The object as TOON; halves of characters, which the format refuses, become U+FFFD. */
export function encodeToon(value: JsonObject): string {
  try {
    return encode(value);
  } catch (error) {
    // Source code can write such a half as an escape, and so name something by it. Rare: nothing is looked for before.
    if (error instanceof TypeError) return encode(mend(value));
    throw error;
  }
}

function mend(value: unknown): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (Array.isArray(value)) return value.map(mend);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toWellFormed(key), mend(member)]));
}
