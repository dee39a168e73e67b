/**
 * The version of an installed package, out of its `package.json`.
 */
import { readFileSync } from "node:fs";

/**
 * The version.
 *
 * @param file Path of the `package.json`.
 * @throws {Error} where it names none: the package is not whole.
 */
export function readInstalledVersion(file: string): string {
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (
    typeof manifest === "object" &&
    manifest !== null &&
    "version" in manifest &&
    typeof manifest.version === "string"
  ) {
    return manifest.version;
  }
  throw new Error(`${file} names no version`);
}
