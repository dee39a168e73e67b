/**
 * What a generation says that does not come from single documents: collections, links, facet keys, synonyms, the log.
 */
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import type { DocumentCard } from "../cache/cached-document.ts";
import type { CollectionConfig, TreelineConfig } from "../config.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { chooseFacetKeys } from "../facets.ts";
import { cycleFindings } from "../graph/cycle-findings.ts";
import { type FileGraph, makeFileGraph } from "../graph/file-graph.ts";
import type { ManifestText } from "../link/code/code-world.ts";
import type { PreciseFacts } from "../link/code/precise-targets.ts";
import { type LinkSource, resolveLinks } from "../link/links.ts";
import { findingFilter } from "../scan/allowed-findings.ts";
import { makeGroupSynonyms, type SynonymSet } from "../taxonomy/synonyms.ts";
import { type BuildLog, makeBuildLog } from "./build-log.ts";
import { type GroupCode, NO_CODE } from "./code-tables.ts";
import { describeCollection, type Origin } from "./describe-collection.ts";
import { type CorpusWords, describeTopics } from "./describe-topics.ts";
import { type CorpusDocument, linkCorpus } from "./link-corpus.ts";
import { type GroupMap, mapCorpus } from "./map-corpus.ts";
import type { GroupTopics } from "./map-topics.ts";
import { siteLines } from "./site-lines.ts";
import type { ShardInput } from "./write-shard.ts";

const NO_PATHS: ReadonlySet<string> = new Set();

/** Keys that pages of built sites filter by. */
function filterKeys(documents: readonly DocumentCard[]): Set<string> {
  const keys = new Set<string>();
  for (const { site } of documents) for (const key of Object.keys(site?.filters ?? {})) keys.add(key);
  return keys;
}

/** What is known of a corpus as a whole. */
export interface CorpusDescription {
  readonly collections: readonly CollectionInfo[];
  readonly facetKeys: readonly string[];
  readonly links: ShardInput["links"];
  /** By access group; the groups in their order. */
  readonly synonyms: ReadonlyMap<string, readonly SynonymSet[]>;
  readonly log: BuildLog;
  /** Code by access group; groups without source files are not there. */
  readonly code: ReadonlyMap<string, GroupCode>;
  /** By access group. */
  readonly maps: ReadonlyMap<string, GroupMap>;
}

/** What discovery found wrong, by collection. */
export interface DiscoveryFindings {
  readonly skipped: BuildLog["skipped"];
  readonly diagnostics: BuildLog["diagnostics"];
}

/** Describe a corpus. `loaded` are those of all collections, in their order. */
export function describeCorpus(
  config: TreelineConfig,
  words: CorpusWords,
  loaded: readonly CorpusDocument[],
  found: DiscoveryFindings,
  origin: Origin,
  manifests: readonly ManifestText[] = [],
  precise?: PreciseFacts,
): CorpusDescription {
  const collectionOf = ({ collection }: DocumentCard): CollectionConfig =>
    config.collections[collection] as CollectionConfig;
  const documents = loaded.map(({ card }) => card);
  const leftOut = new Map<string, Set<string>>();
  for (const { collection, path } of found.skipped) {
    leftOut.set(collection, (leftOut.get(collection) ?? new Set()).add(path));
  }
  const sources = documents.map((document): LinkSource => {
    const { name, baseUrl, root, access } = collectionOf(document);
    return { collection: name, baseUrl, root, access, document, leftOut: leftOut.get(name) ?? NO_PATHS };
  });
  const { links, diagnostics: linkDiagnostics } = resolveLinks(sources);
  const facets = chooseFacetKeys(
    documents.map((document) => document.facets),
    config.facets,
    filterKeys(documents),
  );
  const isReported = findingFilter(config.scan);
  const ofDocuments = documents.flatMap((document) =>
    document.diagnostics
      .filter(isReported)
      .map((diagnostic: Diagnostic) => ({ ...diagnostic, collection: collectionOf(document).name })),
  );
  const code = linkCorpus(config.collections, loaded, manifests, precise);
  const groups = [...new Set(config.collections.map(({ access }) => access))].sort();
  const { collections, graph } = config;
  const graphs = new Map(groups.map((group) => [group, makeFileGraph(code.groups.get(group) ?? NO_CODE, graph)]));
  const cycles = groups.flatMap((group) =>
    cycleFindings(graphs.get(group) as FileGraph, code.groups.get(group) ?? NO_CODE),
  );
  const topics = describeTopics(config, loaded, code.groups, groups, words);
  const lineOf = siteLines(config.collections);
  return {
    collections: config.collections.map((collection, index) =>
      describeCollection(collection, index, documents, origin),
    ),
    facetKeys: facets.keys,
    links,
    code: code.groups,
    maps: new Map(
      groups.map((group) => {
        const own = documents.filter((document) => collectionOf(document).access === group);
        const ofGroup = code.groups.get(group) ?? NO_CODE;
        const files = graphs.get(group) as FileGraph;
        const ofTopics = topics.groups.get(group) as GroupTopics;
        const input = { group, collections, documents: own, links, code: ofGroup, files, graph, topics: ofTopics };
        return [group, mapCorpus(input)];
      }),
    ),
    synonyms: new Map(
      groups.map((group) => [group, makeGroupSynonyms(group, config.collections, documents, words.glossary)]),
    ),
    log: makeBuildLog(
      found.skipped,
      [
        ...found.diagnostics,
        ...[...ofDocuments, ...linkDiagnostics, ...code.diagnostics, ...cycles, ...topics.diagnostics].map(lineOf),
      ],
      facets.leftOut,
    ),
  };
}
