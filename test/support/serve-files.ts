/** The tools over files that a test writes down itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Asking, serveIndex } from "../mcp/tools/serve-index.ts";
import { buildFixtureIndex } from "./served-index.ts";
import { type FileContents, writeFiles } from "./temporary-folder.ts";

/** The tools over an index of these files, built as the command line builds it. */
export async function serveFiles(files: FileContents): Promise<Asking> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-files-"));
  try {
    await writeFiles(dir, files);
    return await serveIndex(await buildFixtureIndex(dir));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
