/**
 * Pagefind, the peer: its program and its index. Fetched as packages into the work folder; no dependency of the project.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fetchPackage } from "../corpora/fetch-package.ts";

/** The version that is measured. */
const PAGEFIND_VERSION = "1.6.0";

/** Path of the program for this platform. @throws {Error} where there is none. */
export async function fetchPagefind(cache: string): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const place = await fetchPackage(`@pagefind/${platform}-${process.arch}`, PAGEFIND_VERSION, cache);
  const program = ["pagefind_extended", "pagefind_extended.exe", "pagefind"]
    .map((name) => join(place, "bin", name))
    .find((path) => existsSync(path));
  if (program === undefined) throw new Error(`no Pagefind for ${platform} on ${process.arch}`);
  return program;
}

/** Arguments that index a folder of HTML. */
export function pagefindArguments(site: string, out: string): string[] {
  return ["--site", site, "--output-path", out];
}

/** True for a file that belongs to the index, not to the code that reads it. */
export function isPagefindIndexFile(path: string): boolean {
  return /\.pf_(?:index|meta|fragment|filter)$|(?:^|\/)pagefind-entry\.json$/.test(path);
}

/** True for the text of a page. */
export function isPagefindText(path: string): boolean {
  return path.endsWith(".pf_fragment");
}
