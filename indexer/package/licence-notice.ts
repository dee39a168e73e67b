/**
 * Licences of packages that are bundled, as one text: bundling drops what they say of themselves.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRecord } from "../../src/core/parse-text.ts";

/**
 * The licences of the packages that files belong to.
 *
 * @param header First lines.
 * @param files By the folder of each package, what was taken out of it.
 * @throws {Error} where a package has neither a licence nor a text of one.
 */
export function writeNotice(header: string, files: ReadonlyMap<string, readonly string[]>): string {
  return [header, ...[...files].map(([folder, names]) => describe(folder, names)).sort()].join("\n");
}

/** Folders of packages that paths of modules lie in. */
export function packageFolders(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return new Map(folders.map((folder) => [folder, []]));
}

function describe(folder: string, files: readonly string[]): string {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} says nothing about its licence`);
  const text = file === undefined ? "" : indent(readFileSync(join(folder, file), "utf8").trim());
  const parts = [`## ${name} ${version} (${license})`, files.join(", "), text];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** What a package says of itself. */
function readManifest(folder: string): { readonly name: string; readonly version: string; readonly license?: string } {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const said = (key: string): string | undefined => {
    const value: unknown = isRecord(manifest) ? manifest[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const license = said("license");
  return {
    name: said("name") ?? basename(folder),
    version: said("version") ?? "",
    ...(license !== undefined && { license }),
  };
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ").replace(/[ \r]+$/gm, "");
}
