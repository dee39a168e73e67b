/**
 * Text whose letters and accents may stand apart, visited as if they were composed (NFC) and nothing invisible or
 * stray stood between them, so that the spellings of `é` or `한` give the same tokens. Places are those of the text as
 * it stands.
 *
 * Pure.
 */
import { INVISIBLE } from "./normalize.ts";

/** What belongs to the character before it: marks, vowels and finals of Hangul and Kirat Rai, what nobody sees. */
const FOLLOWING = `\\p{M}\\u1160-\\u11ff\\u{16d67}${INVISIBLE}`;
const SEGMENTS = new RegExp(`[^${FOLLOWING}][${FOLLOWING}]*|[${FOLLOWING}]+`, "gu");
const ASCII_CHARACTER = /^[\0-\x7f]$/;
/** Marks that stand on no letter or digit say nothing. */
const STRAY_MARKS = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;
const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]+`, "gu");

/** Receives something found in a text, with its place in UTF-16 units. */
type PlaceVisitor<Kind> = (text: string, start: number, end: number, kind: Kind) => void;

/** Let `walk` visit the composed text; `visit` receives what it finds with places in `text`. */
export function visitComposed<Kind>(
  text: string,
  visit: PlaceVisitor<Kind>,
  walk: (composed: string, visit: PlaceVisitor<Kind>) => void,
): void {
  const composed = compose(text);
  if (composed === text) {
    walk(text, visit);
    return;
  }
  // For each unit of the composed text where its segment begins and ends in the text.
  const starts = new Uint32Array(composed.length + 1);
  const ends = new Uint32Array(composed.length + 1);
  let at = 0;
  for (const match of text.matchAll(SEGMENTS)) {
    const segment = match[0];
    const next = at + (ASCII_CHARACTER.test(segment) ? 1 : compose(segment).length);
    starts.fill(match.index, at, next);
    ends.fill(match.index + segment.length, at, next);
    at = next;
  }
  walk(composed, (token, start, end, kind) => {
    visit(token, starts[start] as number, ends[end - 1] as number, kind);
  });
}

function compose(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, "").normalize("NFC").replace(STRAY_MARKS, "");
}
