/**
 * What the value of `data-pagefind-meta`, `-filter` and `-sort` names: `key`, `key[attribute]` and `key:value`, several with commas
 * between them. A value is the rest of the text, whatever it holds.
 *
 * Pure.
 */

/** A key with the value that stands in the attribute, or undefined where it is the text of the element. */
export type NamedValue = readonly [key: string, value: string | undefined];

const FROM_ATTRIBUTE = /^([^:[\]]+)\[(.+)\]$/;

/** The keys of an attribute's value. `read` gives another attribute of the same element, `""` where there is none. */
export function readNamedValues(written: string, read: (attribute: string) => string): NamedValue[] {
  const colon = written.indexOf(":");
  const named = (colon < 0 ? written : written.slice(0, colon)).split(",").map((part) => part.trim());
  const last = colon < 0 ? undefined : named.pop();
  const values = named.map((part): NamedValue => {
    const [, key, attribute] = FROM_ATTRIBUTE.exec(part) ?? [];
    return key === undefined ? [part, undefined] : [key.trim(), read(attribute ?? "")];
  });
  if (last !== undefined) values.push([last, written.slice(colon + 1)]);
  return values.filter(([key]) => key !== "" && key !== "__proto__");
}
