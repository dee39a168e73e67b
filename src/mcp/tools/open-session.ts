/** Tool `open_session`: a memory for the calls that follow. A scope that names nothing in the index is refused at once. */

import { checkCollection, listDocuments } from "../../core/docs/catalogue.ts";
import { isEmptyFilter, NO_FILTER } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { foldName, nearestNames, quoteName } from "../../core/text/nearest.ts";
import { type Arguments, type Parameters, readValue } from "../../surface/parameters.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import type { SessionSettings } from "../../surface/session/session-state.ts";
import { defineTool } from "../tool.ts";

const MAX_BUDGET = 10_000_000;
/** The facet that holds the version of a document's collection. */
const VERSION_KEY = "version";
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
  given: JsonObject,
): Promise<Pick<SessionSettings, "collections" | "version" | "filters">> {
  const values = readMembers(given, reader.facetKeys);
  const collections = [...new Set(values.collections ?? values.collection)];
  for (const name of collections) checkCollection(reader, name);
  const { version = "" } = values;
  const { include, exclude } = values.filters ?? NO_FILTER;
  const filter = { include: { ...include, ...(version !== "" && { [VERSION_KEY]: [version] }) }, exclude };
  if (isEmptyFilter(filter)) return { collections, version, filters: filter };
  // The catalogue names the nearest keys and values of those that it does not have.
  const everywhere = { query: "", collection: "", folder: "", sort: "path", offset: 0, limit: 1 } as const;
  const { total } = await listDocuments(reader, { ...everywhere, filter });
  if (total === 0) throw new InputError(`No document fits the scope's version and filters together.`);
  return { collections, version, filters: filter };
}

/** Members of a scope. Of a single collection the name is one, too. */
const SCOPE = {
  collections: { kind: "texts" },
  version: { kind: "text" },
  filters: { kind: "filter" },
  collection: { kind: "texts" },
} as const satisfies Parameters;

function readMembers(given: JsonObject, facetKeys: readonly string[]): Partial<Arguments<typeof SCOPE>> {
  const names = Object.keys(SCOPE) as (keyof typeof SCOPE)[];
  const listed = names.slice(0, -1);
  const members = Object.entries(given).flatMap(([name, value]) => {
    const known = names.find((key) => foldName(key) === foldName(name));
    if (known === undefined) {
      throw new InputError(
        `scope has no ${quoteName(name)}; it takes ${listed.join(", ")}, as in ${EXAMPLE}.`,
        nearestNames(name, listed, 1),
      );
    }
    if (value === null || value === "") return [];
    const written = typeof value === "number" ? `${value}` : value;
    return [[known, readValue(`scope.${known}`, SCOPE[known], written, { notes: [], facetKeys })]];
  });
  return Object.fromEntries(members);
}
