/**
 * What a schema cannot say about a configuration: names that differ, folders and globs that stay inside, web
 * addresses, facet keys that make sense, kinds that this version can index.
 *
 * Works on the syntax tree and takes only values of the right type into account, so that it can run on a file that
 * does not fit the schema and all problems come out together.
 *
 * Pure: values in, values out. No I/O.
 */
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { nearestNames, quoteValue } from "../../src/core/text/nearest.ts";
import { findGlobFault } from "../base/globs.ts";
import { CONFIG_FILE_NAME, type ConfigProblem, suggest } from "./config-problems.ts";
import { CONFIG_SCHEMA, fillDefaults } from "./config-schema.ts";
import { RESERVED_FACET_KEYS } from "./facet-keys.ts";
import { FAIL_ON_NAMES, isFailOnName } from "./fail-on.ts";
import { compileSelector } from "./selectors.ts";

/** Keys that a collection cannot give values for. */
const NEVER_INJECTED: readonly string[] = [...RESERVED_FACET_KEYS, "collection", "__proto__"];

/** Why some keys are out of the configuration's hands. */
const REASONS: Readonly<Record<string, string>> = {
  collection: "every document has the facet of its collection's name",
  title: "titles are searched, not filtered by",
  description: "descriptions are searched, not filtered by",
  summary: "summaries are searched, not filtered by",
};

/** Notes what is wrong with a configuration that may or may not fit its schema. */
export function checkMeaning(tree: Node, problems: ConfigProblem[]): void {
  const entries = listCollections(tree);
  checkNames(entries, problems);
  for (const [index, entry] of entries.entries()) {
    checkCollection(entry, `collections[${index}]`, problems);
  }
  checkForcedFacets(tree, problems);
  checkFilePath(tree, "glossary", problems);
  checkFilePath(tree, "categories", problems);
  checkGraph(tree, problems);
  checkAllowed(tree, problems);
  checkFailOn(tree, problems);
}

/** Names of the collections that give no version. */
export function listUnversioned(tree: Node): string[] {
  const entries = listCollections(tree).filter((entry) => readChild(entry, "version") === undefined);
  return entries.flatMap((entry) => readString(entry, "name")?.value ?? []);
}

/** Names of the collections of a kind that say nothing about one of their settings. */
export function listWithout(tree: Node, setting: string, kind: string): string[] {
  const entries = listCollections(tree).filter(
    (entry) => readChild(entry, setting) === undefined && readString(entry, "kind")?.value === kind,
  );
  return entries.flatMap((entry) => readString(entry, "name")?.value ?? []);
}

/** Whether a configuration says nothing about its collections. */
export function lacksCollections(tree: Node): boolean {
  return readChild(tree, "collections") === undefined;
}

/** A folder in its shortest spelling: `docs/./api/../guide/` becomes `docs/guide`; what leads out keeps its leading `..`. */
export function normaliseFolder(folder: string): string {
  const kept: string[] = [];
  for (const segment of folder.split("/")) {
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") {
      kept.pop();
    } else if (segment !== "" && segment !== ".") {
      kept.push(segment);
    }
  }
  return kept.length === 0 ? "." : kept.join("/");
}

function listCollections(tree: Node): Node[] {
  const collections = readChild(tree, "collections");
  return collections?.type === "array" ? (collections.children ?? []) : [];
}

/** Names must differ in more than their case: documents and filters go by them. */
function checkNames(entries: readonly Node[], problems: ConfigProblem[]): void {
  const first = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const name = readString(entry, "name");
    if (name === undefined) {
      continue;
    }
    const key = name.value.toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, index);
    } else {
      const message = `collections[${index}].name ${quoteValue(name.value)} is taken by collections[${other}]`;
      problems.push({ offset: name.offset, message });
    }
  }
}

