/**
 * Reading a corpus: its files are discovered, its documents loaded, and what holds for all of them is worked out.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { hashKey } from "../../src/core/bytes/checksum.ts";
import { keyOf } from "../../src/core/bytes/key.ts";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import type { Role } from "../../src/core/docs/roles.ts";
import { InputError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { languageOfCode } from "../../src/core/text/language.ts";
import { isOneLine } from "../base/diagnostic.ts";
import { onFsError } from "../base/file-system.ts";
import { comparePaths } from "../base/globs.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { PreciseFacts } from "../languages/base/language.ts";
import type { ManifestText } from "../languages/base/manifests.ts";
import { placeOf } from "../languages/base/world.ts";
import { type GroupCode, NO_CODE } from "../link/code/link-code.ts";
import type { askCheckers } from "../link/precise/ask-checkers.ts";
import { type Discovery, describeUnread, discoverFiles } from "../sources/discover.ts";
import { parseGitAttributes, type RoleByAttributes, readCommit, readGitAttributes } from "../sources/git.ts";
import { hashSource, isMinified, readSourceFile, type SkippedFile } from "../sources/read-file.ts";
import { listShardKeys } from "../topics/facets.ts";
import type { BuildLog } from "./build-log.ts";
import { type CorpusWords, describeCorpus, NO_LINKED_CODE } from "./describe-corpus.ts";
import { codeDigest } from "./digests.ts";
import { describeRoles } from "./document-roles.ts";
import { linkEntries } from "./document-tables.ts";
import { type LoadContext, type Loaded, type LoadedDocument, type LoadTask, loadDocuments } from "./load-documents.ts";
import { isSitePage } from "./prepared-document.ts";
import type { IsolatedStep, LeftOutContent } from "./stages.ts";
import type { ToolFiles } from "./tool-files.ts";
import type { GroupOverlays, ShardInput } from "./write-generation.ts";
import { sortEntries } from "./write-table.ts";

/** The finding about an include, or a whole collection, without a file. */
const UNMATCHED = "include-matches-nothing";
const UNSAID_LANGUAGE = "en";
/** Pages that are searched for lines that all pages share: at most, and at least. */
const MOST_SAMPLE = 24;
const START_BYTES = 8192;
/** A language with so many times fewer pages than another is not the one of its site. */
const FEW = 4;
const LEAST_SAMPLE = 8;
/** Globs, and reasons why they match nothing, that a message shows. */
const MAX_SHOWN_GLOBS = 5;

/** A corpus whose files were loaded. What holds for all of them is worked out for any choice of its documents. */
interface PreparedCorpus {
  readonly documents: readonly LoadedDocument[];
  /** Set where a command gave no whole answer: no index is built on this one then. */
  readonly isIncomplete: boolean;
  /** @throws {StageError} where a stage fails. */
  readonly describe: (documents: readonly LoadedDocument[], leftOut?: LeftOutContent) => ReadCorpus;
  /** See `IsolatedStep`. */
  readonly toPlain: IsolatedStep<LoadedDocument, unknown>["toPlain"];
}

/** A corpus that was read: its documents, and what is known of it as a whole. */
export interface ReadCorpus {
  readonly documents: readonly LoadedDocument[];
  readonly description: ReturnType<typeof describeCorpus>;
  readonly commit: string;
  readonly builtAt: string;
  /** Set where files of that commit had been changed. */
  readonly dirty?: true;
  /** Set where checkers left files unanswered. */
  readonly precise?: "incomplete";
  /** Roles by pattern, of documents whose paths do not tell them. */
  readonly roles: Readonly<Record<string, Role>>;
}

/** What a corpus is made of, before any of it is parsed. */
interface CorpusFiles {
  /** The configuration, with a collection for each language of a built site. */
  readonly config: TreelineConfig;
  readonly discoveries: readonly Discovery[];
  /** A document each. */
  readonly tasks: readonly LoadTask[];
  readonly commit: Awaited<ReturnType<typeof readCommit>>;
  /** Text of `.gitattributes` of the configuration's folder, and of the other roots of collections; `""` for none. */
  readonly attributes: readonly [string, ...string[]];
  /** Of the packages that source files belong to. */
  readonly manifests: readonly ManifestText[];
}

