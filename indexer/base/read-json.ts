/**
 * JSON of manifests, with comments and trailing commas as TypeScript allows them.
 */
import { createScanner, type ParseError, parse } from "jsonc-parser";

/** Deeper than any manifest. The parser goes down by calls of its own: brackets without end would use up its stack. */
const MAX_DEPTH = 200;

/** What a text says, as far as it can be read. */
interface ReadJson {
  /** Undefined where nothing can be read. */
  readonly value: unknown;
  /** Where the first fault stands, in units of UTF-16; undefined where there is none. */
  readonly fault?: number;
}

/** Read a JSON text; faults are passed over where that is possible. Never throws. */
export function readJson(text: string): ReadJson {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) return { value: undefined, fault: tooDeep };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  return first === undefined ? { value } : { value, fault: first.offset };
}

function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === "{" || first === "[") depth++;
    else if (first === "}" || first === "]") depth--;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
