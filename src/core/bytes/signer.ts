/**
 * What signs. A type of its own, so that rooms that do not see one another can hand it on.
 *
 * Pure: types only.
 */

/** Gives the signature of bytes, the same for the same bytes: 32 bytes of HMAC-SHA-256. */
export type Signer = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
