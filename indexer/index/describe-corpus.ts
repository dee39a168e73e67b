/**
 * Describes a corpus as a whole, once its documents are loaded: collections, links, facet keys, code, topics, insights,
 * synonyms, the log. Everything is worked out for each access group by itself: nobody learns from counts and names what he may
 * not read.
 */

import { roleWith } from "../../src/core/docs/roles.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { CollectionInfo } from "../../src/core/format/root.ts";
import type { OverlayTableName } from "../../src/core/format/table.ts";
import { unescapeText } from "../../src/core/parse-text.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { GlossaryEntry, WrittenCategories } from "../config/topic-files.ts";
import type { LinkDiagnostic } from "../languages/base/manifests.ts";
import { type GroupCode, NO_CODE } from "../link/code/link-code.ts";
import { type LinkSource, type ResolvedLinks, resolveLinks } from "../link/links.ts";
import { findingFilter } from "../scan/scan-document.ts";
import { cycleFindings, type FileGraphs, insightEntries } from "../topics/graph/insights.ts";
import { makeFileGraph, makePageGraph } from "../topics/graph/link-graph.ts";
import { makeGroupSynonyms, synonymEntries } from "../topics/synonyms.ts";
import { type BuildLog, makeBuildLog, siteLines } from "./build-log.ts";
import type { LoadedDocument } from "./load-documents.ts";
import type { DocumentCard } from "./prepared-document.ts";
import {
  atStage,
  type BeforeStage,
  CONTENT_OF_STAGE,
  type LeftOutContent,
  type Stage,
  stageDiagnostic,
} from "./stages.ts";
import { makeTopics } from "./topic-tables.ts";

const NO_PATHS: ReadonlySet<string> = new Set();

/** Entries of the tables of one access group that say what it is about. */
type GroupOverview = Readonly<Record<Exclude<OverlayTableName, "links">, readonly TableEntry[]>>;

const NO_OVERVIEW: GroupOverview = { synonyms: [], insights: [], categories: [], concepts: [] };

interface CorpusDescription {
  readonly collections: readonly CollectionInfo[];
  /** By document id. */
  readonly links: ReadonlyMap<string, ResolvedLinks>;
  readonly log: BuildLog;
  /** Code by access group; groups without source files are not there. */
  readonly code: ReadonlyMap<string, GroupCode>;
  /** By access group, the groups in their order; entries in no particular order. */
  readonly overviews: ReadonlyMap<string, GroupOverview>;
}

interface DiscoveryFindings {
  readonly skipped: BuildLog["skipped"];
  readonly diagnostics: BuildLog["diagnostics"];
}

interface DescribeOptions {
  /** Called for each document before each stage. */
  readonly before?: BeforeStage | undefined;
  readonly leftOut?: LeftOutContent;
  /** Roles that paths do not tell, as the root has them. */
  readonly roles?: Readonly<Record<string, string>>;
}

interface LinkedGroups {
  /** By access group; groups without source files are not there. */
  readonly groups: ReadonlyMap<string, GroupCode>;
  readonly diagnostics: readonly LinkDiagnostic[];
}

/** Links the source files among some documents. `isAside`: whether a document is beside the product. */
export type LinkCode = (documents: readonly LoadedDocument[], isAside: (id: string) => boolean) => LinkedGroups;

export const NO_LINKED_CODE: LinkedGroups = { groups: new Map(), diagnostics: [] };