export async function findCorpus(dir: string, settled: TreelineConfig): Promise<CorpusFiles> {
  const found: (readonly [CollectionConfig, Discovery])[] = [];
  const taken = new Set(settled.collections.map(({ name }) => name.toLowerCase()));
  for (const collection of settled.collections) {
    const own = explainEmpty(collection, await discoverFiles(collection, dir, settled.limits));
    for (const [part, files] of splitByLanguage(collection, own, taken)) {
      const left = leaveOutByPath(part, files);
      found.push([await withChrome(part, left, settled.limits), left]);
    }
  }
  const config = { ...settled, collections: found.map(([collection]) => collection) };
  const discoveries = found.map(([, discovery]) => discovery);
  const tasks = numberDocuments(config, discoveries);
  const paths = new Set(tasks.map((task) => placeOf(rootOf(config, task.collection), task.path)));
  const isWithCode = tasks.some(({ path }) => codeLanguageOf(path) !== undefined);
  const left = discoveries.flatMap(({ unread }, collection) =>
    unread.map((path) => placeOf(rootOf(config, collection), path)),
  );
  const unread = describeUnread(left, [...paths], isWithCode);
  const [first] = discoveries;
  if (first !== undefined && unread !== undefined) {
    discoveries[0] = { ...first, diagnostics: [unread, ...first.diagnostics] };
  }
  const attributes = discoveries.map(({ root }, index) =>
    rootOf(config, index) === "." ? "" : readGitAttributes(root),
  );
  return {
    config,
    discoveries,
    tasks,
    commit: await readCommit(dir, (path) => paths.has(path)),
    attributes: [await readGitAttributes(dir), ...(await Promise.all(attributes))],
    manifests: isWithCode ? await (await import("../link/code/read-manifests.ts")).readManifestFiles(dir, config) : [],
  };
}

/** A collection for each language that pages name, since words are analysed by collection. One keeps the name. */
function splitByLanguage(
  collection: CollectionConfig,
  found: Discovery,
  taken: ReadonlySet<string>,
): readonly [CollectionConfig, Discovery][] {
  if (collection.kind !== "site" || collection.given?.includes("language")) return [[collection, found]];
  const { root, files } = found;
  const codeOf = (path: string): string => (isSitePage(collection, path) ? readPageLanguage(root, path) : "");
  const groups = Map.groupBy(files, ({ path }) => codeOf(path));
  const unsaid = groups.get("")?.length ?? 0;
  groups.delete("");
  const sizeOf = (code: string): number => groups.get(code)?.length ?? 0;
  const [most] = [...groups.keys()].sort((a, b) => sizeOf(b) - sizeOf(a) || comparePaths(a, b));
  if (most === undefined) return [[collection, found]];
  // That of the first page of a site, where it is no page that only leads to others.
  const start = codeOf("index.html");
  const usual = sizeOf(start) * FEW > sizeOf(most) ? start : most;
  const main = sizeOf(usual) >= unsaid ? usual : UNSAID_LANGUAGE;
  const others = [...groups.keys()].filter((code) => code !== main).sort(comparePaths);
  const apart = new Set(others.flatMap((code) => groups.get(code) ?? []));
  return [main, ...others].map((code) => {
    const language = languageOfCode(code) ?? "none";
    const part = { ...collection, language, ...(apart.size > 0 && { partOf: collection.name }) };
    if (code === main) return [part, { ...found, files: files.filter((file) => !apart.has(file)) }];
    let name = `${collection.name}-${code}`;
    while (taken.has(name.toLowerCase())) name += "_";
    const own = { root, files: groups.get(code) ?? [], skipped: [], diagnostics: [], unread: [] };
    return [{ ...part, name }, own];
  });
}

