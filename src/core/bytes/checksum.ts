/**
 * Checksums against damage, and the hash that decides where tables are cut.
 *
 * CRC-32 is the one of ISO 3309 (polynomial EDB88320, reflected), which finds every single-bit error and every
 * burst up to 32 bits. Pure.
 */

const CRC_TABLE = makeCrcTable();
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** CRC-32 of `bytes`; `seed` continues an earlier checksum. Unsigned 32 bits. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed;
  for (let i = 0; i < bytes.length; i++) {
    crc = (CRC_TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** FNV-1a with a final avalanche (MurmurHash3's fmix32): 32 bits, each depending on every byte of the key. */
export function hashKey(key: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function makeCrcTable(): Uint32Array {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    table[n] = value >>> 0;
  }
  return table;
}
