/**
 * The little of TOML that manifests need: tables with strings and lists of strings. Everything else is passed over, so
 * a manifest with a fault gives what can still be read. Pure.
 */

/** Strings and lists of strings by table and key: `package.name`. Tables in double brackets keep their first value. */
export type TomlStrings = ReadonlyMap<string, readonly string[]>;

/** Read the strings of a TOML text; keys stand behind the name of their table and a dot. */
export function readTomlStrings(text: string): TomlStrings {
  const values = new Map<string, readonly string[]>();
  const lines = text.split(/\r?\n/);
  let table = "";
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trim();
    const header = /^\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (header !== null) {
      table = `${unquote(header[1] as string)}.`;
      continue;
    }
    const pair = /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line);
    if (pair === null) continue;
    let value = pair[2] as string;
    if (value.startsWith("[")) {
      while (!closesList(value) && at + 1 < lines.length) value += `\n${lines[++at]}`;
    }
    const key = table + unquote(pair[1] as string);
    if (!values.has(key)) values.set(key, stringsOf(value));
  }
  return values;
}

function closesList(value: string): boolean {
  return value
    .replace(/"[^"\n]*"|'[^'\n]*'/g, "")
    .replace(/#.*$/gm, "")
    .includes("]");
}

function stringsOf(value: string): string[] {
  const found: string[] = [];
  const isList = value.startsWith("[");
  for (const match of value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|#.*$/gm)) {
    const text = match[1] ?? match[2];
    if (text === undefined) continue;
    found.push(text);
    if (!isList) break;
  }
  return found;
}

function unquote(key: string): string {
  return key.replace(/"/g, "").trim();
}