/** Describes a corpus. `loaded` are those of all collections, in their order. @throws {StageError} where a stage fails. */
export function describeCorpus(
  config: TreelineConfig,
  words: CorpusWords,
  loaded: readonly LoadedDocument[],
  found: DiscoveryFindings,
  origin: Origin,
  linkCode: LinkCode,
  { before, leftOut = new Map(), roles }: DescribeOptions = {},
): CorpusDescription {
  const run = <T>(stage: Stage, work: () => T, otherwise: T): T => {
    if (CONTENT_OF_STAGE[stage]?.some((content) => leftOut.has(content)) === true) return otherwise;
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
  const { links, diagnostics: linkDiagnostics } = run("resolve", () => resolveLinks(sources), noLinks);
  const isReported = findingFilter(config.scan);
  const ofDocuments = documents.flatMap((document) =>
    document.diagnostics
      .filter(isReported)
      .map((diagnostic: Diagnostic) => ({ ...diagnostic, collection: collectionOf(document).name })),
  );
  const isAside = (id: string): boolean => roleWith(roles, id) !== "production";
  const code = run("link", () => linkCode(loaded, isAside), NO_LINKED_CODE);
  const codeOf = (group: string): GroupCode => code.groups.get(group) ?? NO_CODE;
  const groups = [...new Set(config.collections.map(({ access }) => access))].sort();
  const { collections, graph } = config;
  const topics = run("topics", () => describeTopics(config, loaded, code.groups, groups, words), {
    groups: new Map(),
    diagnostics: [],
  });
  const synonyms = run(
    "synonyms",
    () => {
      const setsOf = (group: string) =>
        makeGroupSynonyms(group, config.collections, documents, words.glossary, config.thesaurus);
      return new Map(groups.map((group) => [group, synonymEntries(setsOf(group))]));
    },
    new Map<string, TableEntry[]>(),
  );
  const noInsights = { graphs: new Map<string, FileGraphs>(), cycles: [] as ReturnType<typeof cycleFindings> };
  const { graphs, cycles } = run(
    "insights",
    () => {
      const graphsOf = (files: GroupCode): FileGraphs => ({
        product: makeFileGraph(files, graph, isAside),
        all: makeFileGraph(files, graph),
        roleOf: (id) => roleWith(roles, id),
      });
      const made = new Map(groups.map((group) => [group, graphsOf(codeOf(group))]));
      const found = [...made].flatMap(([group, { product }]) => cycleFindings(product, codeOf(group)));
      return { graphs: made, cycles: found };
    },
    noInsights,
  );
  const lineOf = siteLines(config.collections);
  return {
    collections: config.collections.map((collection, index) =>
      describeCollection(collection, index, documents, origin),
    ),
    links,
    code: code.groups,
    overviews: new Map(
      groups.map((group) => {
        const own = documents.filter((document) => collectionOf(document).access === group);
        const { categories, concepts } = topics.groups.get(group) ?? NO_OVERVIEW;
        const files = graphs.get(group);
        const insights =
          files === undefined ? [] : atStage("insights", () => describeInsights(group, config, own, links, files));
        return [group, { synonyms: synonyms.get(group) ?? [], insights, categories, concepts }];
      }),
    ),
    log: makeBuildLog(found.skipped, [
      ...found.diagnostics,
      ...describeLeftOut(leftOut, collections[0]?.name ?? ""),
      ...[...ofDocuments, ...linkDiagnostics, ...code.diagnostics, ...cycles, ...topics.diagnostics].map(lineOf),
    ]),
  };
}

function describeLeftOut(leftOut: LeftOutContent, collection: string): BuildLog["diagnostics"] {
  return [...leftOut].map(([content, failure]) => ({
    ...stageDiagnostic("", failure, `the index has no ${content}`),
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
  return url.pathname.startsWith(base) ? unescapeText(url.pathname.slice(base.length)) : undefined;
}

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

/** What a maintainer wrote down about the corpus. */
export interface CorpusWords {
  readonly glossary: readonly GlossaryEntry[];
  readonly categories: WrittenCategories;
}

type GroupTopics = ReturnType<typeof makeTopics>;

interface CorpusTopics {
  readonly groups: ReadonlyMap<string, GroupTopics>;
  readonly diagnostics: readonly (Diagnostic & { readonly collection: string })[];
}

function describeTopics(
  { collections }: TreelineConfig,
  loaded: readonly LoadedDocument[],
  code: ReadonlyMap<string, GroupCode>,
  groups: readonly string[],
  { glossary, categories }: CorpusWords,
): CorpusTopics {
  const topics = new Map(
    groups.map((group) => {
      const input = {
        collections,
        documents: loaded.filter(({ card }) => collections[card.collection]?.access === group),
        code: code.get(group) ?? NO_CODE,
        glossary,
        written: categories,
        showsEmpty: groups.length === 1,
      };
      return [group, makeTopics(input)] as const;
    }),
  );
  return { groups: topics, diagnostics: joinFindings([...topics.values()], collections[0]?.name ?? "") };
}

/** What every group finds: what one does not know may be another's. They stand with the first collection. */
function joinFindings(topics: readonly GroupTopics[], collection: string): CorpusTopics["diagnostics"] {
  const [first, ...others] = topics;
  const isEverywhere = ({ code, line }: Diagnostic): boolean =>
    others.every(({ diagnostics }) => diagnostics.some((one) => one.code === code && one.line === line));
  return (first?.diagnostics ?? []).filter(isEverywhere).map((diagnostic) => ({ ...diagnostic, collection }));
}

/** Entries of the table `insights` of one access group: what the graphs of its files and pages show. */
export function describeInsights(
  group: string,
  { collections, graph }: Pick<TreelineConfig, "collections" | "graph">,
  documents: readonly DocumentCard[],
  links: ReadonlyMap<string, ResolvedLinks>,
  files: FileGraphs,
): TableEntry[] {
  const collectionName = ({ collection }: Pick<DocumentCard, "collection">): string =>
    (collections[collection] as CollectionConfig).name;
  const pages = makePageGraph({ documents, collectionName, links }, graph);
  const names = collections.filter(({ access }) => access === group).map(({ name }) => name);
  return insightEntries(files, pages, names, graph);
}
