/**
 * Small indexes in memory, built by the real build functions: parsed, prepared, written, opened. No disk, no threads,
 * so tests of the core use it in Node and in the Workers runtime.
 */

import { inflateRaw } from "../../indexer/base/codec.ts";
import { type CollectionConfig, defaultConfig } from "../../indexer/config/config.ts";
import { NO_CATEGORIES } from "../../indexer/config/topic-files.ts";
import { makeBuildLog } from "../../indexer/index/build-log.ts";
import { describeCollection, describeInsights } from "../../indexer/index/describe-corpus.ts";
import { linkEntries } from "../../indexer/index/document-tables.ts";
import { prepareParsed } from "../../indexer/index/prepare-document.ts";
import type { DocumentBody, DocumentCard, PreparedDocument } from "../../indexer/index/prepared-document.ts";
import { makeTopics } from "../../indexer/index/topic-tables.ts";
import { type GroupOverlays, writeGeneration } from "../../indexer/index/write-generation.ts";
import { sortEntries, type TableLimits } from "../../indexer/index/write-table.ts";
import { type GroupCode, NO_CODE } from "../../indexer/link/code/link-code.ts";
import { type ResolvedLinks, resolveLinks } from "../../indexer/link/links.ts";
import { parseMarkdown } from "../../indexer/parse/markdown/parse.ts";
import { decodeSource } from "../../indexer/sources/read-file.ts";
import { chooseFacetKeys, listShardKeys } from "../../indexer/topics/facets.ts";
import { makeFileGraph } from "../../indexer/topics/graph/link-graph.ts";
import { makeGroupSynonyms, synonymEntries } from "../../indexer/topics/synonyms.ts";
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import { roleOfPath } from "../../src/core/docs/roles.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import type { OpenIndex } from "../../src/core/index/open-generation.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { type CountingSource, countReads, createMemorySource } from "./memory-source.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

/** Pages by path. */
export type Pages = Readonly<Record<string, string>>;

/** A collection: its pages, and of its configuration what differs from the default. */
export interface SmallCollection extends Partial<Omit<CollectionConfig, "name" | "root" | "include" | "exclude">> {
  readonly name: string;
  readonly pages: Pages;
}

/** A page as the build prepares it, its card and body in one. */
export interface PreparedPage extends DocumentCard, DocumentBody, Pick<PreparedDocument, "candidates"> {
  readonly ordered: PreparedDocument["words"];
}

/** A built index. */
export interface BuiltIndex {
  /** All files by name, the pointer among them. */
  readonly files: Map<string, Uint8Array>;
  /** What was built, by document id. */
  readonly documents: ReadonlyMap<string, PreparedPage>;
  /** Open it with an empty cache, as a cold reader does. */
  readonly open: (groups?: readonly string[] | "all") => Promise<OpenReader>;
}

/** A reader, and the source that counts what it reads. */
export interface OpenReader {
  readonly reader: IndexReader;
  readonly source: CountingSource;
  readonly index: OpenIndex;
  /** A reader of a later request on the same cache. */
  readonly next: () => IndexReader;
}

/** Build the pages of one public collection `docs`. */
export function buildPages(pages: Pages): Promise<BuiltIndex> {
  return buildCollections([{ name: "docs", pages }]);
}

