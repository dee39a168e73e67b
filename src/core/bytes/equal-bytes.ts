/**
 * Comparing secrets.
 *
 * Pure: bytes in, a verdict out.
 */

/** Whether bytes are the same, in a time that does not depend on where they differ. Their length is no secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}
