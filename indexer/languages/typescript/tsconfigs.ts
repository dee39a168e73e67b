/** What `tsconfig.json` and `jsconfig.json` say of paths: their own, and those of the configurations that they extend and reference. */
import { isRecord } from "../../../src/core/parse-text.ts";
import type { Language } from "../base/language.ts";
import {
  type ConfigFile,
  type LinkDiagnostic,
  type Manifests,
  type ManifestText,
  parseJsonObject,
} from "../base/manifests.ts";
import { folderOfPlace, foldersAround, joinPlace } from "../base/world.ts";

/** One entry of `paths`, ready to match. */
interface PathPattern {
  readonly prefix: string;
  /** What follows `*`; undefined where the pattern has none and stands for one name. */
  readonly suffix?: string;
  /** Places with `*`, in the order they are tried. */
  readonly targets: readonly string[];
}

/** Paths of the configurations that Nuxt and SvelteKit write when they are installed, which no repository holds. */
const FRAMEWORK_PATHS: Readonly<Record<string, readonly string[]>> = {
  "~~/*": ["*"],
  "@@/*": ["*"],
  "~/*": ["app/*", "src/*", "*"],
  "@/*": ["app/*", "src/*", "*"],
  $lib: ["src/lib"],
  "$lib/*": ["src/lib/*"],
};

/** What resolving asks of a configuration. */
interface PathMapping {
  /** The most exact first. */
  readonly patterns: readonly PathPattern[];
  /** Folder that bare names are tried in; undefined without `baseUrl`. */
  readonly baseUrl?: string;
}

/** The mappings that hold in a folder: of its configuration, then of those that it references. */
type FindMappings = (folder: string) => readonly PathMapping[];

/** Folder of a package of the workspace by its name; undefined where it has none of that name. */
type FindPackageFolder = (name: string) => string | undefined;

interface Config {
  readonly mapping: PathMapping;
  readonly references: readonly string[];
}

/** `folderOfPackage` gives the folder of a package of the workspace, for `extends` by name. */
export function createTsconfigs(
  { configs, diagnostics }: Pick<Manifests, "configs" | "diagnostics">,
  folderOfPackage: FindPackageFolder,
): FindMappings {
  const read = new Map<string, Config>();
  const byFolder = new Map<string, readonly PathMapping[]>();
  const load = (place: string, chain: readonly string[]): Config => {
    const known = read.get(place);
    if (known !== undefined) return known;
    const source = configs.get(place) as ConfigFile;
    const config = readConfig(place, source, chain);
    if (chain.length === 0) read.set(place, config);
    return config;
  };
  const readConfig = (place: string, source: ConfigFile, chain: readonly string[]): Config => {
    const config = source.json;
    const folder = folderOfPlace(place);
    const report = (code: string, message: string) => {
      const found: LinkDiagnostic = {
        severity: "warning",
        code,
        message,
        path: source.path,
        line: 0,
        collection: source.collection,
      };
      if (!diagnostics.some((other) => other.message === message && other.path === found.path)) diagnostics.push(found);
    };
    let base: PathMapping = { patterns: [] };
    for (const extended of strings(config.extends)) {
      const target = extendedPlaces(folder, extended, folderOfPackage).find((candidate) => configs.has(candidate));
      if (target === undefined) {
        // Configurations of installed packages are never part of a corpus.
        if (extended.startsWith(".")) {
          report("missing-tsconfig", `extends "${extended}", which is not there`);
          base = { ...base, patterns: readPatterns(FRAMEWORK_PATHS, folder) };
        }
        continue;
      }
      if (target === place || chain.includes(target)) {
        report("tsconfig-cycle", `extends itself by way of "${extended}"; take that line out`);
        continue;
      }
      const { mapping } = load(target, [...chain, place]);
      base = { ...base, ...mapping, patterns: mapping.patterns.length > 0 ? mapping.patterns : base.patterns };
    }
    const options = isRecord(config.compilerOptions) ? config.compilerOptions : {};
    const baseUrl = typeof options.baseUrl === "string" ? joinPlace(folder, options.baseUrl) : base.baseUrl;
    const patterns = isRecord(options.paths)
      ? readPatterns(
          options.paths,
          typeof options.baseUrl === "string" ? (baseUrl as string) : (base.baseUrl ?? folder),
        )
      : base.patterns;
    const references = referencesOf(config)
      .map((path) => referencedPlaces(folder, path).find((candidate) => configs.has(candidate)))
      .filter((target) => target !== undefined);
    return { mapping: baseUrl === undefined ? { patterns } : { patterns, baseUrl }, references };
  };
  return (folder) => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const nearest = findNearest(folder, configs);
    const found: PathMapping[] = [];
    if (nearest !== undefined) {
      const config = load(nearest, []);
      found.push(config.mapping);
      for (const reference of config.references) {
        // A reference into a folder below concerns the files there, which have that configuration themselves.
        if (folderOfPlace(reference) === folderOfPlace(nearest)) found.push(load(reference, []).mapping);
      }
    }
    byFolder.set(folder, found);
    return found;
  };
}

