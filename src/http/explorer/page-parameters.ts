/**
 * Parameters of pages' addresses. What is wrong with one becomes a page that says what would be right.
 *
 * Pure: parameters in, values out.
 */
import type { AddressParameters, Arguments } from "../../surface/parameters.ts";
import { readParameters } from "../read-parameters.ts";

/** Who turns pages goes no further; nothing that is listed is longer. */
const MAX_OFFSET = 1_000_000;

/** Where the page of a list begins. */
export const OFFSET = {
  kind: "integer",
  default: 0,
  minimum: 0,
  maximum: MAX_OFFSET,
  description: "entries of the list that are passed over",
} as const;

/** Parameters of a document's page. */
export const DOCUMENT_PAGE_PARAMETERS = {
  from: {
    kind: "integer",
    default: 0,
    minimum: 0,
    maximum: 1e9,
    description: "section or line that the page for browsers is to hold",
  },
} as const satisfies AddressParameters;

/** Values of a page's parameters. @throws {InputError} where they are not what the table says. */
export function readPage<P extends AddressParameters>(given: URLSearchParams, table: P): Arguments<P> {
  const [name, parameter] = Object.entries(table).find(([, one]) => "default" in one && one.default !== "") ?? [];
  const example = parameter !== undefined && "default" in parameter ? `${name}=${parameter.default}` : "";
  return readParameters(given, table, [], example);
}
