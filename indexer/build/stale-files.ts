/**
 * Remove index files of an output folder that no generation in it needs any more. Files of other kinds stay.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ManifestFile } from "../../src/core/format/manifest.ts";

const INDEX_FILE = /^[0-9a-f]{32}\.(?:pack|root|manifest|log)$/;
const PARTIAL_FILE = /^\.(?:[0-9a-f]{32}\.(?:pack|root|manifest|log)|treeline\.pointer)\.\d+\.partial$/;

/** Remove what is named like an index file and not listed; leftovers of interrupted writes too. */
export async function removeStaleFiles(outDir: string, keep: readonly ManifestFile[]): Promise<void> {
  const names = new Set(keep.map((file) => file.name));
  for (const name of await readdir(outDir)) {
    const stale = (INDEX_FILE.test(name) && !names.has(name)) || PARTIAL_FILE.test(name);
    if (stale) await rm(join(outDir, name), { force: true });
  }
}
