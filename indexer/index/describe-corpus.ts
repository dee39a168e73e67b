/**
 * What a generation says that does not come from single documents: collections, links, facet keys, synonyms, the log.
 */
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { ManifestText } from "../link/code/code-world.ts";
import { type GroupCode, NO_CODE } from "../link/code/group-code.ts";
import type { PreciseFacts } from "../link/code/precise-targets.ts";
import { type LinkSource, resolveLinks } from "../link/links.ts";
import { findingFilter } from "../scan/scan-document.ts";
import { chooseFacetKeys } from "../topics/facets.ts";
import { cycleFindings } from "../topics/graph/cycle-findings.ts";
import { type FileGraph, makeFileGraph } from "../topics/graph/file-graph.ts";
import { makeGroupSynonyms, type SynonymSet } from "../topics/synonyms.ts";
import { type BuildLog, makeBuildLog } from "./build-log.ts";
import type { DocumentCard } from "./cache/cached-document.ts";
import { type CorpusWords, describeTopics } from "./describe-topics.ts";
import type { LeftOutParts, OptionalPart } from "./isolate-files.ts";
import { linkCorpus } from "./link-corpus.ts";
import type { LoadedDocument } from "./load-documents.ts";
import { type GroupMap, graphInsights, NO_MAP } from "./map-corpus.ts";
import { siteLines } from "./site-lines.ts";
import { atStage, type BeforeStage, type Stage, stageDiagnostic } from "./stages.ts";
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

/** How a corpus is described. */
export interface DescribeOptions {
  /** Called for each document before each stage. */
  readonly before?: BeforeStage | undefined;
  readonly leftOut?: LeftOutParts;
}

/** Describes a corpus. `loaded` are those of all collections, in their order. @throws {StageError} where a stage fails. */
export function describeCorpus(
  config: TreelineConfig,
  words: CorpusWords,
  loaded: readonly LoadedDocument[],
  found: DiscoveryFindings,
  origin: Origin,
  manifests: readonly ManifestText[] = [],
  precise?: PreciseFacts,
  { before, leftOut = new Map() }: DescribeOptions = {},
): CorpusDescription {
  const run = <T>(stage: Stage, part: OptionalPart, work: () => T, otherwise: T): T => {
    if (leftOut.has(part)) return otherwise;
    return atStage(stage, () => {
      for (const { task } of loaded) if (task.plain === undefined) before?.(stage, task.path);
      return work();
    });
  };
  const collectionOf = ({ collection }: DocumentCard): CollectionConfig =>
    config.collections[collection] as CollectionConfig;
  const documents = loaded.map(({ card }) => card);
  const skipped = new Map<string, Set<string>>();
  for (const { collection, path } of found.skipped) {
    skipped.set(collection, (skipped.get(collection) ?? new Set()).add(path));
  }
  const sources = documents.map((document): LinkSource => {
    const { name, baseUrl, root, access } = collectionOf(document);
    return { collection: name, baseUrl, root, access, document, leftOut: skipped.get(name) ?? NO_PATHS };
  });
  const noLinks = { links: new Map(), diagnostics: [] };
  const { links, diagnostics: linkDiagnostics } = run("resolve", "links", () => resolveLinks(sources), noLinks);
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
  const code = run("link", "code", () => linkCorpus(config.collections, loaded, manifests, precise), {
    groups: new Map(),
    diagnostics: [],
  });
  const codeOf = (group: string): GroupCode => code.groups.get(group) ?? NO_CODE;
  const groups = [...new Set(config.collections.map(({ access }) => access))].sort();
  const { collections, graph } = config;
  const topics = run("topics", "topics", () => describeTopics(config, loaded, code.groups, groups, words), {
    groups: new Map(),
    diagnostics: [],
  });
  const noInsights = { graphs: new Map<string, FileGraph>(), cycles: [] as ReturnType<typeof cycleFindings> };
  const { graphs, cycles } = run(
    "insights",
    "insights",
    () => {
      const made = new Map(groups.map((group) => [group, makeFileGraph(codeOf(group), graph)]));
      return { graphs: made, cycles: [...made].flatMap(([group, files]) => cycleFindings(files, codeOf(group))) };
    },
    noInsights,
  );
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
        const { categories, concepts } = topics.groups.get(group) ?? NO_MAP;
        const files = graphs.get(group);
        const input = { group, collections, documents: own, links, graph };
        const insights = files === undefined ? [] : atStage("insights", () => graphInsights({ ...input, files }));
        return [group, { insights, categories, concepts }];
      }),
    ),
    synonyms: run(
      "synonyms",
      "synonyms",
      () =>
        new Map(
          groups.map((group) => [group, makeGroupSynonyms(group, config.collections, documents, words.glossary)]),
        ),
      new Map(groups.map((group) => [group, []])),
    ),
    log: makeBuildLog(
      found.skipped,
      [
        ...found.diagnostics,
        ...describeParts(leftOut, collections[0]?.name ?? ""),
        ...[...ofDocuments, ...linkDiagnostics, ...code.diagnostics, ...cycles, ...topics.diagnostics].map(lineOf),
      ],
      facets.leftOut,
    ),
  };
}

