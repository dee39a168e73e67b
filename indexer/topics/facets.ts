/**
 * Facets: what documents can be filtered by, and which keys are worth it.
 *
 * Sources of one document's facets, later ones winning: frontmatter, what is derived from path and content, what the
 * collection injects. Three derived keys let frontmatter speak first: `type`, `tags` and `language`.
 */

import { SORT_PREFIX } from "../../src/core/index/decode-tables.ts";
import { foldWhitespace } from "../../src/core/text/short-text.ts";
import { comparePaths } from "../base/globs.ts";
import { type CollectionConfig, DERIVED_FACET_KEYS, RESERVED_FACET_KEYS } from "../config/config.ts";
import type { CodeFile } from "../languages/base/code-file.ts";
import type { ParsedDocument, ParsedSection } from "../parse/parsed-document.ts";

const DEFAULT_TYPE = "page";

/** Names that give a type, as whole file names without ending, as their last word, or as folders. */
const NAMES_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  guide: ["guide", "guides", "how-to", "howto", "how-tos", "howtos"],
  tutorial: ["tutorial", "tutorials", "quickstart", "quick-start", "quickstarts", "getting-started", "walkthrough"],
  reference: ["reference", "references", "api", "apis", "api-reference", "api-docs"],
  faq: ["faq", "faqs", "frequently-asked-questions"],
  changelog: ["changelog", "changelogs", "changes", "history", "release-notes", "releases"],
  adr: ["adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture-decision-records"],
  runbook: ["runbook", "runbooks", "playbook", "playbooks"],
  example: ["example", "examples", "sample", "samples", "recipe", "recipes", "cookbook"],
  glossary: ["glossary", "glossaries", "terminology"],
  readme: ["readme"],
  blog: ["blog", "blogs", "posts", "news"],
};

const TYPE_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES_OF_TYPES).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Words that say it at the end of a longer file name, as in `migration-guide.md`. */
const TELLING_LAST_WORDS: ReadonlySet<string> = new Set(
  "guide tutorial quickstart reference faq changelog runbook playbook glossary".split(" "),
);

/**
 * Languages that documentation is translated into, by ISO 639 code. Only these count: `go`, `ts`, `io` and `os` are
 * codes of languages too, but as folders or in frontmatter they never mean them.
 */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk " +
    "km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur " +
    "uz vi yue zh zu"
  ).split(" "),
);

/** A language with script, region or both: `en`, `pt-br`, `zh-hans-cn`. */
const LOCALE = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/;

const SOURCE_TYPE = "source";

/** A longer text describes one document instead of grouping several; it is no facet value. */
const MAX_VALUE_LENGTH = 100;

/** Values of one key of one document; a longer list is a table, not a property. */
const MAX_VALUES = 50;

/** A key with so few values makes a list that a person reads at a glance. */
const FEW_VALUES = 20;

/** With more values than this, a key names things instead of grouping them. */
const MANY_VALUES = 100;

/** Tags may be many. More of them are keywords of single pages, and the table of facets would be larger than any other. */
const MANY_TAGS = 1_000;

interface FacetInput {
  readonly collection: Pick<CollectionConfig, "name" | "version" | "facets">;
  /** Path relative to the collection root. */
  readonly path: string;
  readonly parsed: Pick<ParsedDocument, "frontmatter" | "sections" | "site">;
  readonly code?: Pick<CodeFile, "language" | "symbols">;
}

/** A key that is not a facet, with what made it none. */
export interface LeftOutKey {
  readonly key: string;
  readonly values: number;
  /** Documents that have the key. */
  readonly documents: number;
  /**
   * `cardinality`: too many values; `configuration`: `facets.exclude` names it; `base`: a part of the index that a build took over was
   * written without it.
   */
  readonly reason: "cardinality" | "configuration" | "base";
}

/** The facets of a document: at least one value for each key, no value twice, in order of first mention. */
export function deriveFacets(input: FacetInput): Record<string, string[]> {
  const { collection, path, parsed } = input;
  const facets = new Map<string, string[]>();
  // Of a page of a built site, meta data is shown and its filters are facets.
  for (const [rawKey, value] of Object.entries(parsed.site === undefined ? parsed.frontmatter : {})) {
    const key = foldWhitespace(rawKey);
    // `__proto__` as a key would change objects that are filled by assignment.
    if (
      key !== "" &&
      key !== "__proto__" &&
      !key.startsWith(SORT_PREFIX) &&
      key.length <= MAX_VALUE_LENGTH &&
      !RESERVED_FACET_KEYS.includes(key)
    ) {
      setValues(facets, key, toTexts(value));
    }
  }
  deriveFromContent(facets, input);
  const { tags, keywords, type } = parsed.site === undefined ? parsed.frontmatter : {};
  setValues(facets, "tags", [...splitTags(tags), ...splitTags(keywords)]);
  setValues(facets, "type", [input.code === undefined ? chooseType(type, path) : SOURCE_TYPE]);
  const language = input.code?.language ?? chooseLanguage(parsed.frontmatter, path);
  if (language !== undefined) setValues(facets, "language", [language]);
  for (const [key, values] of Object.entries(parsed.site?.filters ?? {})) setValues(facets, key, values);
  for (const [key, value] of Object.entries(collection.facets)) setValues(facets, key, toTexts(value));
  facets.set("collection", [collection.name]);
  return Object.fromEntries(facets);
}

