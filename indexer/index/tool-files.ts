/**
 * Files that other tools wrote about a corpus, as `build` is given them: reports of linters in SARIF 2.1.0, whose findings
 * become diagnostics, and SCIP indexes of compilers.
 *
 * Of a report the runs, results, their first location, level and rule are read. Findings in files that are in no collection are
 * counted, not kept. Nothing is kept of paths on the machine that made it.
 */
import { readFile } from "node:fs/promises";
import { basename, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import { InputError } from "../../src/core/errors.ts";
import { pick } from "../../src/core/parse-text.ts";
import { cutText, toWellFormed } from "../../src/core/text/short-text.ts";
import type { Diagnostic, Severity } from "../base/diagnostic.ts";
import { createReadError, describeFsError, isFsError } from "../base/file-system.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import { placeScip, type SourceFile } from "../link/scip/place-scip.ts";
import type { Discovery } from "../sources/discover.ts";
import { findRepository } from "../sources/git.ts";
import type { LoadedDocument } from "./load-documents.ts";

export interface ToolPaths {
  /** Reports of compilers and linters (SARIF), whose findings become diagnostics. */
  readonly reports?: readonly string[];
  /** SCIP indexes, which give edges of the tier `precise`. */
  readonly scip?: readonly string[];
}

export interface ToolFiles {
  /** What they say about the files and documents of a corpus. @throws {InputError} for a file that is none of its kind. */
  readonly join: (corpus: JoinedCorpus) => Promise<ToolFindings>;
}

interface ToolFindings {
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Undefined where no SCIP index is given, so that linking has nothing to join. */
  readonly precise: Awaited<ReturnType<typeof placeScip>> | undefined;
}

interface JoinedCorpus {
  /** Folder of the configuration. */
  readonly dir: string;
  readonly config: TreelineConfig;
  /** By collection. */
  readonly discoveries: readonly Discovery[];
  readonly documents: readonly LoadedDocument[];
}

/** Reads all that a build is given. @throws {InputError} when one cannot be read. */
export async function readToolFiles({ reports = [], scip = [] }: ToolPaths): Promise<ToolFiles> {
  const texts = await Promise.all(
    reports.map(async (path) => ({ name: path, text: (await readGiven("report", path)).toString("utf8") })),
  );
  // Diagnostics name it, and its folder must not reach the index.
  const indexes = await Promise.all(
    scip.map(async (path) => ({ name: basename(path), bytes: await readGiven("SCIP index", path) })),
  );
  return {
    async join(corpus) {
      const findFile = fileFinder(corpus);
      const repository = texts.length === 0 ? undefined : await findRepository(corpus.dir);
      const folders = repository === undefined ? [corpus.dir] : [corpus.dir, repository];
      const found = texts.map(({ name, text }) => parseSarif(text, name, folders, findFile));
      const collection = nameOf(corpus, 0);
      const elsewhere = found.flatMap(({ elsewhereMessage: message }): ReportedDiagnostic[] =>
        message === undefined
          ? []
          : [{ severity: "info", code: "sarif-elsewhere", message, path: "", line: 0, collection }],
      );
      const precise = indexes.length === 0 ? undefined : await placeIndexes(indexes, corpus, findFile);
      const diagnostics = [...found.flatMap((one) => one.diagnostics), ...elsewhere, ...(precise?.diagnostics ?? [])];
      return { diagnostics, precise };
    },
  };
}

/** Finds collection and path of a file by its path from the configuration's folder; the first collection that has it wins. */
function fileFinder({ config, discoveries }: JoinedCorpus): FindFile {
  const known = new Map<string, { readonly collection: string; readonly path: string }>();
  for (const [index, { files }] of discoveries.entries()) {
    const { name, root } = config.collections[index] as CollectionConfig;
    for (const { path } of files) {
      const whole = root === "." ? path : `${root}/${path}`;
      if (!known.has(whole)) known.set(whole, { collection: name, path });
    }
  }
  return (path) => known.get(path);
}

function placeIndexes(
  files: Parameters<typeof placeScip>[0],
  corpus: JoinedCorpus,
  findFile: FindFile,
): ReturnType<typeof placeScip> {
  const { config, discoveries, documents } = corpus;
  const sources = new Map<string, SourceFile>();
  for (const { task, card } of documents) {
    if (!card.isSource) continue;
    const { root } = discoveries[task.collection] as Discovery;
    const { id, path } = task;
    sources.set(id, { id, collection: nameOf(corpus, task.collection), path, root, hash: card.hash });
  }
  const findSource = (path: string): SourceFile | undefined => {
    const found = findFile(path);
    return found === undefined ? undefined : sources.get(makeDocumentId(found.collection, found.path));
  };
  const about = documents.find(({ card }) => card.isSource)?.task.collection ?? 0;
  return placeScip(files, findSource, config.limits, nameOf(corpus, about));
}

function nameOf({ config }: JoinedCorpus, collection: number): string {
  return (config.collections[collection] as CollectionConfig).name;
}

async function readGiven(what: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`${what} ${JSON.stringify(path)} cannot be read: ${describeFsError(error)}`, error);
  }
}

