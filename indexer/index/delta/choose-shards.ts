/**
 * Chooses what a build on a base writes: everything, or what changed since. And finds symbols that pages name, that the base
 * had and that are gone: the page still says the old name.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { mentionsInPages } from "../../../src/core/code/edges.ts";
import { makeDocumentId } from "../../../src/core/docs/node-id.ts";
import { FormatError, StaleGenerationError } from "../../../src/core/errors.ts";
import { fileOfPack } from "../../../src/core/format/chunk.ts";
import { makeSymbolId, withoutOrdinal } from "../../../src/core/format/code-model.ts";
import type { NamedSymbol } from "../../../src/core/format/edge-tables.ts";
import type { ManifestFile } from "../../../src/core/format/generation.ts";
import type { ShardRoot } from "../../../src/core/format/root.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import type { TreelineConfig } from "../../config/config.ts";
import { type GroupCode, NO_CODE } from "../../link/code/link-code.ts";
import { type BuildLog, makeBuildLog, siteLines } from "../build-log.ts";
import type { BuildMemory } from "../cache/document-cache.ts";
import { afterFailure } from "../digests.ts";
import type { LoadedDocument } from "../load-documents.ts";
import { allShards, type ReadCorpus } from "../read-corpus.ts";
import { isOutside } from "../stages.ts";
import type { ShardInput } from "../write-generation.ts";
import { type FileSink, nameFile } from "../write-table.ts";
import { makeDelta } from "./make-delta.ts";
import { type BaseIndex, openBase } from "./open-base.ts";
import { type GroupChanges, planDelta } from "./plan-delta.ts";

/** What is written. */
export interface ChosenShards {
  readonly shards: readonly ShardInput[];
  /** Undefined where everything is written. */
  readonly base: UsedBase | undefined;
  /** Why the base that was asked for is not used; `""` where it is, or none was asked for. */
  readonly notice: string;
}

/**
 * Choose what to write.
 *
 * @param place Folder or address of the index to build on.
 * @param settings Digest of the settings, which must be the base's too.
 * @param target Where the packs of a base are put that is used.
 */
export async function chooseDelta(
  corpus: ReadCorpus,
  config: TreelineConfig,
  settings: string,
  place: string,
  memory: BuildMemory,
  target: { readonly outDir: string; readonly sink: FileSink },
): Promise<ChosenShards> {
  const full = (notice: string): ChosenShards => ({ shards: allShards(corpus, config), base: undefined, notice });
  const opened = await openBaseOrExplain(place, memory);
  if (typeof opened === "string") return full(opened);
  if (opened.root.settings === afterFailure(settings)) return full("a stage failed when the base was built");
  if (opened.root.settings !== settings) {
    return full("the base was built with other settings or by another version of Treeline");
  }
  const groupOf = ({ task }: LoadedDocument): string => config.collections[task.collection]?.access ?? "";
  const names = config.collections.map(({ name }) => name);
  const plan = planDelta(opened, corpus.documents, names, groupOf);
  if (!plan.ok) return full(plan.reason);
  const { links, code, overviews } = corpus.description;
  try {
    const setting = { collections: config.collections, facets: config.facets, links, code, overviews };
    const delta = await makeDelta(opened, plan.shards, setting);
    if (!delta.ok) return full(delta.reason);
    const files = await takeOverPacks(opened, target.outDir, target.sink);
    return { shards: delta.shards, base: { index: opened, files, shards: delta.bases, plan: plan.shards }, notice: "" };
  } catch (error) {
    const isOfBase = error instanceof StaleGenerationError || (error instanceof Error && !isOutside(error));
    if (!isOfBase) throw error;
    return full(explainBase(error));
  }
}

export interface UsedBase {
  readonly index: BaseIndex;
  /** Its packs, which the output folder holds. */
  readonly files: readonly ManifestFile[];
  readonly shards: readonly ShardRoot[];
  readonly plan: readonly GroupChanges[];
}

async function openBaseOrExplain(place: string, memory: BuildMemory): Promise<BaseIndex | string> {
  try {
    memory.base = await openBase(place, memory.base);
    return memory.base ?? `there is no index at ${JSON.stringify(place)} to build on`;
  } catch (error) {
    if (error instanceof FormatError || error instanceof StaleGenerationError) return explainBase(error);
    if (isFsError(error)) return `the base cannot be read: ${describeFsError(error)}`;
    throw error;
  }
}

function explainBase(error: Error): string {
  return `the base cannot be used: ${error.message}`;
}

/**
 * Make sure that the output folder holds a base's packs. The result are these files.
 *
 * @throws {FormatError} when the base does not list one, or holds it damaged.
 * @throws {StaleGenerationError} when one is gone.
 */
