/**
 * What the core needs from storage: some bytes of a named file, and the one mutable object, the pointer.
 *
 * Files other than the pointer are immutable and named by their content's hash, so a reader may keep what it read for ever.
 */

export interface PointerObject {
  readonly bytes: Uint8Array;
  /** Opaque version of the object; equal tags mean equal bytes. */
  readonly etag: string;
  /** When it was stored, ISO 8601; absent where storage does not say. */
  readonly modifiedAt?: string;
}

export interface RangeSource {
  /**
   * Bytes `[offset, offset + length)` of an immutable index file, exactly `length` of them.
   *
   * @throws {StaleGenerationError} when the file does not exist.
   * @throws {FormatError} `truncated` when the file ends before `offset + length`.
   */
  readRange(file: string, offset: number, length: number): Promise<Uint8Array>;

  /**
   * The same past every cache on the way, from where the file is kept. Absent where nothing stands in between: then what
   * was read is what there is.
   */
  readFresh?(file: string, offset: number, length: number): Promise<Uint8Array>;

  /**
   * The pointer, or `"unchanged"` when its tag still equals `knownEtag`, or `undefined` when no index was published.
   */
  readPointer(knownEtag?: string): Promise<PointerObject | "unchanged" | undefined>;
}

/** Name of the one mutable object of a corpus. */
export const POINTER_FILE = "treeline.pointer";