/** What may stand in front of a path: no part of a path, an address or a word. */
const BEFORE = String.raw`(?<![\w.~/\\-])(?:file:(?:\/\/(?:localhost)?)?)?`;

const PART = String.raw`[^\s/\\"'\`<>|:*?()[\]{},;]+`;

const UNIX = new RegExp(String.raw`${BEFORE}\/(?:${PART}\/)+(?:${PART})?`, "g");

const WINDOWS = new RegExp(String.raw`${BEFORE}(?:\/?[A-Za-z]:[\\/]|\\\\)(?:${PART}[\\/])*(?:${PART})?`, "g");

/** `/x/gi` is no path, but what a linter says of a regular expression. */
const REGULAR_EXPRESSION = /^\/[^/]+\/[dgimsuvy]{0,8}$/;

const SEVERITY_OF_LEVEL: ReadonlyMap<string, Severity> = new Map([
  ["error", "error"],
  ["warning", "warning"],
  ["note", "info"],
]);
/** What stands for a level that is missing, by SARIF 2.1.0, section 3.27.10. */
const DEFAULT_LEVEL = "warning";
const MAX_MESSAGE_LENGTH = 2_000;
/** Names of files that are told of results elsewhere. */
const SHOWN_NAMES = 3;
/** Bases lead to bases; a report has a handful. */
const MAX_BASES = 20;

/** A finding with the collection of its file. */
type ReportedDiagnostic = Diagnostic & { readonly collection: string };

interface Report {
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Results that name no file of a collection. */
  readonly elsewhere: number;
  /** How many these are of all, in words; undefined where there are none. */
  readonly elsewhereMessage: string | undefined;
}

/** Finds the collection and path of a file by its path from the configuration's folder; undefined where it is in none. */
type FindFile = (path: string) => { readonly collection: string; readonly path: string } | undefined;

/**
 * The findings of a report.
 *
 * @param name What the file is called, for errors.
 * @param folders Absolute paths of the configuration's folder, and of those around it that messages may name: reports
 * often hold absolute addresses.
 * @throws {InputError} where the text is no SARIF report.
 */
export function parseSarif(text: string, name: string, folders: readonly string[], findFile: FindFile): Report {
  const report = parseJson(text, name);
  const runs = pick(report, "runs");
  if (!Array.isArray(runs)) throw notSarif(name, 'it has no list "runs"');
  const [dir = "/"] = folders;
  const hide = (words: string): string => toWellFormed(cutText(hideFolders(words, folders), MAX_MESSAGE_LENGTH));
  const diagnostics: ReportedDiagnostic[] = [];
  const names = new Set<string>();
  let elsewhere = 0;
  for (const run of runs) {
    const driver = pick(run, "tool", "driver");
    const tool = textOf(pick(driver, "name")) ?? "unknown tool";
    const results = pick(run, "results");
    const bases = pick(run, "originalUriBaseIds");
    for (const result of Array.isArray(results) ? results : []) {
      const location = locationOf(result, bases, dir);
      const file = location.path === undefined ? undefined : findFile(location.path);
      if (file === undefined) {
        elsewhere++;
        if (location.uri !== undefined && names.size <= SHOWN_NAMES)
          names.add(location.path ?? location.uri.split(/[\\/]/).findLast((part) => part !== "") ?? location.uri);
        continue;
      }
      diagnostics.push({
        severity: SEVERITY_OF_LEVEL.get(textOf(pick(result, "level")) ?? DEFAULT_LEVEL) ?? "info",
        code: hide(ruleOf(result, driver)),
        message: hide(textOf(pick(result, "message", "text")) ?? ""),
        ...file,
        line: location.line,
        column: location.column,
        tool: hide(tool),
      });
    }
  }
  const elsewhereMessage =
    elsewhere === 0
      ? undefined
      : describeElsewhere(basename(name), elsewhere, elsewhere + diagnostics.length, [...names]);
  return { diagnostics, elsewhere, elsewhereMessage };
}

