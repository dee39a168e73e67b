/**
 * Compression as the core needs it: handed in, because browsers, Workers and Node bring different implementations.
 *
 * Raw DEFLATE (RFC 1951) is what all of them have. Pure types.
 */

/** Inflate raw deflate data, refusing to give more than `maxBytes`. @throws {FormatError} `inflate` or `out-of-range`. */
export type InflateRaw = (bytes: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

/** Compress as raw deflate. Only the indexer writes. */
export type DeflateRaw = (bytes: Uint8Array) => Uint8Array;