const PAGE_LANGUAGE = /<html\b[^>]*?\s(?:xml:)?lang\s*=\s*["']?\s*([a-z]{2,3})\b/i;

/** Code of `<html lang>` in lower case and without a region; `""` for none. */
function readPageLanguage(root: string, path: string): string {
  const start = Buffer.alloc(START_BYTES);
  try {
    const file = openSync(join(root, path), "r");
    readSync(file, start);
    closeSync(file);
  } catch (error) {
    return onFsError(() => "")(error);
  }
  return PAGE_LANGUAGE.exec(start.toString("latin1"))?.[1]?.toLowerCase() ?? "";
}

/** The collection with the lines that most pages of the site have: of some pages, which their paths choose. */
async function withChrome(
  collection: CollectionConfig,
  { root, files }: Discovery,
  limits: TreelineConfig["limits"],
): Promise<CollectionConfig> {
  const paths = files.flatMap(({ path }) => (isSitePage(collection, path) ? [path] : []));
  if (collection.site.root !== "" || paths.length < LEAST_SAMPLE) return collection;
  const { parseHtml } = await import("../parse/html/parse.ts");
  const { withoutMarks } = await import("../parse/html/site-sections.ts");
  const sample = paths.map((path) => ({ path, at: hashKey(keyOf(path)) }));
  sample.sort((a, b) => a.at - b.at || comparePaths(a.path, b.path));
  const counts = new Map<string, number>();
  let pages = 0;
  for (const { path } of sample.slice(0, MOST_SAMPLE)) {
    const source = await readSourceFile(root, path, limits);
    const page = source.ok && parseHtml({ path, text: source.text, ...collection.site });
    if (page === false || !page.ok) continue;
    if (page.parsed.site?.hasBody === true) return collection;
    pages++;
    for (const line of new Set(page.text.split("\n").map((line) => withoutMarks(line, true))))
      counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const chrome = [...counts].flatMap(([line, count]) => (count * 2 > pages ? [line] : [])).sort(comparePaths);
  return pages < LEAST_SAMPLE ? collection : { ...collection, chrome };
}

export interface PreciseRequest {
  /** In place of the configuration's. */
  readonly precise?: TreelineConfig["precise"] | undefined;
  /** Whether nothing is asked: what was said before of files that did not change is all there is. */
  readonly isKnownOnly?: boolean | undefined;
  /** Ends asking; the index is incomplete then. */
  readonly signal?: AbortSignal | undefined;
}

/** What reading needs, beside what discovery finds out. */
type ReadContext = Omit<LoadContext, "setup"> & { readonly asking?: PreciseRequest | undefined };

/** Loads the documents of a corpus, or some of them. */
export function loadFrom(
  { discoveries, config: { collections, limits } }: Pick<CorpusFiles, "discoveries" | "config">,
  context: ReadContext,
): (tasks: readonly LoadTask[]) => Promise<Loaded[]> {
  const setup = { collections, roots: discoveries.map(({ root }) => root), limits };
  return (tasks) => loadDocuments(tasks, { ...context, setup });
}

/** Read a whole corpus. @throws {InputError} when there is nothing to index. */
export async function prepareCorpus(
  dir: string,
  words: CorpusWords,
  files: CorpusFiles,
  context: ReadContext,
  tools?: ToolFiles,
): Promise<PreparedCorpus> {
  const { config, discoveries, tasks, attributes, manifests } = files;
  const load = loadFrom(files, context);
  const loaded = leaveOutUnmarked(await load(tasks), config);
  const expanded = await expand(
    loaded.flatMap((result) => (result.ok ? [result] : [])),
    dir,
    config,
    context,
  );
  const { documents } = expanded;
  const joined = await tools?.join({ dir, config, discoveries, documents });
  const checked = await askAbout(documents, dir, config, files, context);
  const precise = joinFacts(joined?.precise, checked?.documents);
  const found = {
    skipped: [
      ...discoveries.flatMap(({ skipped }, index) =>
        skipped.map((file) => ({ ...file, collection: nameOf(config, index) })),
      ),
      ...loaded.flatMap((result) =>
        result.ok ? [] : [{ ...result.skipped, collection: nameOf(config, result.task.collection) }],
      ),
    ],
    diagnostics: [
      ...discoveries.flatMap(({ diagnostics }, index) =>
        diagnostics.map((diagnostic) => ({ ...diagnostic, collection: nameOf(config, index) })),
      ),
      ...(joined?.diagnostics ?? []),
      ...(checked?.diagnostics ?? []),
      ...expanded.diagnostics,
      ...describeLeftOut(config),
    ],
  };
  if (documents.length === 0) throw emptyCorpus(dir, config, found);
  const { committedAt, isDirty, ...origin } = files.commit;
  const linkCode = documents.some(({ card }) => card.isSource)
    ? (await import("./link-source-files.ts")).prepareLinking(config.collections, manifests, precise)
    : () => NO_LINKED_CODE;
  const roles = rolesByAttributes(config, attributes);
  const failed: (typeof found.skipped)[number][] = [];
  return {
    documents,
    isIncomplete: expanded.isIncomplete,
    describe: (some, leftOut = new Map()) => {
      const facts = { ...found, skipped: [...found.skipped, ...failed] };
      const cards = some.map(({ card }) => card);
      const known = describeRoles(config, cards, roles);
      const options = { before: context.before, leftOut, roles: known };
      const description = describeCorpus(config, words, some, facts, origin, linkCode, options);
      return {
        documents: some,
        description,
        commit: origin.commit,
        builtAt: committedAt ?? "",
        ...(isDirty && { dirty: true }),
        ...(checked?.isIncomplete === true && { precise: "incomplete" }),
        roles: known,
      };
    },
    toPlain: async (some, failing) => {
      const tasks = [...failing].map(([{ task }, plain]): LoadTask => ({ ...task, plain }));
      const plain = new Map((await load(tasks)).map((one) => [one.task.id, one]));
      for (const one of plain.values()) {
        if (!one.ok) failed.push({ ...one.skipped, collection: nameOf(config, one.task.collection) });
      }
      return some.flatMap((document): LoadedDocument[] => {
        const other = plain.get(document.task.id) ?? document;
        return other.ok ? [other] : [];
      });
    },
  };
}

/** Documents with the terms that the configured command adds, where there is one. */
async function expand(
  documents: readonly LoadedDocument[],
  dir: string,
  config: TreelineConfig,
  { cache }: ReadContext,
): ReturnType<typeof import("./expand.ts").expandDocuments> {
  if (config.expand.command.length === 0) return { documents, diagnostics: [], isIncomplete: false };
  return (await import("./expand.ts")).expandDocuments(documents, dir, config, cache);
}

/** Asks checkers about source files. Undefined where none is to be asked. @throws where the signal ends it. */
async function askAbout(
  documents: readonly LoadedDocument[],
  dir: string,
  config: TreelineConfig,
  { discoveries, manifests }: CorpusFiles,
  { cache, asking = {} }: ReadContext,
): Promise<Awaited<ReturnType<typeof askCheckers>>> {
  const { isKnownOnly, signal } = asking;
  const sources = documents.filter(({ card, task }) => card.isSource && task.plain === undefined);
  if (config.precise === "off" || sources.length === 0) return undefined;
  const { askCheckers } = await import("../link/precise/ask-checkers.ts");
  const sizes = discoveries.map(({ files }) => new Map(files.map(({ path, bytes }) => [path, bytes])));
  const files = sources.map(({ task: { id, collection, path }, card }) => ({
    id,
    place: placeOf(rootOf(config, collection), path),
    language: codeLanguageOf(path) ?? "",
    hash: card.hash,
    bytes: sizes[collection]?.get(path) ?? 0,
  }));
  const answers = await askCheckers(files, {
    dir,
    manifests,
    cacheDir: cache.dir,
    version: codeDigest(),
    collection: nameOf(config, sources[0]?.task.collection ?? 0),
    isKnownOnly,
    signal,
  });
  signal?.throwIfAborted();
  return answers;
}

/** What was given, before what a checker says. */
function joinFacts(
  given: PreciseFacts | undefined,
  checked: PreciseFacts["documents"] | undefined,
): PreciseFacts | undefined {
  if (checked === undefined) return given;
  return { documents: [...(given?.documents ?? []), ...checked], leftOut: given?.leftOut ?? new Set() };
}

/** What `.gitattributes` says of each collection's paths: that of its root before that of the configuration's folder. */
function rolesByAttributes(config: TreelineConfig, [first, ...others]: CorpusFiles["attributes"]): RoleByAttributes[] {
  const top = parseGitAttributes(first);
  return others.map((text, index) => {
    const own = parseGitAttributes(text);
    return (path) => own(path) ?? top(posix.join(rootOf(config, index), path));
  });
}

/** What the choice of collections leaves out: nothing is wrong, and nobody would look for it. */
function describeLeftOut(config: TreelineConfig): BuildLog["diagnostics"] {
  const { leftOut: message } = config;
  if (message === undefined) return [];
  return [{ severity: "info", code: "files-left-out", message, path: "", line: 0, collection: nameOf(config, 0) }];
}

/** Where any page of a built site marks what is read of it, pages without a mark are none to find. */
function leaveOutUnmarked(loaded: readonly Loaded[], { collections }: TreelineConfig): readonly Loaded[] {
  const siteOf = ({ task }: Loaded) => collections[task.collection]?.partOf ?? task.collection;
  const marked = new Set(loaded.flatMap((one) => (one.ok && one.card.site?.hasBody === true ? [siteOf(one)] : [])));
  if (marked.size === 0) return loaded;
  const message = "has no element with data-pagefind-body, which other pages of the site have";
  return loaded.map((one) =>
    one.ok && one.card.site?.hasBody === false && marked.has(siteOf(one))
      ? { ok: false, task: one.task, skipped: { path: one.task.path, reason: "no-marked-body", message } }
      : one,
  );
}

function leaveOutByPath({ name, skipsMinified }: CollectionConfig, found: Discovery): Discovery {
  const reasonOf = (path: string): Pick<SkippedFile, "reason" | "message"> | undefined => {
    // An id stands on a line of an answer; one with a line feed in it could write what looks like the next.
    if (!isOneLine(path)) {
      return { reason: "path-unprintable", message: "has a control character in its path; rename it" };
    }
    // It is a key of the index, too, which has a longest length.
    if (keyOf(makeDocumentId(name, path)).length > MAX_KEY_BYTES) {
      const message = `has a path of more than ${MAX_KEY_BYTES} bytes, its collection's name included`;
      return { reason: "path-too-long", message };
    }
    if (skipsMinified !== true || !isMinified(path)) return undefined;
    return { reason: "minified", message: "is minified; a collection of the configuration can include it" };
  };
  const left = found.files.flatMap(({ path, bytes }): SkippedFile[] => {
    const reason = reasonOf(path);
    return reason === undefined ? [] : [{ path, ...reason, bytes }];
  });
  const paths = new Set(left.map(({ path }) => path));
  return {
    ...found,
    files: found.files.filter(({ path }) => !paths.has(path)),
    skipped: [...found.skipped, ...left],
  };
}

/** Number documents inside the shard of their access group, in the order of collections and paths. */
function numberDocuments(config: TreelineConfig, discoveries: readonly Discovery[]): LoadTask[] {
  const next = new Map<string, number>();
  return config.collections.flatMap(({ access, name }, collection) => {
    const { root, files } = discoveries[collection] as Discovery;
    return files.map(({ path }): LoadTask => {
      const number = next.get(access) ?? 0;
      next.set(access, number + 1);
      return { number, collection, path, id: makeDocumentId(name, path), hash: hashSource(root, path) };
    });
  });
}

/** A collection without any file that says nothing about it yet gets a warning: its globs are most often wrong. */
function explainEmpty({ root, include }: CollectionConfig, found: Discovery): Discovery {
  if (found.files.length + found.skipped.length + found.diagnostics.length > 0) return found;
  const place = root === "." ? "" : ` in ${JSON.stringify(root)}`;
  const globs = include.slice(0, MAX_SHOWN_GLOBS).join(", ");
  const message = `the collection holds nothing: no file${place} matches ${globs}`;
  const diagnostic = { severity: "warning", code: UNMATCHED, message, path: "", line: 0 } as const;
  return { ...found, diagnostics: [diagnostic] };
}

function emptyCorpus(
  dir: string,
  config: TreelineConfig,
  { skipped, diagnostics }: Pick<BuildLog, "skipped" | "diagnostics">,
): InputError {
  const wanted = [...new Set(config.collections.flatMap(({ include }) => include))].join(", ");
  const left =
    skipped.length === 0 ? "" : ` (${skipped.length} files were skipped: ${skipped[0]?.path} ${skipped[0]?.message})`;
  // Why an include matches nothing says what to mend.
  const reasons = diagnostics.filter(({ code, message }) => code === UNMATCHED && message.startsWith("include "));
  const lines = reasons.slice(0, MAX_SHOWN_GLOBS).map(({ collection, message }) => `\n${collection}: ${message}`);
  const folder = JSON.stringify(basename(dir));
  return new InputError(`nothing to index in ${folder}: no file matches ${wanted}${left}${lines.join("")}`);
}

function nameOf(config: TreelineConfig, collection: number): string {
  return (config.collections[collection] as CollectionConfig).name;
}

function rootOf(config: TreelineConfig, collection: number): string {
  return (config.collections[collection] as CollectionConfig).root;
}

/** Everything of an access group as one level. */
export function describeShard(
  group: string,
  { documents, description }: ReadCorpus,
  { collections, facets }: Pick<TreelineConfig, "collections" | "facets">,
): ShardInput & { readonly documents: readonly LoadedDocument[]; readonly code: GroupCode } {
  const own = documents
    .filter(({ task }) => collections[task.collection]?.access === group)
    .sort((a, b) => a.task.number - b.task.number);
  const sort = (entries: readonly TableEntry[] = []): TableEntry[] => sortEntries([...entries]);
  const { synonyms, insights, categories, concepts } = description.overviews.get(group) ?? {};
  const overlays: GroupOverlays = {
    synonyms: sort(synonyms),
    links: linkEntries(
      own.map(({ task }) => task.id),
      description.links,
    ),
    insights: sort(insights),
    categories: sort(categories),
    concepts: sort(concepts),
  };
  return {
    group,
    code: description.code.get(group) ?? NO_CODE,
    overlays,
    documents: own,
    collectionName: (document) => (collections[document.collection] as CollectionConfig).name,
    facetKeys: listShardKeys(
      own.map(({ card }) => card),
      facets,
    ),
  };
}

/** The only level of each access group, with all of its documents. */
export function allShards(corpus: ReadCorpus, config: TreelineConfig): ShardInput[] {
  return [...corpus.description.overviews.keys()].map((group) => describeShard(group, corpus, config));
}
