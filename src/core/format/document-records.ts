/**
 * Values of the tables `documents`, `sections` and `links`: what documents say of themselves, their sections, their links.
 *
 * Index-format v1, section 7.4.
 */
import { decodeJson } from "../bytes/reader.ts";
import { encodeJson } from "../bytes/writer.ts";
import { malformed } from "../errors.ts";
import { slugify } from "../text/names.ts";
import {
  bytes,
  choice,
  codec,
  differences,
  hashes,
  list,
  numbers,
  record,
  sharedTexts,
  single,
  strings,
  texts,
} from "./columns.ts";
import { anyObject } from "./json-shape.ts";

const DOCUMENTS = "table documents";
const SECTIONS = "table sections";

const meta = single(
  1,
  (writer, value: Readonly<Record<string, unknown>>) => {
    const json = Object.keys(value).length === 0 ? new Uint8Array() : encodeJson(value);
    writer.writeVarint(json.length);
    writer.writeBytes(json);
  },
  (reader) => {
    const json = reader.readBytes(reader.readVarint());
    return json.length === 0 ? {} : anyObject(decodeJson(json, DOCUMENTS), DOCUMENTS);
  },
);

const storedDocument = record({
  /** Number in its shard. */
  number: numbers("number"),
  words: numbers("words"),
  sections: numbers("sections"),
  lines: numbers("lines"),
  /** Bytes of frontmatter. */
  skip: numbers("frontmatter"),
  hash: hashes,
  title: strings,
  description: strings,
  facets: list(record({ key: strings, values: list(strings) })),
  meta,
});
export const { encode: encodeDocument, decode: decodeDocument } = codec(DOCUMENTS, storedDocument);

const storedLinks = record({
  out: list(
    record({
      /** Ordinal of the section that it stands in. */
      section: numbers("section"),
      kind: choice(["internal", "external", "broken"] as const, "kind", bytes),
      /** Node id, or `""`. */
      target: sharedTexts("target"),
      /** Address as written. */
      href: sharedTexts("address"),
      text: sharedTexts("text"),
    }),
  ),
  in: list(
    record({
      /** Node id of the section that links here. */
      from: sharedTexts("section"),
      /** Ordinal of the section that it leads to. */
      section: numbers("section"),
    }),
  ),
});
export const { encode: encodeLinks, decode: decodeLinks } = codec("table links", storedLinks);

const storedSections = list(
  record({
    level: bytes,
    /** Sections between it and the one that it is in; 0 for the one before. The root is in none. */
    above: numbers("section above"),
    /** Lines that no section has before it, and lines from its first to its last. */
    gap: differences,
    lines: differences,
    words: numbers("words"),
    links: numbers("links"),
    units: numbers("units"),
    languages: list(sharedTexts("language")),
    slug: texts,
    anchor: texts,
    title: texts,
    summary: texts,
  }),
);
const sectionsCodec = codec(SECTIONS, storedSections);

/** A row of the table `sections`. */
interface StoredSection {
  readonly level: number;
  readonly title: string;
  /** Ordinal, -1 for the root. */
  readonly parent: number;
  readonly slug: string;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly words: number;
  readonly summary: string;
  readonly languages: readonly string[];
  readonly links: number;
  readonly units: number;
}

/** What stands before a text that is not as expected. */
const OTHER = "=";

function writeUnless(expected: string, text: string): string {
  return text === expected ? "" : OTHER + text;
}

function readUnless(expected: string, stored: string): string {
  return stored === "" ? expected : stored.slice(OTHER.length);
}

export function encodeSections(sections: readonly StoredSection[]): Uint8Array {
  let before = 0;
  const rows = sections.map(({ parent, slug, anchor, startLine, endLine, ...row }, ordinal) => {
    const gap = startLine - before - 1;
    before = endLine;
    return {
      ...row,
      above: ordinal - parent - 1,
      gap,
      lines: endLine - startLine,
      slug: writeUnless(slugify(row.title), slug),
      anchor: writeUnless(slug, anchor),
    };
  });
  return sectionsCodec.encode(rows);
}

/** @throws {FormatError} */
export function decodeSections(encoded: Uint8Array): StoredSection[] {
  let before = 0;
  return sectionsCodec.decode(encoded).map(({ above, gap, lines, slug, anchor, ...row }, ordinal) => {
    const parent = ordinal - above - 1;
    const startLine = before + gap + 1;
    before = startLine + lines;
    if (parent < Math.min(0, ordinal - 1) || startLine < 0 || before < 0) {
      throw malformed(SECTIONS, `a section in ${parent}, lines ${startLine} to ${before}`);
    }
    const own = readUnless(slugify(row.title), slug);
    return { ...row, parent, slug: own, anchor: readUnless(own, anchor), startLine, endLine: before };
  });
}
