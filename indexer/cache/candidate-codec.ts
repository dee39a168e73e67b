/**
 * Candidates for concepts of a page as bytes: what threads hand over and the parse cache keeps. They stay on disk until
 * concepts are chosen, as the cards of a million sections would grow by a quarter with them. Encoder and decoder stay in this
 * one file. Pure.
 */
import { ByteReader } from "../../src/core/bytes/reader.ts";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "../../src/core/format/columns.ts";
import type { ConceptCandidate, SectionUse } from "../taxonomy/find-candidates.ts";

const WHAT = "cached concepts";

/** Bytes of a page's candidates. */
export function encodeCandidates(candidates: readonly ConceptCandidate[]): Uint8Array {
  const writer = new ByteWriter(64 + candidates.length * 40);
  writer.writeVarint(candidates.length);
  const column = (read: (candidate: ConceptCandidate) => number): void => writeNumbers(writer, candidates.map(read));
  writeTexts(
    writer,
    candidates.map(({ key }) => key),
  );
  writeTexts(
    writer,
    candidates.map(({ text }) => text),
  );
  column(({ flags }) => flags);
  column(({ uses }) => uses.length);
  for (const { uses } of candidates) {
    for (const { section, count } of uses) {
      writer.writeVarint(section);
      writer.writeVarint(count);
    }
  }
  return writer.finish();
}

/** The candidates that `encodeCandidates` wrote; none of no bytes. @throws {FormatError} on bytes that are none. */
export function decodeCandidates(bytes: Uint8Array): ConceptCandidate[] {
  if (bytes.length === 0) return [];
  const reader = new ByteReader(bytes, WHAT);
  const count = reader.readVarint();
  const keys = readTexts(reader, count);
  const texts = readTexts(reader, count);
  const flags = readNumbers(reader, count, "flags");
  const useCounts = readNumbers(reader, count, "uses");
  return keys.map((key, at) => ({
    key,
    text: texts[at] as string,
    flags: flags[at] as number,
    uses: Array.from(
      { length: useCounts[at] as number },
      (): SectionUse => ({ section: reader.readVarint(), count: reader.readVarint() }),
    ),
  }));
}