async function takeOverPacks(base: BaseIndex, outDir: string, sink: FileSink): Promise<ManifestFile[]> {
  const names = new Set(base.root.packs.map(fileOfPack));
  const files = base.files.filter(({ name }) => names.has(name));
  if (files.length < names.size)
    throw new FormatError("manifest", { code: "malformed", reason: "lists not all packs" });
  for (const file of files) {
    const target = join(outDir, file.name);
    if ((await sizeOf(target)) === file.bytes) continue;
    const bytes = await base.source.readRange(file.name, 0, file.bytes);
    if (nameFile(bytes, "pack") !== file.name) {
      throw new FormatError(file.name, { code: "malformed", reason: "its content is not that of its name" });
    }
    await sink(file.name, bytes);
  }
  return files;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

type Finding = BuildLog["diagnostics"][number];

/** The log of a corpus with a warning for each such name, in place of the note that it is unknown. */
export async function logGoneSymbols(
  { index: base }: { readonly index: Pick<BaseIndex, "reader"> },
  { documents, description }: Pick<ReadCorpus, "documents" | "description">,
  config: TreelineConfig,
): Promise<BuildLog> {
  const { log, code } = description;
  const pages = documents.filter(({ card }) => card.codeWords.length > 0);
  const before = await mentionsInPages(
    base.reader,
    pages.map(({ task }) => task.id),
  );
  const described = new Map([...code].map(([group, own]) => [group, describeCode(own)]));
  const found: Finding[] = [];
  for (const [at, { task, card }] of pages.entries()) {
    const named = before[at] ?? [];
    if (named.length === 0) continue;
    const { name: collection, access } = config.collections[task.collection] as TreelineConfig["collections"][number];
    const own = described.get(access) ?? describeCode(NO_CODE);
    const gone = new Map<string, NamedSymbol>();
    for (const one of named) if (isGone(one, own, task.id) && !gone.has(one.text)) gone.set(one.text, one);
    const reported = new Set<string>();
    for (const { text, line } of card.codeWords) {
      const was = gone.get(text);
      if (was === undefined || reported.has(text)) continue;
      reported.add(text);
      found.push(toFinding({ collection, path: card.path, line }, was));
    }
  }
  return found.length === 0 ? log : addFindings(log, found.map(siteLines(config.collections)));
}

interface DescribedCode {
  readonly ids: ReadonlySet<string>;
  /** Names of symbols, and paths from each of their names on. */
  readonly names: ReadonlySet<string>;
  /** Pages with the texts in them that lead to symbols. */
  readonly mentions: ReadonlySet<string>;
}

function describeCode({ files, mentions }: GroupCode): DescribedCode {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const file of files) {
    for (const symbol of file.symbols) {
      ids.add(makeSymbolId(file, symbol));
      const parts = withoutOrdinal(symbol.path).split(".");
      for (const at of parts.keys()) names.add(parts.slice(at).join("."));
    }
  }
  return { ids, names, mentions: new Set(mentions.map(({ nodeId, text }) => `${nodeId.split("#")[0]} ${text}`)) };
}

/** A symbol that moved, or whose name several have now, is not gone. */
function isGone({ symbolId, text }: NamedSymbol, { ids, names, mentions }: DescribedCode, pageId: string): boolean {
  const chain = text
    .replace(/\s*\(.*$|;$/g, "")
    .split(/\.#?|#|::|->/)
    .join(".");
  return !ids.has(symbolId) && !mentions.has(`${pageId} ${text}`) && !names.has(chain);
}

function toFinding(place: Pick<Finding, "collection" | "path" | "line">, { text, symbolId }: NamedSymbol): Finding {
  const message = `names "${text}", which was ${symbolId} in the base and is no longer there`;
  return { severity: "warning", code: "gone-symbol", message, ...place };
}

/** What says the same of a name with less is left out, and where it is known what its container lacks, that says enough. */
function addFindings(log: BuildLog, found: readonly Finding[]): BuildLog {
  const nameOf = ({ message }: Finding): string =>
    (/^names "([^"]*)"/.exec(message)?.[1] ?? "").replace(/::|->|\.#|#/g, ".").replace(/\(.*$/, "");
  const keyOf = (finding: Finding): string => `${makeDocumentId(finding.collection, finding.path)} ${nameOf(finding)}`;
  const lacking = new Set(log.diagnostics.filter(({ code }) => code === "missing-symbol").map(keyOf));
  const added = found.filter((finding) => !lacking.has(keyOf(finding)));
  const said = new Set(added.map(keyOf));
  const kept = log.diagnostics.filter((finding) => finding.code !== "unknown-name" || !said.has(keyOf(finding)));
  const made = makeBuildLog(log.skipped, [...kept, ...added]);
  const uncounted = log.diagnosticCount - log.diagnostics.length;
  return { ...made, diagnosticCount: made.diagnosticCount + uncounted };
}
