import { concatBytes } from "./writer.ts";

/** What of a stream's reader is used. */
interface StreamReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** All bytes that a reader of a stream gives; undefined where these are more than `maxBytes`, and the stream is cancelled then. */
export async function readBounded(
  reader: StreamReader,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size <= maxBytes) continue;
    // The answer is known; what is wrong with the rest does not matter.
    reader.cancel().catch(() => undefined);
    return undefined;
  }
  return concatBytes(parts);
}