function checkCollection(entry: Node, where: string, problems: ConfigProblem[]): void {
  const check = (key: string, findFault: (value: string) => string | undefined) => {
    const value = readString(entry, key);
    const fault = value === undefined ? undefined : findFault(value.value);
    if (value !== undefined && fault !== undefined) {
      problems.push({ offset: value.offset, message: `${where}.${key} ${quoteValue(value.value)} ${fault}` });
    }
  };
  check("root", findPathFault);
  // Of a built site, a path is enough: `/docs/`.
  const isSite = readString(entry, "kind")?.value === "site";
  check("baseUrl", (value) => (isSite && /^\/(?![/\\])[^?#\s]*$/.test(value) ? undefined : findAddressFault(value)));
  check("repository", findAddressFault);
  checkSelectors(entry, where, problems);
  for (const key of ["include", "exclude"]) checkGlobs(readChild(entry, key), `${where}.${key}`, problems);
  const facets = readChild(entry, "facets");
  for (const property of facets?.type === "object" ? (facets.children ?? []) : []) {
    checkFacetKey(property.children?.[0], `${where}.facets`, NEVER_INJECTED, problems);
  }
}

/** Selectors of a kind that is not read would leave in what was meant to be left out. */
function checkSelectors(entry: Node, where: string, problems: ConfigProblem[]): void {
  const site = readChild(entry, "site");
  const check = (node: Node | undefined, place: string): void => {
    if (typeof node?.value !== "string" || node.value === "" || compileSelector(node.value) !== undefined) return;
    const takes = "names, .classes, #ids, [attributes], their descendants and children (a b, a > b), lists with commas";
    const message = `${where}.${place} ${quoteValue(node.value)} is no selector that is known: it takes ${takes}`;
    problems.push({ offset: node.offset, message });
  };
  if (site?.type !== "object") return;
  check(readChild(site, "root"), "site.root");
  const excluded = readChild(site, "exclude");
  for (const [at, node] of (excluded?.type === "array" ? (excluded.children ?? []) : []).entries()) {
    check(node, `site.exclude[${at}]`);
  }
}

function checkGlobs(list: Node | undefined, where: string, problems: ConfigProblem[]): void {
  for (const [index, glob] of (list?.type === "array" ? (list.children ?? []) : []).entries()) {
    const fault = typeof glob.value === "string" ? findGlobFault(glob.value) : undefined;
    if (fault !== undefined) {
      problems.push({ offset: glob.offset, message: `${where}[${index}] ${quoteValue(glob.value)} ${fault}` });
    }
  }
}

function checkAllowed(tree: Node, problems: ConfigProblem[]): void {
  for (const index of findNodeAtLocation(tree, ["scan", "ignore"])?.children?.keys() ?? []) {
    const glob = findNodeAtLocation(tree, ["scan", "ignore", index, "path"]);
    const fault = typeof glob?.value === "string" ? findGlobFault(glob.value) : undefined;
    if (glob !== undefined && fault !== undefined) {
      const message = `scan.ignore[${index}].path ${quoteValue(glob.value)} ${fault}`;
      problems.push({ offset: glob.offset, message });
    }
  }
}

/** Names that no build reports. */
function checkFailOn(tree: Node, problems: ConfigProblem[]): void {
  for (const node of readStrings(findNodeAtLocation(tree, ["failOn"]))) {
    const name = String(node.value);
    if (isFailOnName(name)) continue;
    const hint = suggest(nearestNames(name, FAIL_ON_NAMES, 1), FAIL_ON_NAMES, "it takes");
    problems.push({
      offset: node.offset,
      message: `failOn has ${quoteValue(name)}, which is no rule, source or severity${hint}`,
    });
  }
}

/** What the schema's own defaults say of it. */
interface GraphDefaults {
  readonly complexity: Readonly<Record<"moderate" | "complex" | "veryComplex", number>>;
}

function checkGraph(tree: Node, problems: ConfigProblem[]): void {
  for (const key of ["entryPoints", "ignore"]) {
    checkGlobs(findNodeAtLocation(tree, ["graph", key]), `graph.${key}`, problems);
  }
  // What is left out has its default, which must fit beside the others, too.
  const { graph } = fillDefaults({}, CONFIG_SCHEMA) as { readonly graph: GraphDefaults };
  let before: { readonly key: string; readonly value: number } | undefined;
  for (const key of ["moderate", "complex", "veryComplex"] as const) {
    const node = findNodeAtLocation(tree, ["graph", "complexity", key]);
    const value = typeof node?.value === "number" ? node.value : graph.complexity[key];
    if (before !== undefined && value <= before.value) {
      const at = node ?? findNodeAtLocation(tree, ["graph", "complexity"]) ?? tree;
      const message = `graph.complexity.${key} must be more than ${before.key}, which is ${before.value}; found ${value}`;
      problems.push({ offset: at.offset, message });
    }
    before = { key, value };
  }
}

function checkForcedFacets(tree: Node, problems: ConfigProblem[]): void {
  const included = readStrings(findNodeAtLocation(tree, ["facets", "include"]));
  const excluded = readStrings(findNodeAtLocation(tree, ["facets", "exclude"]));
  for (const node of included) {
    checkFacetKey(node, "facets.include", RESERVED_FACET_KEYS, problems);
  }
  for (const node of excluded) {
    checkFacetKey(node, "facets.exclude", ["collection"], problems);
    if (included.some((other) => other.value === node.value)) {
      const message = `facets.exclude ${quoteValue(node.value)} is in facets.include as well`;
      problems.push({ offset: node.offset, message });
    }
  }
}

function checkFilePath(tree: Node, key: "glossary" | "categories", problems: ConfigProblem[]): void {
  const path = readString(tree, key);
  const fault = path === undefined || path.value === "" ? undefined : findPathFault(path.value);
  if (path !== undefined && fault !== undefined) {
    problems.push({ offset: path.offset, message: `${key} ${quoteValue(path.value)} ${fault}` });
  }
}

function checkFacetKey(
  node: Node | undefined,
  where: string,
  forbidden: readonly string[],
  problems: ConfigProblem[],
): void {
  const key: unknown = node?.value;
  if (node === undefined || typeof key !== "string") {
    return;
  }
  if (key.trim() !== key || key === "") {
    const message = `${where}: the key ${quoteValue(key)} is empty or has spaces around it`;
    problems.push({ offset: node.offset, message });
  } else if (forbidden.includes(key)) {
    problems.push({
      offset: node.offset,
      message: `${where}: ${quoteValue(key)} cannot stand here: ${REASONS[key] ?? "it is no facet"}`,
    });
  }
}

function findPathFault(path: string): string | undefined {
  if (path.includes("\\")) {
    return 'holds a backslash; write "/" between folders';
  }
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path) || path.startsWith("~/")) {
    return `is an absolute path; it must be relative to the folder of ${CONFIG_FILE_NAME}`;
  }
  if (normaliseFolder(path).split("/").includes("..")) {
    return `leads out of the folder of ${CONFIG_FILE_NAME}`;
  }
  return path.includes("\0") ? "holds a NUL character" : undefined;
}

function findAddressFault(address: string): string | undefined {
  if (address === "") {
    return undefined;
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(address)) {
    return "is not a web address; it starts with https:// or http://";
  }
  if (url.username !== "" || url.password !== "") {
    return "holds a user name or password, which would be published";
  }
  return url.search !== "" || url.hash !== "" ? "must end before ? and #" : undefined;
}

function readChild(entry: Node, key: string): Node | undefined {
  return entry.type === "object" ? findNodeAtLocation(entry, [key]) : undefined;
}

function readString(entry: Node, key: string): { value: string; offset: number } | undefined {
  const node = readChild(entry, key);
  return node?.type === "string" ? { value: String(node.value), offset: node.offset } : undefined;
}

function readStrings(node: Node | undefined): Node[] {
  return node?.type === "array" ? (node.children ?? []).filter((child) => child.type === "string") : [];
}
