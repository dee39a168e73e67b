/**
 * What calls and blocks are told apart by: hashes of their values.
 *
 * Web crypto only, so it runs in Workers and Node alike.
 */
import { encodeBase64Url } from "../core/bytes/encodings.ts";

/** Bytes of a fingerprint: two of some thousand blocks are alike by chance once in 10^12 sessions. */
const FINGERPRINT_BYTES = 8;

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
