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
  const siteNames = new Map(config.collections.map(({ name, partOf = name }) => [name, partOf]));
  for (const { collection, path } of found.skipped) {
    const site = siteNames.get(collection) ?? collection;
    skipped.set(site, (skipped.get(site) ?? new Set()).add(path));
  }
  const sites = describeSites(config.collections, documents);
  const addressesOf = ({ name, baseUrl }: CollectionConfig): SiteAddresses =>
    sites.get(siteNames.get(name) ?? name)?.addresses ?? { baseUrl };
  const sources = documents.map((document): LinkSource => {
    const own = collectionOf(document);
    const { name, partOf = name, root, access } = own;
    const leftOut = skipped.get(partOf) ?? NO_PATHS;
    return { collection: name, partOf, ...addressesOf(own), root, access, document, leftOut };
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
      describeCollection(collection, index, documents, origin, addressesOf(collection)),
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
      ...[...sites.values()].flatMap(({ findings }) => findings),
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

type SiteAddresses = Pick<CollectionInfo, "baseUrl" | "plain" | "slash">;

/** By the name of a site, which may be several collections: how its pages are addressed, and a finding that says how it was read. */
function describeSites(collections: readonly CollectionConfig[], documents: readonly DocumentCard[]) {
  const pages = Map.groupBy(documents, ({ collection }) => collection);
  const parts = Map.groupBy(collections.entries(), ([, { name, partOf = name }]) => partOf);
  return new Map(
    [...parts].map(([name, own]) => {
      const [[, first]] = own as [(typeof own)[number]];
      const addresses = readAddresses(
        first,
        own.flatMap(([index]) => pages.get(index) ?? []),
      );
      const { baseUrl, plain, slash } = addresses;
      const ways = [
        baseUrl !== first.baseUrl && `below ${baseUrl}`,
        plain && first.site.cleanUrls === "auto" && "without .html",
        slash !== undefined && `${slash ? "with" : "without"} / at their ends`,
      ].filter((way) => typeof way === "string");
      const languages = own.map(([at, one]) => `${one.name} in ${one.language} (${pages.get(at)?.length ?? 0})`);
      const said = [
        ways.length > 0 && `addresses are written ${ways.join(", ")}, as its pages have them`,
        own.length > 1 && `its pages name ${own.length} languages, each a collection: ${languages.join(", ")}`,
      ].filter((one) => one !== false);
      const message = said.join("; ");
      const finding = { severity: "info", code: "site-read", message, path: "", line: 0, collection: name } as const;
      return [name, { addresses, findings: message === "" ? [] : [finding] }];
    }),
  );
}

function readAddresses(
  { kind, site, baseUrl: usual, given }: CollectionConfig,
  pages: readonly DocumentCard[],
): SiteAddresses {
  if (kind !== "site") return { baseUrl: usual };
  const routes: Routes = new Map(pages.map(({ path }) => [routeOf(path), /(?:^|\/)index\.html?$/i.test(path)]));
  const links = [...new Set(pages.flatMap((page) => page.site?.links ?? []))];
  const baseUrl = given?.includes("baseUrl") ? usual : findBase(links, routes);
  const linked = links.flatMap((address) => findTarget(address, baseUrl, routes) ?? []);
  // Only an address of this page counts: a copy of a site names that of the original, a template one for all pages.
  const named = pages.flatMap((page) => {
    const target = findTarget(page.site?.canonical ?? "", baseUrl, routes);
    return target?.route === routeOf(page.path) ? [target] : [];
  });
  const endsOf = (isFolder: boolean): readonly string[] => {
    const [own, others] = [named, linked].map((list) => list.filter((target) => target.isFolder === isFolder));
    const count = [...routes.values()].filter((one) => one === isFolder).length;
    return ((own?.length ?? 0) * 2 > count ? own : others)?.map(({ end }) => end) ?? [];
  };
  const files = endsOf(false);
  const isPlain = site.cleanUrls === "auto" ? isMost(files, (end) => !end.includes(".")) : site.cleanUrls === "yes";
  const isSlashed = isPlain && isMost(files, (end) => end === "/");
  const isSaid = isSlashed || isMost(endsOf(true), (end) => end === "");
  return { baseUrl, ...(isPlain && { plain: true }), ...(isSaid && { slash: isSlashed ? "/" : "" }) };
}

function isMost<T>(list: readonly T[], test: (one: T) => boolean): boolean {
  return list.filter(test).length * 2 > list.length;
}

/** Pages by path without ending, and whether each is that of a folder. */
type Routes = ReadonlyMap<string, boolean>;

const routeOf = (path: string): string => path.replace(/(?:(?:^|\/)index)?\.html?$/i, "");

/** The page that an address leads to, unless it is that at the root, whose address is the site's. */
function findTarget(address: string, baseUrl: string, routes: Routes) {
  const path = /^(?:\/|https?:)/i.test(address) ? readPath(address, baseUrl) : address;
  const [end = ""] = /(?:\.html?|\/)$/i.exec(path ?? "") ?? [];
  const route = path?.slice(0, path.length - end.length) ?? "";
  const isFolder = routes.get(route);
  return route === "" || isFolder === undefined ? undefined : { route, isFolder, end };
}

/** The folders that most links to pages begin with and that are none of the site: where it is served. Else `/`. */
function findBase(links: readonly string[], routes: Routes): string {
  const folders = new Set([...routes.keys()].map((route) => route.split("/")[0]));
  const bases = links.flatMap((address) => {
    const parts = address.split("/");
    const counts = parts[0] !== "" || folders.has(parts[1] as string) ? [1] : [1, 2, 3];
    const base = counts
      .map((count) => `${parts.slice(0, count).join("/")}/`)
      .find((one) => !one.startsWith("//") && findTarget(address, one, routes) !== undefined);
    return base === undefined ? [] : [parts[0] === "" ? base : ""];
  });
  return [...new Set(bases)].find((base) => base !== "" && isMost(bases, (one) => one === base)) ?? "/";
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
  addresses: SiteAddresses = { baseUrl: collection.baseUrl },
): CollectionInfo {
  const own = documents.filter((document) => document.collection === index);
  const { name, kind, weight, version, access, repository, language, root } = collection;
  const folder = [top, root].filter((part) => part !== "" && part !== ".").join("/");
  return {
    name,
    kind,
    weight,
    ...addresses,
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