/** More keys than this that pages of built sites filter by are no facets: each is kept for every document, and listed everywhere. */
const MAX_SITE_KEYS = 200;

/** Keys that the configuration wants as facets, whatever their values, and those that it does not want. */
interface ForcedKeys {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A document with its facets, and of a page of a built site what it filters by. */
interface FacetedDocument {
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly site?: { readonly filters: object } | undefined;
}

/** Documents of one shard, and the keys that it holds. */
interface ShardFacets {
  readonly documents: readonly FacetedDocument[];
  readonly keys: ReadonlySet<string>;
}

/** Keys that a shard of these documents holds: all that would be usable if there were others. */
export function listShardKeys(documents: readonly FacetedDocument[], forced: ForcedKeys): Set<string> {
  return new Set(chooseKeys(documents, forced, (values) => values <= MANY_VALUES).keys);
}

/**
 * The keys that are facets of a corpus and those that are not, both in order of their UTF-8 bytes.
 *
 * Chooses by number of values; `forced` overrides, and a key that no document has is in neither list. Keys that pages of built sites
 * filter by are facets whatever their values, those of most documents first. A key that some shard does not hold for its documents
 * is none.
 */
export function chooseFacetKeys(
  shards: readonly ShardFacets[],
  forced: ForcedKeys,
): { readonly keys: string[]; readonly leftOut: LeftOutKey[] } {
  const documents = shards.flatMap((shard) => shard.documents);
  const lacking = new Set<string>();
  for (const { documents: own, keys } of shards) {
    for (const { facets } of own) for (const key of Object.keys(facets)) if (!keys.has(key)) lacking.add(key);
  }
  return chooseKeys(documents, forced, isUsable, lacking);
}

function chooseKeys(
  all: readonly FacetedDocument[],
  forced: ForcedKeys,
  isUsableBy: (values: number, documents: number) => boolean,
  lacking: ReadonlySet<string> = new Set(),
): { readonly keys: string[]; readonly leftOut: LeftOutKey[] } {
  const counted = new Map<string, { readonly values: Set<string>; documents: number }>();
  const siteKeys = new Set<string>();
  for (const { facets, site } of all) {
    for (const key of Object.keys(site?.filters ?? {})) siteKeys.add(key);
    for (const [key, values] of Object.entries(facets)) {
      const count = counted.get(key) ?? { values: new Set(), documents: 0 };
      counted.set(key, count);
      count.documents += 1;
      for (const value of values) count.values.add(value);
    }
  }
  const include = new Set(forced.include);
  const exclude = new Set(forced.exclude);
  const most = [...siteKeys]
    .map((key) => ({ key, documents: counted.get(key)?.documents ?? 0 }))
    .sort((a, b) => b.documents - a.documents || comparePaths(a.key, b.key));
  for (const { key } of most.slice(0, MAX_SITE_KEYS)) include.add(key);
  const tooMany = new Set(most.slice(MAX_SITE_KEYS).map(({ key }) => key));
  const isKept = (key: string): boolean => include.has(key) || DERIVED_FACET_KEYS.has(key);
  const keys: string[] = [];
  const leftOut: LeftOutKey[] = [];
  for (const [key, { values, documents }] of [...counted].sort(([a], [b]) => comparePaths(a, b))) {
    const leave = (reason: LeftOutKey["reason"]) => leftOut.push({ key, values: values.size, documents, reason });
    if (exclude.has(key)) leave("configuration");
    else if (key === "tags" && !include.has(key) && values.size > MANY_TAGS) leave("cardinality");
    else if (!isKept(key) && (tooMany.has(key) || !isUsableBy(values.size, documents))) leave("cardinality");
    else if (lacking.has(key)) leave("base");
    else keys.push(key);
  }
  return { keys, leftOut };
}

function deriveFromContent(facets: Map<string, string[]>, { collection, parsed, code }: FacetInput): void {
  const { sections } = parsed;
  const codeLanguages = code === undefined ? sections.flatMap((section) => section.codeLanguages) : [code.language];
  const hasCode = codeLanguages.length > 0 || sections.some(holdsCode);
  if (collection.version !== "") setValues(facets, "version", [collection.version]);
  setValues(facets, "content_type", [code === undefined ? "docs" : "code"]);
  setValues(facets, "has_code", [String(hasCode)]);
  facets.delete("code_language");
  setValues(facets, "code_language", codeLanguages);
  setValues(facets, "symbol_kind", code?.symbols.map(({ kind }) => kind) ?? []);
  setValues(facets, "has_links", [String(sections.some((section) => section.links.length > 0))]);
  setValues(facets, "depth", [String(measureDepth(sections))]);
}

/** Sets what is left of `texts` after folding, leaving out and counting; nothing left sets nothing. */
function setValues(facets: Map<string, string[]>, key: string, texts: readonly string[]): void {
  const values = new Set<string>();
  for (const text of texts) {
    const value = foldWhitespace(text);
    if (value !== "" && [...value].length <= MAX_VALUE_LENGTH && values.size < MAX_VALUES) values.add(value);
  }
  if (values.size > 0) {
    facets.set(key, [...values]);
  }
}

/** The scalars of a frontmatter value; mappings, nested lists and null give nothing. */
function toTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => toText(entry) ?? []);
  return [toText(value) ?? []].flat();
}

