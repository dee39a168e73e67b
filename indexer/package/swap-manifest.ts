/**
 * While `npm pack` runs, the manifest that is published takes the place of the clone's. Packing that is interrupted
 * leaves it there; the next one begins by putting the clone's back.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The clone's manifest while another one has its place, and what was put there: both where git does not look. */
function placesIn(root: string) {
  const folder = join(root, ".treeline", "package");
  return {
    manifest: join(root, "package.json"),
    kept: join(folder, "package.json"),
    published: join(folder, "published.json"),
  };
}

/** Puts a manifest in the place of the clone's. */
export function swapManifest(root: string, text: string): void {
  const { manifest, kept, published } = placesIn(root);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(published, text);
  // The copy is whole before the original goes.
  replace(kept, readFileSync(manifest, "utf8"));
  replace(manifest, text);
}

/**
 * Puts the clone's manifest back, where another one has its place; true where it had.
 *
 * @throws {Error} where somebody changed the one that was put there: the change would be lost.
 */
export function restoreManifest(root: string): boolean {
  const { manifest, kept, published } = placesIn(root);
  if (!existsSync(kept)) return false;
  const now = readFileSync(manifest, "utf8");
  const original = readFileSync(kept, "utf8");
  if (now !== original && now !== readFileSync(published, "utf8")) {
    throw new Error(
      `package.json changed while a package was made; the one from before is ${kept}: join the two, then remove it`,
    );
  }
  replace(manifest, original);
  rmSync(dirname(kept), { recursive: true });
  return now !== original;
}

/** In one step: whoever reads the file meanwhile sees the old text or the new one. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
