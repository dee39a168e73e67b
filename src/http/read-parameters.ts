/** Reads the parameters of an address by the table of its route. */
import { InputError } from "../core/errors.ts";
import { nearestNames, quoteValue } from "../core/text/nearest.ts";
import { type AddressParameters, type Arguments, type Parameter, readValue } from "../surface/parameters.ts";

const MAX_UNKNOWN = 5;

/** Characters of a parameter that holds JSON: as long as platforms let addresses be. */
export const MAX_ADDRESS_LENGTH = 16_384;

/** The form of answers that come as JSON and as Markdown. It goes before `Accept`; `negotiate.ts` reads both. */
export const FORMAT_PARAMETER = {
  kind: "choice",
  values: ["json", "markdown"],
  description: "the form of the answer; it goes before Accept",
} as const;

/**
 * The values of an address.
 *
 * @param notes Takes a sentence for each value that is cut.
 * @param example An address that works, for errors.
 * @throws {InputError} for a value that does not fit.
 */
export function readParameters<P extends AddressParameters>(
  given: URLSearchParams,
  table: P,
  notes: string[],
  example: string,
): Arguments<P> {
  const values: Record<string, unknown> = {};
  try {
    for (const [name, parameter] of Object.entries(table)) {
      if (parameter.kind === "facets") continue;
      const value = findGiven(given, name, parameter);
      if (value !== undefined) values[name] = readValue(name, parameter, value, { notes, facetKeys: [] });
      else if (parameter.required) throw new InputError(`${name} is missing: ${parameter.description}.`);
      else if ("default" in parameter) values[name] = parameter.default;
    }
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, error.nearest, example) : error;
  }
  return values as Arguments<P>;
}

/** The first text under one of its names, or all texts of a list; undefined where there is none but blanks. */
function findGiven(given: URLSearchParams, name: string, parameter: Parameter): string | string[] | undefined {
  const texts = namesOf(name, parameter).flatMap((one) => given.getAll(one).filter((text) => text.trim() !== ""));
  if (parameter.kind === "texts") return texts.length === 0 ? undefined : texts;
  return parameter.kind === "text" ? texts[0]?.trim() : texts[0];
}

/**
 * Sentences on the first names that mean nothing here. They are no error: addresses carry marks of campaigns and caches.
 */
export function describeUnknown(given: URLSearchParams, table: AddressParameters): string[] {
  const parameters = Object.entries(table);
  const known = parameters.flatMap(([name, parameter]) =>
    parameter.kind === "facets" ? [] : namesOf(name, parameter),
  );
  const prefixes = parameters.flatMap(([, parameter]) => (parameter.kind === "facets" ? [parameter.prefix] : []));
  const unknown = [...new Set(given.keys())].filter(
    (name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const [near] = nearestNames(name, known, 1);
    return `${quoteValue(name)} is no parameter and was not used${near === undefined ? "" : `; nearest: ${near}`}.`;
  });
}

function namesOf(name: string, { aliases = [] }: Parameter): string[] {
  return [name, ...aliases];
}
