/**
 * Whether a manifest in TOML or XML is written as its format wants it. What is read of manifests is read past faults;
 * this is what tells a person why a package is missing.
 *
 * Pure. Each gives where the first fault stands, in units of UTF-16, or undefined.
 */
/** Deeper than any manifest. */
const MAX_DEPTH = 200;

const KEY = String.raw`(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const KEYS = String.raw`${KEY}(?:[ \t]*\.[ \t]*${KEY})*`;
const HEADER = new RegExp(String.raw`\[[ \t]*${KEYS}[ \t]*\]|\[\[[ \t]*${KEYS}[ \t]*\]\]`, "y");
const ASSIGNED = new RegExp(String.raw`${KEYS}[ \t]*=[ \t]*`, "y");
const STRING = /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE = /(?:true|false|[+-]?(?:inf|nan)|[+-]?\d[\w.:+-]*(?: \d[\d.:Z+-]*)?)(?=[\s,\]}#]|$)/y;
/** Space, ends of lines and comments. */
const BLANK = /(?:\s|#[^\n]*)*/y;
const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|\r?$)/y;

/** What is longer is not looked at: a manifest is not, and patterns use memory with the length. */
const MAX_LENGTH = 1_000_000;

/** First fault of a TOML text: an open string or bracket, a line that is neither a table nor a key with a value. */
export function findTomlFault(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const reader = { text, at: 0 };
  for (take(reader, BLANK); reader.at < text.length; take(reader, BLANK)) {
    const isWhole = take(reader, HEADER) || (take(reader, ASSIGNED) && takeValue(reader, 0));
    if (!isWhole || !take(reader, END_OF_LINE)) return reader.at;
  }
  return undefined;
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Go behind what the sticky pattern matches here; false where it does not. */
function take(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

function takeValue(reader: Reader, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const open = reader.text[reader.at];
  if (open === "[") return takeMembers(reader, "]", () => takeValue(reader, depth + 1));
  if (open === "{") return takeMembers(reader, "}", () => take(reader, ASSIGNED) && takeValue(reader, depth + 1));
  return take(reader, STRING) || take(reader, BARE);
}

/** A list or an inline table; newer TOML allows both to go over several lines and to end in a comma. */
function takeMembers(reader: Reader, close: string, takeMember: () => boolean): boolean {
  reader.at++;
  for (;;) {
    take(reader, BLANK);
    if (reader.text[reader.at] === close) break;
    if (!takeMember()) return false;
    take(reader, BLANK);
    if (reader.text[reader.at] === ",") reader.at++;
    else if (reader.text[reader.at] !== close) return false;
  }
  reader.at++;
  return true;
}

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![A-Za-z][^>]*>|<(?<close>\/?)(?<name>[^\s<>/!?"'=]+)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;

/** First fault of an XML text: an element that is not closed, or closed by another name; something without `root`. */
export function findXmlFault(text: string, root: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const open: string[] = [];
  let roots = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", MARKUP.lastIndex)) {
    MARKUP.lastIndex = at;
    const match = MARKUP.exec(text);
    if (match === null) return at;
    const { close, name } = match.groups as { readonly close?: string; readonly name?: string };
    if (name === undefined) continue;
    if (close === "/") {
      if (open.pop() !== name) return at;
      continue;
    }
    if (open.length === 0 && (roots++ > 0 || name !== root)) return at;
    if (!match[0].endsWith("/>")) open.push(name);
  }
  return open.length > 0 || roots === 0 ? text.length : undefined;
}