/** Findings about parts that the index does without. */
function describeParts(leftOut: LeftOutParts, collection: string): BuildLog["diagnostics"] {
  return [...leftOut].map(([part, failure]) => ({
    ...stageDiagnostic("", failure, `the index has no ${part}`),
    collection,
  }));
}

/**
 * Whether addresses of a built site have no `.html`: as its configuration says, else as most of its pages say that are no folder's, by
 * their canonical addresses.
 */
function hasCleanUrls(
  { kind, site, baseUrl }: Pick<CollectionConfig, "kind" | "site" | "baseUrl">,
  pages: readonly Pick<DocumentCard, "path" | "site">[],
): boolean {
  if (kind !== "site" || site.cleanUrls !== "auto") return kind === "site" && site.cleanUrls === "yes";
  let clean = 0;
  let asked = 0;
  for (const page of pages) {
    if (/(?:^|\/)index\.html?$/i.test(page.path)) continue;
    asked++;
    // Only an address of this page counts: a copy of a site names that of the original, a template one for all pages.
    const path = readPath(page.site?.canonical ?? "", baseUrl);
    if (path !== page.path && path?.replace(/\/$/, "") === page.path.replace(/\.html?$/i, "")) clean++;
  }
  return clean * 2 > asked;
}

/** What stands behind `baseUrl` in an address; of one on another host the path. */
function readPath(address: string, baseUrl: string): string | undefined {
  const url = URL.canParse(address, "https://site.invalid") ? new URL(address, "https://site.invalid") : undefined;
  if (url === undefined) return undefined;
  const base = new URL(baseUrl || "/", "https://site.invalid").pathname;
  return url.pathname.startsWith(base) ? decodePath(url.pathname.slice(base.length)) : undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Where files come from. */
interface Origin {
  /** The commit at which they were read, or `none`. */
  readonly commit: string;
  /** Where the folder of the configuration lies in the repository, `""` for its top. */
  readonly folder: string;
}

/** Describe the collection at `index`; `documents` are those of all collections. */
export function describeCollection(
  collection: CollectionConfig,
  index: number,
  documents: readonly Pick<DocumentCard, "collection" | "sections" | "words" | "path" | "site">[],
  { commit, folder: top }: Origin,
): CollectionInfo {
  const own = documents.filter((document) => document.collection === index);
  const { name, kind, weight, baseUrl, version, access, repository, language, root } = collection;
  const folder = [top, root].filter((part) => part !== "" && part !== ".").join("/");
  return {
    name,
    kind,
    weight,
    baseUrl,
    ...(hasCleanUrls(collection, own) && { plain: true }),
    version,
    access,
    commit,
    repository,
    // Only for links into the repository, which seldom holds what was built of it.
    ...(repository !== "" && commit !== "none" && kind !== "site" && { folder }),
    language,
    documents: own.length,
    sections: own.reduce((sum, document) => sum + document.sections.length, 0),
    words: own.reduce((sum, document) => sum + document.words, 0),
  };
}
