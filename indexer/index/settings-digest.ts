/**
 * Digest of everything beside the documents that bears on what the tables of an index hold. An index can be built on
 * another one with the same digest.
 */
import { createHash } from "node:crypto";
import { FORMAT_VERSION } from "../../src/core/format/root.ts";
import { readVersion } from "../base/installation.ts";
import type { TreelineConfig } from "../config/config.ts";
import type { GlossaryEntry } from "../config/glossary.ts";

const DIGITS = 16;

/** The digest, in hex digits. */
export function digestSettings(
  { collections, facets }: TreelineConfig,
  glossary: readonly GlossaryEntry[],
  isForPages = false,
): string {
  // What no page of a collection is read by makes no other tables of it.
  const used = collections.map(({ site, ...collection }) =>
    collection.kind === "site" ? { ...collection, site } : collection,
  );
  const everything = [readVersion(), FORMAT_VERSION, used, facets, glossary, ...(isForPages ? ["for pages"] : [])];
  return createHash("sha256").update(JSON.stringify(everything)).digest("hex").slice(0, DIGITS);
}

/** Digest of settings under which a stage failed: no index is built on one that lacks what the stage makes. */
export function afterFailure(settings: string): string {
  return `${settings}-failed`;
}
