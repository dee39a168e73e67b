/**
 * Arguments of a tool's calls: the schema that `tools/list` shows, and the values that a client sent.
 *
 * snake_case, camelCase and common aliases name the same argument; `null`, an empty text and, where it is not required, an
 * empty list mean "left out".
 */
import { InputError } from "../core/errors.ts";
import { foldName, nearestNames, quoteValue } from "../core/text/nearest.ts";
import { type Parameters, readValue, schemaOf } from "../surface/parameters.ts";

/** What other tools and servers call the same things. A name counts only where no parameter of the tool has it. */
const COMMON_ALIASES: Readonly<Record<string, readonly string[]>> = {
  query: ["q", "text", "search", "search_query", "question"],
  doc_id: ["doc", "document", "document_id", "document_query", "file", "file_path", "filename", "path", "source", "id"],
  file: ["path", "source", "doc_id", "document", "document_id", "document_query", "file_path", "filename"],
  symbol: ["symbol_id", "symbol_name", "name", "node_id", "id", "query", "q", "text"],
  node_id: ["node", "section", "section_id", "id"],
  node_ids: ["nodes", "node_id", "sections", "section_ids", "section_id", "ids", "id"],
  path: ["folder", "directory", "dir", "path_prefix"],
  filters: ["filter", "facets"],
  collection: ["collections", "collection_name"],
  sort: ["sort_by", "order_by"],
  limit: ["max_results", "top_k", "num_results", "count", "page_size"],
  cursor: ["next_cursor", "page_token"],
  max_depth: ["depth"],
  max_tokens: ["token_budget", "token_limit"],
  format: ["output_format", "response_format"],
  include_descendants: ["include_children", "include_subtree", "recursive"],
  preview_mode: ["code_preview"],
};

/** JSON Schema of a tool's input, as `tools/list` shows it. A type alias, so that it counts as a JSON value. */
type InputSchema = {
  type: "object";
  properties: { [name: string]: ReturnType<typeof schemaOf> };
  required?: string[];
};

/**
 * The schema of a tool's input. It names no further properties and forbids none: aliases are accepted without being
 * shown, and wrong names get an answer in words, which a client's own check would swallow.
 */
export function toInputSchema(parameters: Parameters): InputSchema {
  const properties: InputSchema["properties"] = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.unlisted === true || parameter.kind === "facets") continue;
    const { description } = parameter;
    properties[name] = { ...schemaOf(parameter), ...(description !== undefined && { description }) };
  }
  const required = Object.keys(properties).filter((name) => parameters[name]?.required === true);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

interface CallSignature {
  readonly name: string;
  readonly parameters: Parameters;
  /** Arguments of a typical call, shown when something is wrong. */
  readonly example: Readonly<Record<string, unknown>>;
}

/**
 * The values of a call's arguments by declared name, defaults filled in, and sentences on what was cut.
 *
 * @param facetKeys Keys of filters that the index knows.
 * @throws {InputError} where they are not what the tool takes.
 */
export function readArguments(
  signature: CallSignature,
  given: Readonly<Record<string, unknown>>,
  facetKeys: readonly string[],
) {
  const { parameters } = signature;
  const names = nameTable(parameters);
  const found = new Map<string, { readonly givenName: string; readonly value: unknown }>();
  for (const [givenName, value] of Object.entries(given)) {
    const target = names.get(foldName(givenName));
    if (target === undefined) throw unknownArgument(signature, givenName);
    if (value === undefined || value === null || value === "" || isEmptyList(parameters[target], value)) continue;
    const before = found.get(target);
    if (before !== undefined && JSON.stringify(before.value) !== JSON.stringify(value)) {
      throw new InputError(`${before.givenName} and ${givenName} both give ${target}; give one of them.`);
    }
    found.set(target, { givenName, value });
  }
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const entry = found.get(name);
    if (entry !== undefined) values[name] = readValue(entry.givenName, parameter, entry.value, { notes, facetKeys });
    else if (parameter.required === true) throw new InputError(`${signature.name} needs ${name}.`);
    else if ("default" in parameter) values[name] = parameter.default;
  }
  return { values, notes };
}

/** Whether a value is an empty list where a list may be left out. */
function isEmptyList(parameter: Parameters[string] | undefined, value: unknown): boolean {
  const isList = parameter?.kind === "texts" || parameter?.kind === "choices";
  return isList && parameter.required !== true && Array.isArray(value) && value.length === 0;
}

/** How many of the names that a call gives are arguments of a tool; its own names count a little more than aliases. */
export function countKnown(parameters: Parameters, given: Readonly<Record<string, unknown>>): number {
  const names = nameTable(parameters);
  const own = new Set(Object.keys(parameters).map(foldName));
  const known = Object.keys(given)
    .map(foldName)
    .filter((name) => names.has(name));
  return known.reduce((sum, name) => sum + (own.has(name) ? 1.01 : 1), 0);
}

/** `search_documents({"query": "install"})`: one call that works. */
export function formatExample(name: string, example: Readonly<Record<string, unknown>>): string {
  return `${name}(${JSON.stringify(example)})`;
}

/** Every name that is accepted, folded. Declared names win over aliases, earlier parameters over later ones. */
function nameTable(parameters: Parameters): ReadonlyMap<string, string> {
  const table = new Map(Object.keys(parameters).map((name) => [foldName(name), name]));
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const alias of [...(parameter.aliases ?? []), ...(COMMON_ALIASES[name] ?? [])]) {
      if (!table.has(foldName(alias))) table.set(foldName(alias), name);
    }
  }
  return table;
}

function unknownArgument({ name, parameters }: CallSignature, givenName: string): InputError {
  const known = Object.keys(parameters);
  const nearest = nearestNames(givenName, known);
  return new InputError(`${name} has no argument ${quoteValue(givenName)}; it takes ${known.join(", ")}.`, nearest);
}
