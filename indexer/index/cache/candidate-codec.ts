/**
 * Candidates for concepts of a page as bytes: what threads hand over and the parse cache keeps. They stay on disk until
 * concepts are chosen, as the cards of a million sections would grow by a quarter with them. Encoder and decoder stay in this
 * one file. Pure.
 */
import { ByteReader } from "../../../src/core/bytes/reader.ts";
import { ByteWriter } from "../../../src/core/bytes/writer.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "../../../src/core/format/columns.ts";
import type { ConceptCandidate, SectionUse } from "../../topics/find-candidates.ts";

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
  column(({ count }) => count);
  column(({ home }) => home);
  const uses = candidates.map((candidate) => encodeUses(candidate.uses));
  writeNumbers(
    writer,
    uses.map(({ length }) => length),
  );
  for (const bytes of uses) writer.writeBytes(bytes);
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
  const counts = readNumbers(reader, count, "count");
  const homes = readNumbers(reader, count, "section");
  const lengths = readNumbers(reader, count, "length of uses");
  return keys.map((key, at) => {
    const uses = reader.readBytes(lengths[at] as number);
    return {
      key,
      text: texts[at] as string,
      flags: flags[at] as number,
      count: counts[at] as number,
      home: homes[at] as number,
      // Of most candidates nobody asks where they stand.
      get uses() {
        return decodeUses(uses);
      },
    };
  });
}

function encodeUses(uses: readonly SectionUse[]): Uint8Array {
  const writer = new ByteWriter(uses.length * 3);
  for (const { section, count } of uses) {
    writer.writeVarint(section);
    writer.writeVarint(count);
  }
  return writer.finish();
}

function decodeUses(bytes: Uint8Array): SectionUse[] {
  const reader = new ByteReader(bytes, WHAT);
  const uses: SectionUse[] = [];
  while (reader.remaining > 0) uses.push({ section: reader.readVarint(), count: reader.readVarint() });
  return uses;
}
