/**
 * The files of an index, in a folder or at an address.
 */
import { resolve } from "node:path";
import { FormatError } from "../../src/core/errors.ts";
import type { RangeSource } from "../../src/core/index/range-source.ts";
import { createFetchSource } from "../../src/web/fetch-source.ts";
import { createDiskSource } from "./disk-source.ts";
import { createSender } from "./send-request.ts";

/** Whether a place is a web address and no folder. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** Index files in a folder or at an address. */
export function openSource(place: string): RangeSource {
  return isAddress(place) ? createFetchSource(place, createSender()) : createDiskSource(resolve(place));
}

/** A file whose length is not known: read in growing pieces, since a source only knows ranges. */
export async function readWhole(source: RangeSource, name: string): Promise<Uint8Array> {
  for (let length = 65_536; ; length *= 2) {
    const bytes = await source.readRange(name, 0, length).catch((cause: unknown) => {
      if (cause instanceof FormatError && cause.detail.code === "truncated") return cause.detail.have;
      throw cause;
    });
    if (typeof bytes === "number") return source.readRange(name, 0, bytes);
  }
}
