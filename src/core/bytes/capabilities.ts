/**
 * Capabilities that a platform hands to the core: raw DEFLATE (RFC 1951), which browsers, Workers and Node all have, and
 * signing.
 */

/** Inflate raw deflate data, refusing to give more than `maxBytes`. @throws {FormatError} `inflate` or `out-of-range`. */
export type InflateRaw = (bytes: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

/** Compress as raw deflate. Only the indexer writes. */
export type DeflateRaw = (bytes: Uint8Array) => Uint8Array;

/** Gives the signature of bytes, the same for the same bytes: 32 bytes of HMAC-SHA-256. */
export type Signer = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
