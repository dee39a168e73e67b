/**
 * Parameters of pages' addresses. What is wrong with one becomes a page that says what would be right.
 *
 * Pure: parameters in, values out.
 */
import type { Parameters } from "../parameters.ts";
import { readParameters } from "../read-parameters.ts";

/** Who turns pages goes no further; nothing that is listed is longer. */
const MAX_OFFSET = 1_000_000;
const OFFSET = {
  offset: { kind: "number", default: 0, minimum: 0, maximum: MAX_OFFSET, description: "entries passed over" },
} as const satisfies Parameters;
const START = {
  from: { kind: "number", default: 0, minimum: 0, maximum: 1e9, description: "section or line that is wanted" },
} as const satisfies Parameters;

/** One of some values; the first where the address has none. @throws {InputError} */
export function readChoice<Value extends string>(
  parameters: URLSearchParams,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const table = { [name]: { kind: "choice", values, default: values[0], description: name } } as const;
  return readParameters(parameters, table, [], `${name}=${values[0]}`)[name] as Value;
}

/** Where the page of a list begins, 0 when the address does not say. @throws {InputError} */
export function readOffset(parameters: URLSearchParams): number {
  return readParameters(parameters, OFFSET, [], "offset=100").offset;
}

/** The section or line that a document's page is to show, 0 when the address does not say. @throws {InputError} */
export function readStart(parameters: URLSearchParams): number {
  return readParameters(parameters, START, [], "from=100").from;
}
