/**
 * Frontmatter of plain entries, read without a parser of YAML, which takes longer than all else that is done with most pages. What it
 * reads is what YAML 1.2 says; whatever it is not sure of is left to the parser.
 */

/** Not a number, a boolean or null, nothing that has a meaning in YAML, and on one line. */
const PLAIN = String.raw`[A-Za-z/](?:[^:#\x00-\x1f\ufeff]|:(?=[^ ])|(?<=[^ ])#)*`;
const NUMBER = String.raw`\d+(?:[/.-]\d+){2,}|[1-9]\d{0,14}|0`;
const QUOTED = String.raw`"([^"\\\x00-\x1f\ufeff]*)"|'([^'\x00-\x1f\ufeff]*)'`;
const SCALAR = `(?:${QUOTED}|(${PLAIN})|(${NUMBER}))`;
const FLOW_ITEM = String.raw`"[^"\\\x00-\x1f\ufeff]*"|'[^'\x00-\x1f\ufeff]*'|[A-Za-z](?:[\w./ -]*[\w.])?`;
const ENTRY = new RegExp(`^([A-Za-z][\\w.-]{0,60}(?: [\\w.-]{1,60}){0,3}):(?: +(?:(\\[.*\\])|${SCALAR}))? *$`);
const ITEM = new RegExp(`^( {0,8})- +${SCALAR} *$`);
const FLOW_LIST = new RegExp(`^\\[ *(?:(?:${FLOW_ITEM})(?: *, *(?:${FLOW_ITEM}))*)? *\\]$`);
const FLOW_ITEMS = new RegExp(FLOW_ITEM, "g");
const RESERVED = /^(?:true|false|null)$/i;

/** The values of frontmatter; undefined where only the parser can tell. */
export function readFlatFrontmatter(yaml: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  let list: unknown[] | undefined;
  let indent = "";
  let last = "";
  for (const line of yaml.endsWith("\n") ? yaml.slice(0, -1).split("\n") : yaml.split("\n")) {
    const item = last === "" ? null : ITEM.exec(line);
    if (item !== null) {
      const [, before = "", ...scalar] = item;
      if (list === undefined) {
        list = [];
        values[last] = list;
        indent = before;
      }
      const value = readScalar(scalar);
      if (before !== indent || value === undefined) return undefined;
      list.push(value);
      continue;
    }
    const entry = ENTRY.exec(line);
    if (entry === null) return undefined;
    const [, key = "", flow, ...scalar] = entry;
    if (RESERVED.test(key) || Object.hasOwn(values, key)) return undefined;
    const isEmpty = scalar.every((part) => part === undefined);
    const value = flow !== undefined ? readFlowList(flow) : isEmpty ? null : readScalar(scalar);
    if (value === undefined) return undefined;
    values[key] = value;
    list = undefined;
    last = flow === undefined && isEmpty ? key : "";
  }
  return values;
}

/** @param scalar What stands in double quotes, in single ones, plain, or as a number. */
function readScalar([double, single, plain, number]: readonly (string | undefined)[]): unknown {
  if (number !== undefined) return /^\d+$/.test(number) ? Number(number) : number;
  const text = plain?.replace(/ +$/, "");
  if (text === undefined || !RESERVED.test(text)) return double ?? single ?? text;
  return text === "true" ? true : text === "false" ? false : undefined;
}

function readFlowList(flow: string): unknown[] | undefined {
  if (!FLOW_LIST.test(flow)) return undefined;
  const items = flow.slice(1, -1).match(FLOW_ITEMS) ?? [];
  if (items.some((item) => RESERVED.test(item))) return undefined;
  return items.map((item) => (/^["']/.test(item) ? item.slice(1, -1) : item));
}
