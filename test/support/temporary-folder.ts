/** Folders for tests: made from a list of files, read back into one, removed at the end of the test. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Contents of files by their paths. */
export type FileContents = Readonly<Record<string, string | Uint8Array>>;

/** A new folder that is removed when the test is over. */
export async function makeFolder(files: FileContents = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-test-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFiles(dir, files);
  return dir;
}

/** Write files below a folder, in the order in which they are given. */
export async function writeFiles(dir: string, files: FileContents): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

/** The files directly in a folder. */
export async function readFolder(dir: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const name of (await readdir(dir)).sort()) files.set(name, Uint8Array.from(await readFile(join(dir, name))));
  return files;
}
