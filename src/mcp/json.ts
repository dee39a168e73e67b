/** JSON values: how deep one nests, checked before anything walks it, and canonical texts with short hashes of them. */

/** A call nests six levels: message, params, arguments, a filter, its exclusions, their values. */
export const MAX_DEPTH = 64;
/** Bytes of a fingerprint: two of some thousand blocks are alike by chance once in 10^12 sessions. */
export const FINGERPRINT_BYTES = 8;

/** Whether lists and objects of a value stand inside one another more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** A few bytes that stand for a text: the first of its SHA-256. */
export async function fingerprint(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash, 0, FINGERPRINT_BYTES);
}

/** JSON with the keys of every object sorted, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
