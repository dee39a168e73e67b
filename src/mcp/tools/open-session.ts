/** Tool `open_session`: a memory for the calls that follow. A scope that names nothing in the index is refused at once. */

import { checkCollection, listDocuments } from "../../core/docs/catalogue.ts";
import type { FacetFilter } from "../../core/docs/model.ts";
import { isEmptyFilter } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { foldName, nearestNames, quoteName, quoteValue } from "../../core/text/nearest.ts";
import { readFilter } from "../../surface/read-filter.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import type { SessionSettings } from "../../surface/session/session-state.ts";
import { defineTool } from "../tool.ts";

const MAX_BUDGET = 10_000_000;
/** The facet that holds the version of a document's collection. */
const VERSION_KEY = "version";
const SCOPE_KEYS = ["collections", "version", "filters"] as const;
const MAX_COLLECTIONS = 50;
const EXAMPLE = '{"collections": ["docs"], "version": "2.1", "filters": {"type": "guide"}}';

export const openSessionTool = defineTool({
  name: "open_session",
  description:
    "A handle to pass as session: what was shown is left out, generation and scope stay. Calls change its memory only.",
  parameters: {
    scope: { kind: "object", description: "collections, version, filters" },
    ranking: { kind: "ranking" },
    token_budget: { kind: "integer", maximum: MAX_BUDGET, aliases: ["budget"] },
  },
  opensSession: true,
  isShort: true,
  example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
  async run({ scope, ranking, token_budget }, { reader, openSession }) {
    if (openSession === undefined) throw new InputError("This server keeps no sessions; call without session.");
    const settings = {
      ...(await readScope(reader, scope ?? {})),
      ranking: ranking ?? {},
      tokenBudget: token_budget ?? 0,
    };
    const { handle, expiresAt, urls } = await openSession(settings);
    const { id } = reader.generation;
    const [url] = urls;
    const expires = new Date(expiresAt).toISOString();
    const json: JsonObject = {
      session: handle,
      ...(url !== undefined && { url, urls }),
      generationId: id,
      expiresAt: expires,
    };
    const lines = [
      ...urls.map((address) => `  ${address}`),
      `It stays on generation ${id} and ends a day after its last use.`,
    ];
    return {
      summary: `Pass session: "${handle}" with every call${urls.length > 0 ? ", or use one of these addresses:" : "."}`,
      forms: [{ detail: "the session", blocks: () => [lines.join("\n")], json: () => json, perItem: false }],
    };
  },
});

/** The scope that an object stands for. @throws {InputError} with the nearest names where it names what there is not. */
async function readScope(
  reader: IndexReader,
  given: Readonly<Record<string, unknown>>,
): Promise<Pick<SessionSettings, "collections" | "version" | "filters">> {
  const members = readMembers(given);
  const collections = readCollections(reader, members.collections ?? members.collection);
  const version = readVersion(members.version);
  const filters = withVersion(readFilters(reader, members.filters), version);
  if (isEmptyFilter(filters)) return { collections, version, filters };
  // The catalogue names the nearest keys and values of those that it does not have.
  const request = {
    query: "",
    collection: "",
    folder: "",
    filter: filters,
    sort: "path",
    offset: 0,
    limit: 1,
  } as const;
  const { total } = await listDocuments(reader, request);
  if (total === 0) throw new InputError(`No document fits the scope's version and filters together.`);
  return { collections, version, filters };
}

function readMembers(given: Readonly<Record<string, unknown>>): Partial<Record<string, unknown>> {
  const members: Partial<Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(given)) {
    const known = [...SCOPE_KEYS, "collection"].find((key) => foldName(key) === foldName(name));
    if (known === undefined) {
      throw new InputError(
        `scope has no ${quoteName(name)}; it takes ${SCOPE_KEYS.join(", ")}, as in ${EXAMPLE}.`,
        nearestNames(name, SCOPE_KEYS, 1),
      );
    }
    if (value !== null && value !== "") members[known] = value;
  }
  return members;
}

function readCollections(reader: IndexReader, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const list = [...new Set([value].flat() as unknown[])];
  if (list.length === 0 || list.length > MAX_COLLECTIONS || !list.every((one) => typeof one === "string")) {
    throw new InputError(
      `scope.collections must be a list of up to ${MAX_COLLECTIONS} names; got ${quoteValue(value)}.`,
    );
  }
  for (const name of list) checkCollection(reader, name);
  return list;
}

function readVersion(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new InputError(`scope.version must be a text, as in ${EXAMPLE}; got ${quoteValue(value)}.`);
}

function readFilters(reader: IndexReader, value: unknown): FacetFilter {
  if (value === undefined) return { include: {}, exclude: {} };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError(`scope.filters must be an object, as in ${EXAMPLE}; got ${quoteValue(value)}.`);
  return readFilter(value as Readonly<Record<string, unknown>>, reader.facetKeys);
}

function withVersion({ include, exclude }: FacetFilter, version: string): FacetFilter {
  return version === "" ? { include, exclude } : { include: { ...include, [VERSION_KEY]: [version] }, exclude };
}
