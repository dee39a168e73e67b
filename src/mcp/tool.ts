/**
 * What every tool shares. `defineTool` declares a tool in a file of `tools/`, and `profiles.ts` lists it; `list_documents` is a
 * simple example.
 *
 * `call.ts` runs a tool and does what is the same for all: a tool throws `InputError` for what the caller can mend. Of its arguments,
 * snake_case, camelCase and common aliases name the same one; `null`, an empty text and, where it is not required, an empty list mean
 * "left out".
 */
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { foldName, nearestNames, quoteValue } from "../core/text/nearest.ts";
import { type Arguments, type Parameters, readValue, schemaOf } from "../surface/parameters.ts";
import type { Answer } from "../surface/render/answer.ts";
import { FORMATS, type Format } from "../surface/render/render.ts";
import type { SessionSettings, SessionState, StatePart } from "../surface/session/session-state.ts";

/** Most tokens that an answer of a tool may have. */
const HIGHEST_MAX_TOKENS = 6000;
/** The same for a tool that reads whole bodies. */
const HIGHEST_MAX_TOKENS_OF_BODIES = 20_000;

export interface ToolContext {
  /** Reader over the current generation, fresh for this call: its `cost` is the cost of the call. */
  readonly reader: IndexReader;
  /**
   * A reader over what is published now: the pointer is read again, and nothing comes out of a cache. The answer then names
   * the generation of that reader.
   */
  readonly refresh: () => Promise<IndexReader>;
  /** Results to skip: what the cursor says, else 0. */
  readonly offset: number;
  readonly format: Format;
  /** Estimated tokens that the answer may have. The renderer cuts; a tool needs this only to read less. */
  readonly maxTokens: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Name of the corpus that answers; `""` for the one at the root. */
  readonly corpus: string;
  /** Sections whose words the session showed before, by their ids by number; empty without a session. */
  readonly shownBefore: ReadonlySet<string>;
  /** Whether a document lies in the collections of the session's scope; absent where there is none. */
  readonly inScope?: ((documentId: string) => boolean) | undefined;
  /** The session that the call belongs to. */
  readonly session?: SessionState | undefined;
  /** Opens a session; absent where none are kept. */
  readonly openSession?: ((settings: SessionSettings) => Promise<OpenedSession>) | undefined;
  /** Id of the generation that is published now, where that can be told. */
  readonly currentGeneration?: (() => Promise<string | undefined>) | undefined;
}

/** A session that was just opened. */
interface OpenedSession {
  readonly handle: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Addresses for clients that cannot pass an argument; none where the server has no address. */
  readonly urls: readonly string[];
}

/** What the framework knows of a tool whatever its parameters are. */
interface ToolFacts {
  readonly name: string;
  /** What people are shown in place of the name. */
  readonly title?: string;
  readonly description: string;
  /** Arguments of a typical call, by declared name. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What it needs to know of a session beside its settings and sums. */
  readonly sessionParts?: readonly StatePart[];
  /** True for the tool that opens sessions: it belongs to none, and changes something. */
  readonly opensSession?: true;
  /** True where the same call on the same generation has the same answer, and may take much work: it is kept then. */
  readonly isKept?: true;
  /** Tokens of a text when the caller does not say; 3000 when absent. */
  readonly usualTokens?: number;
  /** True where answers quote texts: then they say what the scan of the build found in them. */
  readonly quotes?: true;
}

/** A tool as its file declares it. */
interface ToolDefinition<P extends Parameters> extends ToolFacts {
  readonly parameters: P;
  /** True for a tool with `limit` whose answers have a next page. */
  readonly pages?: boolean;
  /** Whether a call reads whole bodies: then it may answer with more tokens. */
  readonly readsBodies?: (args: Arguments<P>) => boolean;
  /** True where answers are short in any format: the list of tools, which every client pays for, leaves out how to cut them. */
  readonly isShort?: true;
  /** True where the instructions say once what all tools share: `session`, `format`, `max_tokens` and `cursor` are accepted and not listed. */
  readonly isSparing?: true;
  readonly run: (args: Arguments<P>, context: ToolContext) => Promise<Answer>;
}

/** A tool as the framework runs it. */
export interface Tool extends ToolFacts {
  /** Its own parameters and the shared ones. */
  readonly parameters: Parameters;
  /** Most tokens that a call with these arguments may answer with. */
  readonly highestMaxTokens: (values: Readonly<Record<string, unknown>>) => number;
  readonly run: (values: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<Answer>;
}

/** Name of the argument that all tools take but the one that opens sessions. */
export const SESSION_ARGUMENT = "session";

/** Annotations of a tool that changes nothing. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tool that a definition declares. */
export function defineTool<const P extends Parameters>(definition: ToolDefinition<P>): Tool {
  const { parameters, pages, readsBodies, isShort = false, isSparing = false, run, ...facts } = definition;
  const unlisted = isShort || isSparing;
  return {
    ...facts,
    highestMaxTokens: (values) =>
      readsBodies?.(values as Arguments<P>) === true ? HIGHEST_MAX_TOKENS_OF_BODIES : HIGHEST_MAX_TOKENS,
    parameters: {
      ...parameters,
      ...(facts.opensSession !== true && { [SESSION_ARGUMENT]: { kind: "text", unlisted: isSparing } }),
      ...(pages === true && { cursor: { kind: "text", unlisted: isSparing } }),
      max_tokens: { kind: "integer", unlisted },
      format: { kind: "choice", values: FORMATS, unlisted },
    },
    // `readArguments` made the values out of these very declarations; here and above the two types meet again.
    run: (values, context) => run(values as Arguments<P>, context),
  };
}

/** The tool as `tools/list` shows it. */
export function toListedTool({ name, title, description, parameters, opensSession }: Tool) {
  const annotations = opensSession ? { ...READ_ONLY, readOnlyHint: false, idempotentHint: false } : READ_ONLY;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: toInputSchema(parameters),
    annotations,
  };
}

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