function describeElsewhere(name: string, count: number, total: number, names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((one) => JSON.stringify(one));
  const list = shown.length === 0 ? "" : `: ${shown.join(", ")}${names.length > SHOWN_NAMES ? ", …" : ""}`;
  return `${count} of ${total} results of ${name} are in no indexed file${list}`;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    throw notSarif(name, `it is no JSON: ${(error as Error).message}`);
  }
}

function notSarif(name: string, reason: string): InputError {
  return new InputError(
    `${JSON.stringify(name)} is no SARIF report: ${reason}`,
    [],
    "eslint . --format @microsoft/eslint-formatter-sarif --output-file lint.sarif",
  );
}

/** A rule's id; results may name it by its place in the tool's list. */
function ruleOf(result: unknown, driver: unknown): string {
  const own = textOf(pick(result, "ruleId")) ?? textOf(pick(result, "rule", "id"));
  if (own !== undefined) return own;
  const rules = pick(driver, "rules");
  const index = pick(result, "ruleIndex");
  const rule: unknown = Array.isArray(rules) && typeof index === "number" ? rules[index] : undefined;
  return textOf(pick(rule, "id")) ?? "finding";
}

interface Location {
  /** As the report gives it. */
  readonly uri: string | undefined;
  /** From the folder of the configuration; undefined where it leads out of it or is no file's. */
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
}

function locationOf(result: unknown, bases: unknown, dir: string): Location {
  const locations = pick(result, "locations");
  const physical = pick(Array.isArray(locations) ? locations[0] : undefined, "physicalLocation");
  const artifact = pick(physical, "artifactLocation");
  const uri = textOf(pick(artifact, "uri"));
  const path = uri === undefined ? undefined : relativePath(resolveBases(uri, artifact, bases), dir);
  const region = pick(physical, "region");
  return { uri, path, line: countOf(pick(region, "startLine")), column: countOf(pick(region, "startColumn")) };
}

/**
 * A relative address behind those of its bases (SARIF 2.1.0, section 3.4.4). A base that the report does not give, which is
 * usual for the root of the sources, is the configuration's folder.
 */
function resolveBases(uri: string, artifact: unknown, bases: unknown): string {
  let whole = uri;
  let at = artifact;
  for (let depth = 0; depth < MAX_BASES && !/^(?:[a-z][a-z0-9+.-]+:|\/)/i.test(whole); depth++) {
    const id = textOf(pick(at, "uriBaseId"));
    if (id === undefined) break;
    at = pick(bases, id);
    const base = textOf(pick(at, "uri")) ?? "";
    whole = base === "" || base.endsWith("/") ? base + whole : `${base}/${whole}`;
  }
  return whole;
}

function relativePath(uri: string, dir: string): string | undefined {
  let path: string;
  try {
    path = uri.startsWith("file:") ? fileURLToPath(uri) : decodeURIComponent(uri);
  } catch {
    return undefined;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return undefined;
  const relative = posix.isAbsolute(path) ? posix.relative(dir, path) : posix.normalize(path);
  return relative.startsWith("..") || posix.isAbsolute(relative) ? undefined : relative;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A 1-based number, 0 where there is none. */
function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}

/**
 * The text with paths in the first folder as paths from there, and in the others as paths that lead out of it and in
 * again (`../lib/a.c`); of other absolute paths the last part is left.
 *
 * @param folders Absolute paths: the configuration's folder, then folders around it.
 */
export function hideFolders(text: string, folders: readonly string[]): string {
  const [first = "/"] = folders;
  const shown = folders.reduce((rest, folder) => {
    if (folder === "/" || folder === "") return rest;
    const path = posix.relative(first, folder);
    const names = [folder, encodeURI(folder)].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const pattern = new RegExp(String.raw`${BEFORE}(?:${names.join("|")})(?<end>\/|(?![\w.~-]))`, "g");
    return rest.replace(pattern, (...found) => {
      const { end } = found.at(-1) as { readonly end: string };
      return end === "" ? path || "." : path === "" ? "" : `${path}/`;
    });
  }, text);
  return shown
    .replace(WINDOWS, (path) => lastPart(path))
    .replace(UNIX, (path) => (REGULAR_EXPRESSION.test(path) ? path : lastPart(path)));
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== "" && !/^(?:file|[A-Za-z]):$/.test(part))
      .at(-1) ?? "/"
  );
}
