/**
 * What stands in documentation where a secret would stand. Pure.
 */

/** Words that no secret holds, but by a chance of less than one in a million. */
const WORDS =
  /example|sample|dummy|placeholder|your|change.?me|redacted|insert|replace|xxxx|\*{3}|\.{3}|…|0{6}|1{6}|123456|abcdef|fedcba|654321|lorem|foobar|deadbeef|fake|mock|secret|password|passwd|test.?(?:key|token|only)|<[^>]*>|\{\{|\$\{|\$\(|%[A-Z_]+%|__/i;
/** Distinct characters that a random token of twenty or more has at least. */
const LEAST_DISTINCT = 9;
/** Bits for each character: base64 of random bytes has above 4 from twenty characters on, words have about 3. */
const LEAST_ENTROPY = 3.6;
/** Hex has sixteen digits, so at most 4 bits. */
const LEAST_ENTROPY_OF_HEX = 3;

/** Share of a value that runs of letters are at most: of random letters and digits they are about half. */
const MOST_WORDS = 0.65;

/** Whether a token is an example: it says so, or repeats a few characters. */
export function isExample(token: string): boolean {
  return WORDS.test(token) || new Set(token).size < Math.min(LEAST_DISTINCT, token.length / 2);
}

/** Whether a value looks random: letters and digits mixed, and no words, path, address, expression or example. */
export function looksRandom(value: string): boolean {
  if (isExample(value) || !/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  // Names in code, paths, addresses, versions, dates, numbers with units.
  if (/^[$@./~#%]|:\/\/|^[a-z]+(?:[.:/][\w-]+)+$|[()[\]{}<>\\]/i.test(value)) return false;
  if (/^[\da-f]+$/i.test(value)) return value.length >= 32 && entropyOf(value) >= LEAST_ENTROPY_OF_HEX;
  // UUIDs name things far oftener than they keep them secret.
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g)?.join("").length ?? 0;
  return words < value.length * MOST_WORDS && entropyOf(value) >= LEAST_ENTROPY;
}

/** Bits of information for each character, by how often each occurs (Shannon 1948). */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
