/** JSON texts: how deep one nests, checked before anything parses it, and canonical forms with short hashes of them. */

import { encodeBase64Url } from "../core/bytes/encodings.ts";

/** A call nests six levels: message, params, arguments, a filter, its exclusions, their values. */
export const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
/** Bytes of a fingerprint: two of some thousand blocks are alike by chance once in 10^12 sessions. */
const FINGERPRINT_BYTES = 8;

/** Whether lists and objects of a text stand inside one another more than `levels` deep. It need not be right JSON. */
export function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === LIST || unit === OBJECT) {
      depth++;
      if (depth > levels) return true;
    } else if (unit === LIST_END || unit === OBJECT_END) depth--;
  }
  return false;
}

/** Where a string ends that begins at a quote; the text's end where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}

/** SHA-256 of a text. */
export async function hashText(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** A short text that stands for a longer one. */
export async function fingerprint(text: string): Promise<string> {
  return encodeBase64Url((await hashText(text)).subarray(0, FINGERPRINT_BYTES));
}

/** JSON with the keys of every object sorted, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