function toText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      return Number.isFinite(value) ? String(value) : undefined;
    default:
      return value instanceof Date && !Number.isNaN(value.getTime())
        ? value.toISOString().replace(/T00:00:00\.000Z$/, "")
        : undefined;
  }
}

/** Tags stand in a list, or in one text with commas between them. */
function splitTags(value: unknown): string[] {
  return typeof value === "string" ? value.split(",") : toTexts(value);
}

function chooseType(value: unknown, path: string): string {
  const type = typeof value === "string" ? foldWhitespace(value) : "";
  return type !== "" && [...type].length <= MAX_VALUE_LENGTH ? normaliseDocumentType(type) : deriveDocumentType(path);
}

function chooseLanguage(frontmatter: Readonly<Record<string, unknown>>, path: string): string | undefined {
  for (const key of ["lang", "language", "locale"]) {
    const value = frontmatter[key];
    const language = typeof value === "string" ? normaliseLanguage(value) : undefined;
    if (language !== undefined) return language;
  }
  // A `language` that is no natural one (`Python`) stays the page's own.
  return typeof frontmatter["language"] === "string" ? undefined : deriveLanguage(path);
}

function holdsCode(section: ParsedSection): boolean {
  return section.blocks.some((block) => block.kind === "code");
}

/** Levels of headings below the root: 0 for a page without headings. Parents stand before their children. */
function measureDepth(sections: readonly ParsedSection[]): number {
  const depths: number[] = [];
  for (const section of sections) depths.push(section.parent < 0 ? 0 : (depths[section.parent] ?? 0) + 1);
  return depths.reduce((deepest, depth) => Math.max(deepest, depth), 0);
}

function isUsable(values: number, documents: number): boolean {
  return values <= FEW_VALUES || (values <= MANY_VALUES && values * 2 < documents);
}

/** A frontmatter value as a language, in lower case with hyphens; undefined when it is none (`Python`). */
function normaliseLanguage(value: string): string | undefined {
  const locale = value.trim().toLowerCase().replaceAll("_", "-");
  return LANGUAGES.has(LOCALE.exec(locale)?.[1] ?? "") ? locale : undefined;
}

/** The language that a path such as `fr/`, `zh-cn/` or `guide.pt-BR.md` shows: its outermost folder that is one, else the part before the file's ending. */
function deriveLanguage(path: string): string | undefined {
  const segments = path.split("/");
  const file = segments.pop() ?? "";
  const marker = file.split(".").slice(1, -1).at(-1);
  for (const segment of marker === undefined ? segments : [...segments, marker]) {
    const locale = normaliseLanguage(segment);
    if (locale !== undefined) return locale;
  }
  return undefined;
}

/**
 * The type that a path shows: `guides/install.md` is a guide. The file's name is the strongest sign, then its folders from the
 * innermost out. Ordering numbers (`02-guides`) do not count. Without a sign it is a `page`: a wrong type would hide it from
 * those who filter.
 */
function deriveDocumentType(path: string): string {
  const segments = path.split("/").map(stripOrder);
  const file = segments.pop() ?? "";
  return typeOfFile(file) ?? typeOfFolders(segments) ?? DEFAULT_TYPE;
}

/** A type as frontmatter spells it, in the spelling of the derived ones where it is one of them. */
function normaliseDocumentType(type: string): string {
  const lower = type.toLowerCase();
  return lower === DEFAULT_TYPE || Object.hasOwn(NAMES_OF_TYPES, lower) ? lower : type;
}

function typeOfFile(name: string): string | undefined {
  // A leading dot belongs to the name; `readme.zh-cn.md` is a readme.
  const stem = /^\.?[^.]*/.exec(name)?.[0] ?? "";
  if (/^adr[-_]?\d/.test(stem)) return "adr";
  const dashed = stem.replace(/[_ ]+/g, "-");
  const whole = TYPE_OF_NAME.get(dashed);
  if (whole !== undefined) return whole;
  const words = dashed.split("-");
  if (words[0] === "readme" || words[0] === "changelog") return words[0];
  const last = words.at(-1) ?? "";
  return TELLING_LAST_WORDS.has(last) ? TYPE_OF_NAME.get(last) : undefined;
}

function typeOfFolders(folders: readonly string[]): string | undefined {
  for (const folder of [...folders].reverse()) {
    const type = TYPE_OF_NAME.get(folder.replace(/[_ ]+/g, "-"));
    if (type !== undefined && type !== "readme") return type;
  }
  return undefined;
}

/** Lower case without an ordering number; a name that is only a number stays. */
function stripOrder(segment: string): string {
  return segment.toLowerCase().replace(/^\d{1,4}[-_. ]+(?=[^\d\s.])/, "");
}
