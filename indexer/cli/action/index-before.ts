/**
 * The index that a run of the Action builds on, out of the cache or the bucket, and what differs from it afterwards: contents,
 * and findings that are new.
 *
 * Lines shift with every edit above them, so a finding is the same where rule, file and message are; of several that
 * are alike, those on the same lines are taken as the same first, then those in the same order.
 *
 * A log holds so many findings at most, so after an edit others may move into it that were there before: where one left some out, nothing
 * is compared.
 */
import { rm } from "node:fs/promises";
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { FormatError, InputError, StaleGenerationError } from "../../../src/core/errors.ts";
import { type LoggedFinding, type LogRecord, SEVERITIES } from "../../../src/core/format/build-log.ts";
import { decodeDocument } from "../../../src/core/format/document-records.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { OWN_TOOL } from "../../../src/surface/render/findings.ts";
import { openDiskIndex } from "../../base/index-source.ts";
import { verifyFiles } from "../../open/open-index.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { readPublished } from "../../publish/published.ts";
import { pullIndex } from "../../publish/pull.ts";

interface IndexBefore extends KnownIndex {
  readonly from: "cache" | "bucket";
}

/**
 * The index before; undefined where there is none.
 *
 * @param dir Folder that the cache was restored to, and that the bucket's index is pulled into.
 * @param say Takes a sentence where an index is there and cannot be used.
 * @throws {InputError} where the bucket cannot be read.
 */
export async function findIndexBefore(
  dir: string,
  store: ObjectStore | undefined,
  say: (text: string) => void,
): Promise<IndexBefore | undefined> {
  const cached = await readWholeIndex(dir, say);
  if (cached !== undefined) return { ...cached, from: "cache" };
  // Whoever may not read the bucket learns it now, not when everything is built.
  if (store === undefined || (await readPublished(store)) === undefined) return undefined;
  try {
    await pullIndex(store, dir);
  } catch (error) {
    // What is published and not whole is mended by publishing.
    if (!(error instanceof InputError || error instanceof FormatError)) throw error;
    say(`The index before was not fetched: ${error.message}`);
    return undefined;
  }
  const pulled = await readWholeIndex(dir, say);
  return pulled === undefined ? undefined : { ...pulled, from: "bucket" };
}

/** What is known of an index in a folder: generation, log, and hashes of the contents of all documents by their ids. @throws {InputError} where there is none. @throws {FormatError} */
export async function readKnownIndex(dir: string) {
  const reader = await openDiskIndex(dir);
  return { generation: reader.generation.id, log: await readLog(reader), contents: await readContents(reader) };
}

type KnownIndex = Readonly<Awaited<ReturnType<typeof readKnownIndex>>>;

/** How many documents were added, changed and deleted from one index to another. */
export function countContentChanges(now: KnownIndex["contents"], before: KnownIndex["contents"]) {
  const common = [...now].filter(([id]) => before.has(id));
  return {
    added: now.size - common.length,
    changed: common.filter(([id, hash]) => before.get(id) !== hash).length,
    deleted: before.size - common.length,
  };
}

/** An index that is damaged is taken away: built on, it would be damaged still. */
async function readWholeIndex(dir: string, say: (text: string) => void): Promise<KnownIndex | undefined> {
  try {
    const problems = await verifyFiles(dir);
    if (problems === undefined) return undefined;
    if (problems.length === 0) return await readKnownIndex(dir);
    say(`The index before is damaged: ${problems.join("; ")}`);
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof StaleGenerationError)) throw error;
    say(`The index before cannot be used: ${error.message}`);
  }
  await rm(dir, { recursive: true, force: true });
  return undefined;
}

async function readContents(reader: IndexReader): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const { index } of reader.shards) {
    const { tables } = await reader.read([{ shard: index, table: "documents", keys: "all" }]);
    const deleted = reader.deletedIn(index);
    for (const [key, value] of entriesOf(tables[0] ?? [])) {
      const { number, hash } = decodeDocument(value);
      if (!deleted.has(number)) contents.set(textOfKey(key), hash);
    }
  }
  return contents;
}

/** Code of files that were left out, which stand among the findings here. */
const SKIPPED_CODE = "skipped";

type Findings = Pick<LogRecord, "diagnostics" | "diagnosticCount" | "skipped">;

/** What changed from one log to another. Where there is none before, everything is new. */
export function compareFindings(now: Findings, before: Findings | undefined) {
  const found = listFindings(now);
  const isPartial = before !== undefined && [now, before].some((log) => log.diagnosticCount > log.diagnostics.length);
  const known = before === undefined ? [] : listFindings(before);
  const left = Map.groupBy(known, keyOf);
  /** Takes one that is alike out of those that are left. */
  const hasTwin = (finding: LoggedFinding, fits: (other: LoggedFinding) => boolean): boolean => {
    const group = left.get(keyOf(finding)) ?? [];
    const at = group.findIndex(fits);
    if (at >= 0) group.splice(at, 1);
    return at >= 0;
  };
  const moved = found.filter((finding) => !hasTwin(finding, ({ line }) => line === finding.line));
  const fresh = moved.filter((finding) => !hasTwin(finding, () => true));
  const gone = new Set([...left.values()].flat());
  return {
    /** In the order of the log. */
    fresh: isPartial ? [] : fresh,
    /** Of the index before, gone now. */
    fixed: isPartial ? [] : known.filter((finding) => gone.has(finding)),
    total: now.diagnosticCount + now.skipped.length,
    /** How many of `total` the log holds. */
    listed: found.length,
    /** Whether a log left some out, so that nothing was compared. */
    isPartial,
  };
}

/** Findings and skipped files, errors first. */
function listFindings({ diagnostics, skipped }: Findings): LoggedFinding[] {
  const left = skipped.map(
    ({ collection, path, message }): LoggedFinding => ({
      severity: "warning",
      code: SKIPPED_CODE,
      message: `skipped: ${message}`,
      collection,
      path,
      line: 0,
    }),
  );
  return [...left, ...diagnostics].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function keyOf({ tool = OWN_TOOL, code, severity, collection, path, message }: LoggedFinding): string {
  return JSON.stringify([tool, code, severity, collection, path, message]);
}
