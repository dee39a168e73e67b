/**
 * The YAML that nearly all frontmatter is: names with texts, numbers, truth values, lists and mappings of those.
 *
 * A general parser takes as long for it as for the page below it. What is here is understood only where no rule but the
 * plainest applies; everything else is `undefined`, for the parser that knows them all. Pure.
 */

/** What ends in neither a comment, nor a second colon, nor spaces, and begins with no sign that means something. */
const TEXT =
  /^(?:[A-Za-z/(\u00c0-\u024f]|\.[A-Za-z])(?:(?! #|: )[ -~\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff])*$/;
const NOT_ONLY_TEXT = /^(?:null|true|false|\.inf|\.nan)$|[: ]$/i;
const DOUBLE_QUOTED = /^"([ !#-[\]-~\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff]*)"$/;
const SINGLE_QUOTED = /^'([ -&(-~\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff]*)'$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;
const ENTRY = /^([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: +(.*))?$/;
const ITEM = /^- +(.*)$/;
/** Deeper values are left to the parser that bounds them. */
const MAX_DEPTH = 8;

/** Lines that are read one after another. */
interface Lines {
  readonly texts: readonly string[];
  readonly indents: readonly number[];
  at: number;
}

/** The mapping that plain YAML stands for; `undefined` where it is not plain, or no YAML at all. */
export function parsePlainYaml(yaml: string): Record<string, unknown> | undefined {
  const written = yaml.split("\n").filter((line) => line !== "");
  const texts = written.map((line) => line.replace(/^ +| +$/g, ""));
  if (texts.length === 0 || texts.includes("")) return undefined;
  const indents = written.map((line) => line.search(/[^ ]/));
  const lines: Lines = { texts, indents, at: 0 };
  const mapping = readMapping(lines, 0, 0);
  return lines.at === texts.length ? mapping : undefined;
}

function readMapping(lines: Lines, indent: number, depth: number): Record<string, unknown> | undefined {
  const entries = new Map<string, unknown>();
  while (lines.indents[lines.at] === indent) {
    const [, name, written] = ENTRY.exec(lines.texts[lines.at] as string) ?? [];
    if (name === undefined || NOT_ONLY_TEXT.test(name) || entries.has(name)) return undefined;
    lines.at++;
    const value = written === undefined ? readBelow(lines, indent, depth) : readScalar(written);
    if (value === undefined) return undefined;
    entries.set(name, value);
  }
  // Unlike assignment, this makes `__proto__` an ordinary key.
  return Object.fromEntries(entries);
}

/** What stands below a name: a list, which need not be indented, a mapping, or nothing, which is null. */
function readBelow(lines: Lines, indent: number, depth: number): unknown {
  const below = lines.indents[lines.at] ?? -1;
  if (depth >= MAX_DEPTH) return undefined;
  if (below >= indent && ITEM.test(lines.texts[lines.at] as string)) return readList(lines, below);
  return below > indent ? readMapping(lines, below, depth + 1) : null;
}

function readList(lines: Lines, indent: number): unknown[] | undefined {
  const items: unknown[] = [];
  while (lines.indents[lines.at] === indent) {
    const [, written] = ITEM.exec(lines.texts[lines.at] as string) ?? [];
    if (written === undefined) break;
    const item = readScalar(written);
    if (item === undefined) return undefined;
    items.push(item);
    lines.at++;
  }
  return items;
}

function readScalar(written: string): string | number | boolean | undefined {
  if (written === "true" || written === "false") return written === "true";
  if (WHOLE_NUMBER.test(written)) return Number(written);
  if (TEXT.test(written)) return NOT_ONLY_TEXT.test(written) ? undefined : written;
  return (DOUBLE_QUOTED.exec(written) ?? SINGLE_QUOTED.exec(written))?.[1];
}
