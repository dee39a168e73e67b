/**
 * Reads what the module with Pagefind's interface asks: JSON in one parameter, held to bounds member by member. By hand, since
 * the packages that check JSON by schemas would be a tenth of the Worker.
 *
 * Pure: text in, values out.
 */
import { InputError } from "../core/errors.ts";
import { MAX_QUERY_LENGTH } from "../core/search/answer.ts";
import type { AddedFacets, PagesRequest } from "../core/search/find-pages.ts";
import { RANKING_BOUNDS, RANKING_NAMES, type RankingSettings } from "../core/search/ranking-settings.ts";
import type { PagesToRead } from "../core/search/read-pages.ts";
import { nearestNames, quoteValue } from "../core/text/nearest.ts";

/** Pages of one question, facets that are added to all, and values of each of those. */
const MAX_LIST = 20;
/** Terms that a query stands for, longer words among them. */
const MAX_TERMS = 500;
const MAX_NAME = 200;
/** A question that works: how many pages have each value. */
const EXAMPLE = '/pagefind/pages?ask={"count":{"added":{},"language":""}}';

/** A question: how many pages have each value, which pages there are for some words, or what stands in pages. */
export type PagefindQuestion =
  | { readonly count: Pick<PagesRequest, "added" | "language"> }
  | { readonly find: PagesRequest }
  | { readonly read: Pick<PagesToRead, "generation" | "keys" | "terms"> };

type Members = Readonly<Record<string, unknown>>;

/** The question that a text of JSON is. @throws {InputError} which says which member is not what it must be. */
export function readPagefindQuestion(json: string): PagefindQuestion {
  const asked = readMembers(parse(json), "ask", ["count", "find", "read"]);
  if (Object.keys(asked).length !== 1) refuse("ask", "an object with one member: count, find or read");
  const [[kind, question] = ["", undefined]] = Object.entries(asked);
  if (kind === "count") {
    const { added, language } = readMembers(question, "ask.count", ["added", "language"]);
    return { count: { added: readAdded(added, "ask.count"), language: readName(language, "ask.count.language") } };
  }
  return kind === "find" ? { find: readFind(question) } : { read: readRead(question) };
}

function parse(json: string): unknown {
  if (json === "") throw new InputError("ask is missing: a question as JSON.", [], EXAMPLE);
  try {
    return JSON.parse(json);
  } catch {
    return refuse("ask", "JSON", json);
  }
}

function readFind(question: unknown): PagesRequest {
  const where = "ask.find";
  const names = ["query", "filter", "added", "language", "sort", "withCounts", "ranking", "typing"];
  const { query, filter, added, language, sort, withCounts, ranking, typing } = readMembers(question, where, names);
  return {
    query: query === undefined ? undefined : readText(query, `${where}.query`, MAX_QUERY_LENGTH),
    // Its levels are counted where it is applied, and what is no condition is passed over there.
    filter,
    added: readAdded(added, where),
    language: readName(language, `${where}.language`),
    sort: sort === undefined ? undefined : readSort(sort, `${where}.sort`),
    withCounts: readFlag(withCounts, `${where}.withCounts`),
    ranking: readRanking(ranking, `${where}.ranking`),
    typing: readFlag(typing, `${where}.typing`),
  };
}

function readRead(question: unknown): Pick<PagesToRead, "generation" | "keys" | "terms"> {
  const where = "ask.read";
  const { generation, keys, terms } = readMembers(question, where, ["generation", "keys", "terms"]);
  const pages = readList(keys, `${where}.keys`, MAX_LIST);
  if (pages.length === 0) refuse(`${where}.keys`, "a list of one key or more");
  return {
    generation: readName(generation, `${where}.generation`),
    keys: pages.map((key, at) => readName(key, `${where}.keys[${at}]`)),
    terms: readList(terms, `${where}.terms`, MAX_TERMS).map((pair, at) => {
      const place = `${where}.terms[${at}]`;
      const [term, weight] = readList(pair, place, 2);
      if (weight === undefined) return refuse(place, "a term and its weight");
      return [readName(term, `${place}[0]`), readNumber(weight, `${place}[1]`, -Number.MAX_VALUE, Number.MAX_VALUE)];
    }),
  };
}

function readSort(value: unknown, where: string): NonNullable<PagesRequest["sort"]> {
  const { key, descending } = readMembers(value, where, ["key", "descending"]);
  return { key: readName(key, `${where}.key`), descending: readFlag(descending, `${where}.descending`) };
}

function readRanking(value: unknown, where: string): RankingSettings {
  const settings = readMembers(value, where, RANKING_NAMES);
  const given = RANKING_NAMES.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const { minimum, maximum } = RANKING_BOUNDS[name];
      return [name, readNumber(settings[name], `${where}.${name}`, minimum, maximum)];
    }),
  );
}

function readAdded(value: unknown, question: string): AddedFacets {
  const where = `${question}.added`;
  const entries = Object.entries(readObject(value, where));
  if (entries.length > MAX_LIST) refuse(where, `an object of at most ${MAX_LIST} facets`);
  return Object.fromEntries(
    entries.map(([key, values]) => {
      const place = `${where}.${readName(key, `a name in ${where}`)}`;
      return [key, readList(values, place, MAX_LIST).map((one, at) => readName(one, `${place}[${at}]`))];
    }),
  );
}

/** An object without members of other names. */
function readMembers(value: unknown, where: string, names: readonly string[]): Members {
  const members = readObject(value, where);
  const other = Object.keys(members).find((name) => !names.includes(name));
  if (other === undefined) return members;
  const nearest = nearestNames(other, names, 3);
  throw new InputError(`${where} has no member ${quoteValue(other)}; it has ${names.join(", ")}.`, nearest, EXAMPLE);
}

function readObject(value: unknown, where: string): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  return refuse(where, "an object", value);
}

function readList(value: unknown, where: string, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  return refuse(where, `a list of at most ${most} entries`, value);
}

function readName(value: unknown, where: string): string {
  return readText(value, where, MAX_NAME);
}

function readText(value: unknown, where: string, most: number): string {
  if (typeof value === "string" && value.length <= most) return value;
  return refuse(where, `a text of at most ${most} characters`, value);
}

function readNumber(value: unknown, where: string, minimum: number, maximum: number): number {
  if (typeof value === "number" && value >= minimum && value <= maximum) return value;
  const isBounded = maximum < Number.MAX_VALUE;
  return refuse(where, isBounded ? `a number from ${minimum} to ${maximum}` : "a number", value);
}

function readFlag(value: unknown, where: string): boolean {
  return typeof value === "boolean" ? value : refuse(where, "true or false", value);
}

function refuse(where: string, wanted: string, got?: unknown): never {
  throw new InputError(`${where} must be ${wanted}${got === undefined ? "" : `; got ${nameValue(got)}`}.`, [], EXAMPLE);
}

/** A wrong value as an error repeats it. What holds others may be nested without end. */
function nameValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : quoteValue(value);
}
