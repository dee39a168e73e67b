/**
 * Invert one document: from its units to the terms it holds, each with its encoded units.
 *
 * Pure: values in, values out; runs in worker threads.
 */

import {
  DESCRIPTION_UNIT,
  encodeUnits,
  FIRST_TEXT_UNIT,
  TITLE_UNIT,
  type UnitPosting,
} from "../../src/core/format/postings.ts";
import { type Analyzer, countsAsWord, ENGLISH, visitTerms } from "../../src/core/text/analyze.ts";
import type { Unit } from "./units.ts";

/** What a document adds to the term table. */
export interface InvertedDocument {
  /** Terms in no particular order, each once. */
  readonly terms: readonly string[];
  /** Encoded units of each term, back to back. */
  readonly unitBytes: Uint8Array;
  /** Where each term's units end in `unitBytes`. */
  readonly ends: Uint32Array;
  /** 1 for each term that some word of the document scores with; 0 where all of its words are stop words. */
  readonly scores: Uint8Array;
  /** Words per field; those of the body are the sum over text units. */
  readonly lengths: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
  };
  /** Words of each text unit, its heading included. */
  readonly unitLengths: Uint32Array;
}

/** Fields of a document that are not in its units. */
export interface DocumentFields {
  readonly title: string;
  readonly path: string;
  readonly description: string;
  /** Headings by section ordinal; the first one is the title. */
  readonly headings: readonly string[];
}

interface Occurrence {
  unit: number;
  frequency: number;
  heading: boolean;
  code: boolean;
}

/** Terms and lengths of a document; `analyzer` is that of its collection's language. */
export function invertDocument(
  fields: DocumentFields,
  units: readonly Unit[],
  analyzer: Analyzer = ENGLISH,
): InvertedDocument {
  const postings = new Map<string, Occurrence[]>();
  const scoring = new Set<string>();
  const add = (unit: number, text: string, mark: (occurrence: Occurrence) => void): number => {
    let words = 0;
    visitTerms(
      text,
      (term, kind, stop) => {
        if (countsAsWord(kind)) words++;
        if (!stop) scoring.add(term);
        let list = postings.get(term);
        if (list === undefined) {
          list = [];
          postings.set(term, list);
        }
        let last = list.at(-1);
        if (last === undefined || last.unit !== unit) {
          last = { unit, frequency: 0, heading: false, code: false };
          list.push(last);
        }
        mark(last);
      },
      analyzer,
    );
    return words;
  };
  const count = (occurrence: Occurrence): void => {
    occurrence.frequency++;
  };

  const title = add(TITLE_UNIT, fields.title, (occurrence) => {
    occurrence.frequency++;
    occurrence.code = true;
  });
  const path = add(TITLE_UNIT, pathWords(fields.path), (occurrence) => {
    occurrence.heading = true;
  });
  const description = add(DESCRIPTION_UNIT, fields.description, count);
  const unitLengths = new Uint32Array(units.length);
  for (const [index, unit] of units.entries()) {
    const number = FIRST_TEXT_UNIT + index;
    let words = 0;
    if (!unit.continuation) {
      words += add(number, fields.headings[unit.section] ?? "", (occurrence) => {
        occurrence.frequency++;
        occurrence.heading = true;
      });
    }
    for (const { kind, text } of unit.texts) {
      words += add(number, text, (occurrence) => {
        occurrence.frequency++;
        if (kind === "code") occurrence.code = true;
      });
    }
    unitLengths[index] = words;
  }
  const body = unitLengths.reduce((sum, words) => sum + words, 0);
  return { ...encode(postings, scoring), lengths: { body, title, path, description }, unitLengths };
}

/** A path as words: without its ending and without numbers that only order files. */
function pathWords(path: string): string {
  return path
    .replace(/\.[a-z0-9]+$/i, "")
    .split("/")
    .map((part) => part.replace(/^\d+[-_. ]+/, ""))
    .join(" / ");
}

function encode(
  postings: ReadonlyMap<string, readonly UnitPosting[]>,
  scoring: ReadonlySet<string>,
): Pick<InvertedDocument, "terms" | "unitBytes" | "ends" | "scores"> {
  const terms: string[] = [];
  const parts: Uint8Array[] = [];
  const ends = new Uint32Array(postings.size);
  let length = 0;
  for (const [term, list] of postings) {
    const bytes = encodeUnits(list);
    terms.push(term);
    parts.push(bytes);
    length += bytes.length;
    ends[terms.length - 1] = length;
  }
  const unitBytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    unitBytes.set(part, at);
    at += part.length;
  }
  return { terms, unitBytes, ends, scores: Uint8Array.from(terms, (term) => (scoring.has(term) ? 1 : 0)) };
}
