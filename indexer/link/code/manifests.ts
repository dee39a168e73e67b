/**
 * Manifests: which folders are workspaces and packages, and what each manifest says about where its sources lie.
 *
 * Nothing of a manifest is run. One that cannot be read becomes a diagnostic, and what was meant by it is missing.
 * Pure.
 */
import { type ParseError, parse } from "jsonc-parser";
import type { Diagnostic } from "../../diagnostic.ts";
import type { ManifestText } from "./code-world.ts";
import { baseName, folderOfPlace, placeOf } from "./places.ts";
import { readTomlStrings } from "./read-toml.ts";

/** A finding of linking, with the collection of its file. */
export type LinkDiagnostic = Diagnostic & { readonly collection: string };

export type ManifestKind = "npm" | "python" | "go" | "cargo" | "maven" | "gradle" | "composer" | "dotnet" | "swift";

/** What a manifest says, as far as linking asks. */
export interface Manifest {
  readonly kind: ManifestKind;
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  /** Folder it stands in, from the configuration's folder; `""` for the top. */
  readonly folder: string;
  /** Name of the package; `""` where it gives none. */
  readonly name: string;
  /** The parsed `package.json` or `composer.json`; undefined for other kinds. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Folders, relative to `folder`, below which Python modules lie. */
  readonly sourceRoots: readonly string[];
}

/** Manifests of all collections and the configuration files of TypeScript, by place. */
export interface Manifests {
  /** In the order of their places. */
  readonly list: readonly Manifest[];
  /** Texts of `tsconfig*.json`, `jsconfig*.json` and other JSON files that one may extend. */
  readonly configs: ReadonlyMap<string, ManifestText>;
  readonly diagnostics: LinkDiagnostic[];
}

const NAMES: Readonly<Record<string, ManifestKind>> = {
  "package.json": "npm",
  "pyproject.toml": "python",
  "setup.cfg": "python",
  "setup.py": "python",
  "go.mod": "go",
  "Cargo.toml": "cargo",
  "pom.xml": "maven",
  "build.gradle": "gradle",
  "build.gradle.kts": "gradle",
  "composer.json": "composer",
  "Package.swift": "swift",
};
const CONFIG = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|[^/]*tsconfig[^/]*\.json)$/;

/** Globs of the files for which `isCodeManifest` may hold. */
export const MANIFEST_GLOBS: readonly string[] = [
  ...Object.keys(NAMES).map((name) => `**/${name}`),
  "**/*.csproj",
  "**/*tsconfig*.json",
  "**/jsconfig*.json",
];

/** Whether linking wants the text of the file with this path. */
export function isCodeManifest(path: string): boolean {
  return kindOf(path) !== undefined || CONFIG.test(path);
}

/** Read all manifests; of several Python manifests in a folder the one that gives a name stands. */
export function readManifests(texts: readonly ManifestText[]): Manifests {
  const list: Manifest[] = [];
  const configs = new Map<string, ManifestText>();
  const diagnostics: LinkDiagnostic[] = [];
  for (const text of texts) {
    const place = placeOf(text.root, text.path);
    const kind = kindOf(text.path);
    if (kind === undefined) {
      if (!configs.has(place)) configs.set(place, text);
      continue;
    }
    const manifest = readManifest(kind, text, place, diagnostics);
    const twin = list.findIndex((other) => other.kind === kind && other.folder === manifest.folder);
    if (twin < 0) list.push(manifest);
    else if ((list[twin] as Manifest).name === "") list[twin] = manifest;
  }
  list.sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.kind < b.kind ? -1 : 1));
  reportTwins(list, diagnostics);
  return { list, configs, diagnostics };
}

function kindOf(path: string): ManifestKind | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return Object.hasOwn(NAMES, name) ? NAMES[name] : name.endsWith(".csproj") ? "dotnet" : undefined;
}

function readManifest(
  kind: ManifestKind,
  source: ManifestText,
  place: string,
  diagnostics: LinkDiagnostic[],
): Manifest {
  const { collection, path, text } = source;
  const base = { kind, collection, path, folder: folderOfPlace(place), sourceRoots: [] };
  switch (kind) {
    case "npm":
    case "composer": {
      const errors: ParseError[] = [];
      const json: unknown = parse(text, errors, { allowTrailingComma: true });
      if (errors.length > 0 || !isRecord(json)) {
        const message = "is no JSON object, so its packages and names are not known; correct it";
        diagnostics.push({ severity: "warning", code: "invalid-manifest", message, path, line: 0, collection });
      }
      const known = isRecord(json) ? json : {};
      return { ...base, name: typeof known.name === "string" ? known.name : "", json: known };
    }
    case "cargo":
      return { ...base, name: readTomlStrings(text).get("package.name")?.[0] ?? "" };
    case "python":
      return path.endsWith(".toml") ? readPyproject(text, base) : readSetup(text, base);
    case "go":
      return { ...base, name: /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "" };
    case "maven":
      return { ...base, name: /<artifactId>\s*([^<]+?)\s*</.exec(withoutParent(text))?.[1] ?? "" };
    case "gradle":
      return { ...base, name: baseName(base.folder) };
    case "dotnet":
      return { ...base, name: baseName(path).replace(/\.csproj$/, "") };
    case "swift":
      return { ...base, name: /Package\s*\(\s*name:\s*"([^"]+)"/.exec(text)?.[1] ?? "" };
  }
}

type Base = Omit<Manifest, "name">;

function readPyproject(text: string, base: Base): Manifest {
  const values = readTomlStrings(text);
  const name = values.get("project.name") ?? values.get("tool.poetry.name");
  const sourceRoots = [
    ...(values.get("tool.setuptools.packages.find.where") ?? []),
    ...(/package-dir\s*=\s*\{\s*""\s*=\s*"([^"]+)"/.exec(text)?.slice(1, 2) ?? []),
  ];
  return { ...base, name: name?.[0] ?? "", sourceRoots };
}

function readSetup(text: string, base: Base): Manifest {
  const name = /^\s*name\s*=\s*["']?([\w.-]+)["']?\s*,?\s*$/m.exec(text)?.[1] ?? "";
  const root = /package_dir\s*=\s*(?:\{\s*["']["']\s*:\s*["']([^"']+)|\s*=\s*(\S+))/.exec(text);
  const sourceRoots = [root?.[1] ?? root?.[2]].filter((folder) => folder !== undefined);
  return { ...base, name, sourceRoots };
}

/** Names of packages are keys; two of one name would make every answer about them a guess. */
function reportTwins(list: readonly Manifest[], diagnostics: LinkDiagnostic[]): void {
  const known = new Map<string, Manifest>();
  for (const manifest of list) {
    if (manifest.name === "") continue;
    const key = `${manifest.kind} ${manifest.name}`;
    const other = known.get(key);
    if (other === undefined) {
      known.set(key, manifest);
      continue;
    }
    const { collection, path, name } = manifest;
    const message = `names its package "${name}", as ${other.path} does; imports of that name lead to ${other.path}`;
    diagnostics.push({ severity: "warning", code: "duplicate-package", message, path, line: 0, collection });
  }
}

/** A parsed JSON value as an object; no arrays. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutParent(xml: string): string {
  return xml.replace(/<parent>[\s\S]*?<\/parent>/, "");
}
