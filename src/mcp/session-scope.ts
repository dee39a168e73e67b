/**
 * A session's settings as arguments of a call: its scope narrows what is looked through, its ranking stands below the
 * call's own.
 *
 * A scope is there for convenience: what a call names itself is answered whether or not it lies within, and a note says
 * so. Access is decided elsewhere.
 *
 * Pure: values in, values out.
 */
import type { FacetFilter } from "../core/docs/model.ts";
import { splitDocumentId } from "../core/docs/node-id.ts";
import type { SessionSettings } from "../surface/session/session-state.ts";
import type { Tool } from "./tool.ts";

/** Key of the facet that holds a document's collection. */
const COLLECTION_KEY = "collection";
/** Arguments that name a place: a call with one of them is about that place. */
const PLACES = ["doc_id", "node_id", "node_ids", "file", "symbol", "target", "from", "to", "path"] as const;

type Values = Readonly<Record<string, unknown>>;

/** Arguments with those of the session. */
export interface ScopedArguments {
  readonly values: Values;
  /** Sentences for the answer: what was left out of the scope. */
  readonly notes: readonly string[];
}

/** The arguments of a call as they are within a session. */
export function applySettings(
  tool: Pick<Tool, "name" | "parameters">,
  values: Values,
  settings: SessionSettings,
): ScopedArguments {
  const notes = namesOutside(values, settings.collections).map(
    (name) => `${name} is outside of this session's scope (${settings.collections.join(", ")}).`,
  );
  const isAboutPlace = PLACES.some((name) => values[name] !== undefined);
  const scoped = isAboutPlace ? { values, notes: [] } : narrow(tool, values, settings);
  const hasRanking = tool.parameters.ranking !== undefined && Object.keys(settings.ranking).length > 0;
  return {
    values: hasRanking
      ? { ...scoped.values, ranking: { ...settings.ranking, ...(values.ranking as object | undefined) } }
      : scoped.values,
    notes: [...notes, ...scoped.notes],
  };
}

/** Whether a document lies in the collections of a scope; undefined where it has none. */
export function scopeTest({ collections }: SessionSettings): ((documentId: string) => boolean) | undefined {
  return collections.length === 0 ? undefined : (id) => collections.includes(splitDocumentId(id).collection);
}

function narrow({ name, parameters }: Pick<Tool, "name" | "parameters">, values: Values, settings: SessionSettings) {
  const { collections, filters } = settings;
  const takesFilters = parameters.filters?.kind === "filter";
  const hasOwn = values.collection !== undefined || collections.length === 0;
  const [only] = collections;
  if (parameters.collection !== undefined && !hasOwn && collections.length === 1) {
    return mergeFilters({ ...values, collection: only }, takesFilters ? filters : undefined);
  }
  if (!takesFilters) {
    const notes =
      parameters.collection === undefined || hasOwn
        ? []
        : [`${name} takes one collection or all; this is of all, not only of ${collections.join(", ")}.`];
    return { values, notes };
  }
  const include = hasOwn ? filters.include : { ...filters.include, [COLLECTION_KEY]: collections };
  return mergeFilters(values, { include, exclude: filters.exclude });
}

/** Both filters: keys of either must hold; of a key that both have, the values that both allow. */
function mergeFilters(values: Values, scope: FacetFilter | undefined): ScopedArguments {
  const keys = Object.keys({ ...scope?.include, ...scope?.exclude });
  if (scope === undefined || keys.length === 0) return { values, notes: [] };
  const own = (values.filters ?? { include: {}, exclude: {} }) as FacetFilter;
  const notes: string[] = [];
  const include = new Map(Object.entries(own.include));
  for (const [key, allowed] of Object.entries(scope.include)) {
    const wanted = include.get(key);
    const both = wanted?.filter((value) => allowed.includes(value)) ?? allowed;
    if (both.length > 0) include.set(key, both);
    else notes.push(`${key} ${(wanted ?? []).join(", ")} is outside of this session's scope (${allowed.join(", ")}).`);
  }
  const exclude = new Map(Object.entries(own.exclude));
  for (const [key, refused] of Object.entries(scope.exclude)) {
    exclude.set(key, [...new Set([...(exclude.get(key) ?? []), ...refused])]);
  }
  const filters: FacetFilter = { include: Object.fromEntries(include), exclude: Object.fromEntries(exclude) };
  return { values: { ...values, filters }, notes };
}

/** Collections and ids that the call names and that lie in other collections. */
function namesOutside(values: Values, collections: readonly string[]): string[] {
  if (collections.length === 0) return [];
  const { collection } = values;
  const ids = PLACES.flatMap((name) => values[name] ?? []).filter((one): one is string => typeof one === "string");
  const isOutside = (name: string): boolean => name !== "" && !collections.includes(name);
  return [
    ...(typeof collection === "string" && isOutside(collection) ? [collection] : []),
    ...ids.filter((id) => isOutside(splitDocumentId(id).collection)),
  ];
}