/** Places that the mapping gives for a name, in the order they are tried. */
export function mapPath({ patterns, baseUrl }: PathMapping, specifier: string): string[] {
  const places: string[] = [];
  for (const { prefix, suffix, targets } of patterns) {
    if (suffix === undefined) {
      if (specifier !== prefix) continue;
      places.push(...targets);
      break;
    }
    if (specifier.length < prefix.length + suffix.length) continue;
    if (!specifier.startsWith(prefix) || !specifier.endsWith(suffix)) continue;
    const rest = specifier.slice(prefix.length, specifier.length - suffix.length);
    places.push(...targets.map((target) => joinPlace(target.replace("*", () => rest))));
    break;
  }
  if (baseUrl !== undefined) places.push(joinPlace(baseUrl, specifier));
  return places;
}

function readPatterns(paths: Readonly<Record<string, unknown>>, folder: string): PathPattern[] {
  const patterns = Object.entries(paths).map(([pattern, targets]): PathPattern => {
    const star = pattern.indexOf("*");
    const joined = strings(targets).map((target) => joinPlace(folder, target.replace(/^\$\{configDir\}\//, "")));
    return star < 0
      ? { prefix: pattern, targets: joined }
      : { prefix: pattern.slice(0, star), suffix: pattern.slice(star + 1), targets: joined };
  });
  // As TypeScript does: a name without a star first, then the longest part before the star.
  return patterns.sort(
    (a, b) => Number(a.suffix !== undefined) - Number(b.suffix !== undefined) || b.prefix.length - a.prefix.length,
  );
}

function findNearest(folder: string, configs: ReadonlyMap<string, ConfigFile>): string | undefined {
  for (const around of foldersAround(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const place = joinPlace(around, name);
      if (configs.has(place)) return place;
    }
  }
  return undefined;
}

/** Places where what a configuration extends may stand, in the order they are tried. */
function extendedPlaces(folder: string, extended: string, folderOfPackage: FindPackageFolder): string[] {
  if (extended.startsWith(".") || extended.startsWith("/")) return configPlaces(joinPlace(folder, extended));
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(extended)?.[0] ?? "";
  const inside = folderOfPackage(name);
  if (inside === undefined) return [];
  const rest = extended.slice(name.length + 1);
  return configPlaces(joinPlace(inside, rest === "" ? "tsconfig.json" : rest));
}

function configPlaces(place: string): string[] {
  return [place, `${place}.json`];
}

function referencesOf({ references }: ConfigFile["json"]): string[] {
  const paths = (Array.isArray(references) ? references : []).map((entry: unknown) =>
    isRecord(entry) && typeof entry.path === "string" ? entry.path : "",
  );
  return paths.filter((path) => path !== "");
}

function referencedPlaces(folder: string, path: string): string[] {
  return [...configPlaces(joinPlace(folder, path)), ...configPlaces(joinPlace(folder, path, "tsconfig.json"))];
}

const CONFIG = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|[^/]*tsconfig[^/]*\.json)$/;

/** Places of all configurations that some may lead to, whatever they are called; not all are there. */
function listExtended(configs: readonly string[], found: ReadonlyMap<string, ManifestText>): readonly string[] {
  const folders = new Map<string, string>();
  for (const [key, { text }] of found) {
    if (key !== "package.json" && !key.endsWith("/package.json")) continue;
    const { name } = parseJsonObject(text);
    if (typeof name === "string" && !folders.has(name)) folders.set(name, folderOfPlace(key));
  }
  return configs.flatMap((key) => placesAfter(key, parseJsonObject(found.get(key)?.text), (name) => folders.get(name)));
}

/** Places of all configurations that one may lead to. */
function placesAfter(place: string, json: ConfigFile["json"], folderOfPackage: FindPackageFolder): readonly string[] {
  const folder = folderOfPlace(place);
  return [
    ...strings(json.extends).flatMap((extended) => extendedPlaces(folder, extended, folderOfPackage)),
    ...referencesOf(json).flatMap((path) => referencedPlaces(folder, path)),
  ];
}

function strings(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry) => typeof entry === "string");
}

/** Which files are configurations, and which further ones they lead to. */
export const TSCONFIGS: NonNullable<Language["configs"]> = {
  globs: ["**/*tsconfig*.json", "**/jsconfig*.json"],
  isConfig: (path) => CONFIG.test(path),
  listFurther: listExtended,
};
