/**
 * Which documents a search may find: by collection, document, facets, and the fields and words that the query itself
 * asks for or excludes.
 *
 * What the caller sets is checked and refused where it cannot be meant (`checkFilter`); what stands in a query never is:
 * a value that no document has is left out and told.
 */
import type { DocumentPlace } from "../docs/documents.ts";
import { countFacets, type DocumentSet, listFacetValues, selectDocuments } from "../docs/facets.ts";
import type { FacetCounts, FacetFilter } from "../docs/model.ts";
import { collectionOf, hasDocument } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { analyzeText } from "../text/analyze.ts";
import { nearestNames } from "../text/nearest.ts";
import type { SearchRequest, UnusedField } from "./answer.ts";
import type { PhraseJudge } from "./phrases.ts";
import { type FieldClause, isOfFacet, type ParsedQuery } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

const NEAREST = 3;

/** Fields of a query, ready to select by. */
export interface QueryFields {
  readonly facets: FacetFilter;
  readonly titles: readonly FieldClause[];
  readonly paths: readonly FieldClause[];
  /** Fields that select nothing, because no document has such a value. */
  readonly unused: readonly UnusedField[];
}

/** Match the fields of a query with what the index holds. The facet tables must be resident when there are fields. */
export function readFields(reader: IndexReader, fields: readonly FieldClause[]): QueryFields {
  const include = new Map<string, string[]>();
  const exclude = new Map<string, string[]>();
  const unused: UnusedField[] = [];
  const facetFields = fields.filter(isOfFacet);
  const known = facetFields.length === 0 ? new Map<string, Set<string>>() : listFacetValues(reader);
  for (const { field, values, negated } of facetFields) {
    const all = known.get(field) ?? new Set<string>();
    const found = values.flatMap((value) => {
      const match = all.has(value) ? value : [...all].find((other) => other.toLowerCase() === value.toLowerCase());
      if (match === undefined) unused.push({ field, value, nearest: nearestNames(value, all, NEAREST) });
      return match === undefined ? [] : [match];
    });
    if (found.length > 0) (negated ? exclude : include).set(field, found);
  }
  return {
    facets: { include: Object.fromEntries(include), exclude: Object.fromEntries(exclude) },
    titles: fields.filter(({ field }) => field === "title"),
    paths: fields.filter(({ field }) => field === "path"),
    unused,
  };
}

interface Selection {
  readonly request: Pick<SearchRequest, "collections" | "documentId" | "filter">;
  /** Where the document that `request.documentId` names is; undefined where there is none. */
  readonly only: DocumentPlace | undefined;
  readonly fields: QueryFields;
  readonly requirements: ParsedQuery["requirements"];
  /** Must be there when there are requirements. */
  readonly judge: PhraseJudge | undefined;
}

/** Documents of a visible shard that may be found, or undefined for all of them. */
export function restrictShard(reader: IndexReader, visible: number, selection: Selection): DocumentSet | undefined {
  const { request, only, fields, requirements, judge } = selection;
  const shard = reader.shards[visible]?.index ?? 0;
  const locator = residentTable(reader, shard, "locator");
  const { slots } = locator;
  const sets = [
    selectDocuments(reader, shard, request.filter),
    selectDocuments(reader, shard, fields.facets),
    ...requirements.map((requirement) => judge?.select(requirement, visible, slots)),
  ].filter((set) => set !== undefined);
  const selected = sets.length === 0 ? undefined : sets.reduce(intersect);
  const collectionAt = (document: number): string => reader.collectionAt(collectionOf(locator, document)).name;
  const tests: ((document: number) => boolean)[] = [];
  const { collections, documentId } = request;
  if (collections.length > 0) {
    tests.push((document) => collections.includes(collectionAt(document)));
  }
  if (documentId !== undefined) {
    tests.push((document) => only?.shard === shard && only.number === document);
  }
  for (const clause of fields.paths) tests.push((document) => hasPath(reader, shard, document, clause));
  for (const clause of fields.titles) tests.push((document) => hasTitle(reader, shard, document, clause));
  if (tests.length === 0) return selected;
  const result = selected ?? new Uint8Array(slots).fill(1);
  for (let document = 0; document < slots; document++) {
    if (result[document] === 0) continue;
    if (!hasDocument(locator, document) || !tests.every((test) => test(document))) result[document] = 0;
  }
  return result;
}

function intersect(a: DocumentSet, b: DocumentSet): DocumentSet {
  return a.map((member, document) => member & (b[document] ?? 0));
}

/** Paths hold the text anywhere, whatever the case; `*` stands for anything. */
function hasPath(reader: IndexReader, shard: number, document: number, { values, negated }: FieldClause): boolean {
  const path = (residentTable(reader, shard, "titles").at(document)?.path ?? "").toLowerCase();
  return values.some((value) => holdsPieces(path, value.toLowerCase().split("*"))) !== negated;
}

/** Whether the pieces stand in the text one behind the other. */
function holdsPieces(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** Titles hold every word of the value. */
function hasTitle(reader: IndexReader, shard: number, document: number, { values, negated }: FieldClause): boolean {
  const title = residentTable(reader, shard, "titles").at(document)?.title ?? "";
  const analyzer = analyzerOfDocument(reader, shard, document);
  const terms = new Set(analyzeText(title, analyzer).map(({ term }) => term));
  const holds = (value: string): boolean =>
    analyzeText(value, analyzer).every(({ term, kind }) => kind === "exact" || kind === "variant" || terms.has(term));
  return values.some(holds) !== negated;
}

/** Count the facets of documents, by visible shard, but those that were rejected. The facet tables must be resident. */
export function countResult(
  reader: IndexReader,
  members: readonly DocumentSet[],
  rejected: ReadonlySet<ScoredDocument>,
): FacetCounts {
  for (const { shard, document } of rejected) (members[shard] as DocumentSet)[document] = 0;
  return countFacets(reader, new Map(members.map((set, shard) => [reader.shards[shard]?.index ?? 0, set])));
}
