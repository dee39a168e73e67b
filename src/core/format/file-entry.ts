/**
 * Value of the table `files`: what is known of a source file beside its id without reading its symbols.
 *
 * Layout: index-format v1, section 7.8. Pure: bytes in, values out.
 */
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import type { FileRecord } from "./code-records.ts";

/** A source file as the table `files` has it. */
export interface FileEntry extends Pick<FileRecord, "language" | "module" | "package"> {
  /** Its number among the source files of its access group. */
  readonly number: number;
}

/** Bytes of a file's entry. */
export function encodeFileEntry(entry: FileEntry): Uint8Array {
  const writer = new ByteWriter(32);
  writer.writeVarint(entry.number);
  writer.writeString(entry.language);
  writer.writeString(entry.module);
  writer.writeString(entry.package);
  return writer.finish();
}

/** The entry that these bytes are. @throws {FormatError}. */
export function decodeFileEntry(bytes: Uint8Array): FileEntry {
  const reader = new ByteReader(bytes, "table files");
  const number = reader.readVarint();
  const entry = {
    number,
    language: reader.readString(),
    module: reader.readString(),
    package: reader.readString(),
  };
  reader.expectEnd();
  return entry;
}
