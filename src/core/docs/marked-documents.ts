/**
 * Documents that the scan of the build warns of: instructions to models, hidden text, secrets. Who reads a quoted text learns it beside
 * the quotation, and not only where they ask for diagnostics.
 *
 * Pure apart from the reader's I/O. The log is read once a generation and isolate, where a build noticed anything at all; that
 * read is in nobody's cost, since the log is that of all access groups.
 */
import { type LoggedFinding, SCAN_SOURCE } from "../format/build-log.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { readVisibleLog } from "../index/read-log.ts";
import { makeDocumentId } from "./node-id.ts";

/** A document with findings, in words: `secret in line 3`. */
export interface MarkedDocument {
  readonly id: string;
  readonly path: string;
  readonly findings: readonly string[];
}

/** About what a document with findings takes in memory. */
const MARK_BYTES = 300;
const KEPT_NAME = "findings";

/**
 * Documents that the scan warns of, as far as the caller sees them. None where the log cannot be read: it is no part of an
 * answer, and the next call looks again.
 */
export async function loadMarked(reader: IndexReader): Promise<readonly MarkedDocument[]> {
  if (reader.index.generation.diagnostics === 0) return [];
  const known = reader.recallKept(KEPT_NAME) as readonly MarkedDocument[] | undefined;
  if (known !== undefined) return known;
  try {
    const marked = listMarked((await readVisibleLog(reader)).diagnostics);
    reader.keep(KEPT_NAME, marked, MARK_BYTES * (1 + marked.length));
    return marked;
  } catch {
    return [];
  }
}

function listMarked(diagnostics: readonly LoggedFinding[]): readonly MarkedDocument[] {
  const found = new Map<string, { readonly path: string; readonly findings: string[] }>();
  for (const { tool, severity, collection, path, code, line } of diagnostics) {
    if (tool !== SCAN_SOURCE || severity === "info") continue;
    const id = makeDocumentId(collection, path);
    const one = found.get(id) ?? { path, findings: [] };
    one.findings.push(line > 0 ? `${code} in line ${line}` : `${code} in its name`);
    found.set(id, one);
  }
  return Array.from(found, ([id, { path, findings }]) => ({ id, path, findings }));
}