/** Build collections, each in the shard of its access group, with made-up code of some groups. */
export async function buildCollections(
  collections: readonly SmallCollection[],
  limits?: TableLimits,
  code: ReadonlyMap<string, GroupCode> = new Map(),
): Promise<BuiltIndex> {
  const [template] = defaultConfig().collections as [CollectionConfig];
  const configs = collections.map(({ pages: _, ...config }): CollectionConfig => ({ ...template, ...config }));
  const next = new Map<string, number>();
  const documents = collections.flatMap(({ pages }, collection) => {
    const config = configs[collection] as CollectionConfig;
    return Object.keys(pages)
      .sort()
      .map((path) => {
        const number = next.get(config.access) ?? 0;
        next.set(config.access, number + 1);
        return preparePage({ number, collection, path }, config, pages[path] as string);
      });
  });
  const forced = { include: [], exclude: [] };
  const groups = [...new Set(configs.map(({ access }) => access))].sort().map((group) => {
    const own = documents.filter(({ collection }) => configs[collection]?.access === group);
    return { group, documents: own, keys: listShardKeys(own, forced) };
  });
  const facets = chooseFacetKeys(groups, forced);
  const nameOf = ({ collection }: Pick<PreparedPage, "collection">): string => configs[collection]?.name ?? "";
  const { links, diagnostics } = resolveLinks(
    documents.map((document) => ({
      collection: nameOf(document),
      baseUrl: configs[document.collection]?.baseUrl ?? "",
      document,
    })),
  );
  const files = new Map<string, Uint8Array>();
  await writeGeneration(
    {
      commit: "none",
      builtAt: "",
      collections: configs.map((config, index) =>
        describeCollection(config, index, documents, { commit: "none", folder: "" }),
      ),
      ranking: {},
      facetKeys: facets.keys,
      settings: "",
      log: makeBuildLog([], diagnostics, facets.leftOut),
      shards: groups.map(({ group, documents: own, keys }) => ({
        group,
        code: code.get(group) ?? NO_CODE,
        overlays: describeGroup(group, configs, documents, links, code.get(group) ?? NO_CODE),
        documents: own.map((document) => ({ card: document, load: () => document })),
        collectionName: nameOf,
        facetKeys: keys,
        ...(limits !== undefined && { limits }),
      })),
    },
    async (name, bytes) => {
      files.set(name, bytes);
    },
  );
  return {
    files,
    documents: new Map(documents.map((document) => [`${nameOf(document)}:${document.path}`, document])),
    open: (groups = ["public"]) => openFiles(files, groups),
  };
}

function describeGroup(
  group: string,
  collections: readonly CollectionConfig[],
  all: readonly PreparedPage[],
  links: ReadonlyMap<string, ResolvedLinks>,
  code: GroupCode,
): GroupOverlays {
  const { graph } = defaultConfig();
  const documents = all.filter(({ collection }) => collections[collection]?.access === group);
  const { categories, concepts } = makeTopics({
    collections,
    documents: documents.map((card) => ({
      card,
      loadCandidates: () => card.candidates,
      loadWords: () => card.ordered,
    })),
    code,
    glossary: [],
    written: NO_CATEGORIES,
    showsEmpty: true,
  });
  const whole = makeFileGraph(code, graph);
  const files = { product: whole, all: whole, roleOf: roleOfPath };
  return {
    synonyms: sortEntries(synonymEntries(makeGroupSynonyms(group, collections, all, []))),
    links: linkEntries(
      documents.map((document) => `${collections[document.collection]?.name}:${document.path}`),
      links,
    ),
    insights: sortEntries(describeInsights(group, { collections, graph }, documents, links, files)),
    categories: sortEntries([...categories]),
    concepts: sortEntries([...concepts]),
  };
}

/** Open index files with an empty cache. */
export async function openFiles(
  files: ReadonlyMap<string, Uint8Array>,
  groups: readonly string[] | "all",
): Promise<OpenReader> {
  const source = countReads(createMemorySource(files));
  const pointer = files.get(POINTER_FILE);
  if (pointer === undefined) throw new Error("the files hold no pointer");
  const index = await openIndex(pointer, source, inflateRaw, new LruCache(CACHE_BYTES));
  const reader = new IndexReader(index, groups);
  reader.countRead(pointer.length);
  return { reader, source, index, next: () => new IndexReader(index, groups) };
}

/** A page as the build prepares it. */
export function preparePage(
  task: { readonly number: number; readonly collection: number; readonly path: string },
  config: CollectionConfig,
  text: string,
): PreparedPage {
  const source = decodeSource(task.path, encodeUtf8(text));
  if (!source.ok) throw new Error(`${task.path} ${source.skipped.message}`);
  const parsed = parseMarkdown({ path: task.path, text: source.text, anchors: config.anchors });
  const { card, body, candidates, words } = prepareParsed(
    task,
    config,
    parsed,
    source.text,
    source.contentHash,
    source.diagnostics,
  );
  return { ...card, ...body, candidates, ordered: words };
}
