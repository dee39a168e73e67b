/**
 * The version of the package that a collection reads, for its version label.
 *
 * A collection whose root or whose includes spell out a folder inside `node_modules` shows that package; its label is
 * the package's version. Includes that lie in more than one package, or also outside of one, give no label: it would
 * be wrong for some of the pages.
 *
 * I/O: reads `package.json`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isFsError } from "./file-system.ts";
import { literalPathOf } from "./globs.ts";
import { isOneLine } from "./printable.ts";

/** Longest version label; a longer text is not a version. */
const MAX_VERSION_LENGTH = 100;

/** The version of the one package that the collection reads, or `""`. */
export async function readPackageVersion(
  dir: string,
  collection: { readonly root: string; readonly include: readonly string[] },
): Promise<string> {
  const packages = new Set(
    collection.include.map((glob) => findPackageFolder(`${collection.root}/${literalPathOf(glob)}`)),
  );
  const [folder] = packages;
  if (packages.size !== 1 || folder === undefined) {
    return "";
  }
  let text: string;
  try {
    text = await readFile(join(dir, folder, "package.json"), "utf8");
  } catch (error) {
    if (isFsError(error)) {
      return "";
    }
    throw error;
  }
  return parseVersion(text);
}

/** `node_modules/@scope/name/dist` gives `node_modules/@scope/name`; the innermost package counts. */
function findPackageFolder(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const start = segments.lastIndexOf("node_modules");
  const name = segments[start + 1];
  const length = name?.startsWith("@") ? 2 : 1;
  if (start < 0 || segments.length < start + 1 + length) {
    return undefined;
  }
  return segments.slice(0, start + 1 + length).join("/");
}

function parseVersion(text: string): string {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return "";
    }
    throw error;
  }
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
  return typeof version === "string" && version.length <= MAX_VERSION_LENGTH && isOneLine(version)
    ? version.trim()
    : "";
}
