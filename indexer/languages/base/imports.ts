/**
 * Resolvers that several languages share: imports by path and imports by dotted name.
 */

import { isRecord } from "../../base/read-json.ts";
import type { ResolveImport } from "../typescript/resolve.ts";
import type { LinkDiagnostic, Manifests } from "./manifests.ts";
import { dotted, type Spaces } from "./spaces.ts";
import {
  addToList,
  baseName,
  type CodeFamily,
  type CodeWorld,
  type Entity,
  folderOfPlace,
  foldersAround,
  joinPlace,
  NOTHING,
} from "./world.ts";

/** Candidates that a diagnostic names. */
const MAX_NAMED = 5;
/** Folders that compilers are told to look in, most often. */
const INCLUDE_FOLDERS = ["", "include", "src", "lib"];

interface PathRules {
  readonly scheme: string;
  /** Ending that the language leaves out. */
  readonly ending: string;
}

const RULES: Readonly<Partial<Record<CodeFamily, PathRules>>> = {
  c: { scheme: "c", ending: "" },
  ruby: { scheme: "gem", ending: ".rb" },
  bash: { scheme: "sh", ending: "" },
};

/** Resolve the imports of one of these families. */
export function createPathResolver(
  family: "c" | "ruby" | "bash",
  world: CodeWorld,
  diagnostics: LinkDiagnostic[],
): ResolveImport {
  const { scheme, ending } = RULES[family] as PathRules;
  const byName = new Map<string, number[]>();
  for (const [file, place] of world.places.entries()) {
    if (world.families[file] !== family || world.fileAt.get(place) !== file) continue;
    addToList(byName, baseName(place), file);
  }
  const reported = new Set<string>();
  return (file, written) => {
    // A path that a shell works out from its own place is mostly beside the script.
    const specifier = written.replace(/^(?:"?\$[({][^)}]*[)}]+"?|\$\w+)\//, "./").replace(/^["'<]|["'>]$/g, "");
    const folder = folderOfPlace(world.places[file] as string);
    const name = specifier.endsWith(ending) ? specifier : specifier + ending;
    if (/[$*?]/.test(name)) return NOTHING;
    const beside = world.fileAt.get(joinPlace(folder, name));
    if (beside !== undefined) return world.fileEntity(beside);
    if (/^\.\.?\//.test(name) && family !== "c") return NOTHING;
    for (const around of foldersAround(folder)) {
      for (const inside of INCLUDE_FOLDERS) {
        const target = world.fileAt.get(joinPlace(around, inside, name));
        if (target !== undefined) return world.fileEntity(target);
      }
    }
    const tail = `/${joinPlace(name).replace(/^(?:\.\.\/)+/, "")}`;
    const candidates = (byName.get(baseName(name)) ?? []).filter((other) =>
      `/${world.places[other] as string}`.endsWith(tail),
    );
    const [only] = candidates;
    if (only === undefined) return outside(world, scheme, specifier);
    if (candidates.length === 1) return world.fileEntity(only);
    reportCandidates(world, file, specifier, candidates, diagnostics, reported);
    return NOTHING;
  };
}

function outside(world: CodeWorld, scheme: string, specifier: string): Entity {
  return world.external(`${scheme}:${scheme === "gem" ? specifier.split("/")[0] : specifier}`);
}

function reportCandidates(
  world: CodeWorld,
  file: number,
  specifier: string,
  candidates: readonly number[],
  diagnostics: LinkDiagnostic[],
  reported: Set<string>,
): void {
  const { collection, path } = world.files[file] as CodeWorld["files"][number];
  const key = `${collection} ${path} ${specifier}`;
  if (reported.has(key)) return;
  reported.add(key);
  const named = candidates.slice(0, MAX_NAMED).map((candidate) => world.places[candidate]);
  const more = candidates.length > MAX_NAMED ? ` and ${candidates.length - MAX_NAMED} more` : "";
  const message = `"${specifier}" can be ${named.join(", ")}${more}; it leads to none of them`;
  diagnostics.push({ severity: "info", code: "ambiguous-import", message, path, line: 0, collection });
}

const SCHEMES = { jvm: "java", csharp: "dotnet", php: "php", swift: "swift" } as const;

/** Resolve the imports of one of these families. */
export function createNamespaceResolver(
  family: keyof typeof SCHEMES,
  world: CodeWorld,
  spaces: Spaces,
  manifests: Pick<Manifests, "list">,
): ResolveImport {
  const psr4 = family === "php" ? readPsr4(manifests) : [];
  return (file, specifier) => {
    const name = dotted(specifier).replace(/\.[*_]$/, "");
    const parts = name.split(".");
    const { entity, used } = spaces.walk(family, parts, true);
    if (entity !== NOTHING && used > 0) {
      const found = walkMembers(world, entity, parts.slice(used));
      if (found !== NOTHING) return found;
    }
    for (const [prefix, folder] of psr4) {
      if (!name.startsWith(prefix)) continue;
      const place = joinPlace(folder, `${name.slice(prefix.length).replaceAll(".", "/")}.php`);
      const target = world.fileAt.get(place);
      if (target !== undefined) return world.fileEntity(target);
    }
    if (family === "php" && /\.php$/.test(specifier)) return findIncluded(world, file, specifier);
    return isOurs(family, spaces, parts) ? NOTHING : world.external(`${SCHEMES[family]}:${outsideName(family, parts)}`);
  };
}

/** Follow names from a symbol into its members. */
function walkMembers(world: CodeWorld, from: Entity, names: readonly string[]): Entity {
  let entity = from;
  for (const name of names) {
    if (entity < 0 || entity >= world.symbolCount) return NOTHING;
    entity = world.names(world.fileOf(entity)).members.get(entity)?.get(name)?.[0] ?? NOTHING;
  }
  return entity;
}

/** Whether the name begins with a namespace of the corpus that is more than a common first part. */
function isOurs(family: CodeFamily, spaces: Spaces, parts: readonly string[]): boolean {
  const depth = Math.min(parts.length - 1, 3);
  return depth > 1 && spaces.find(family, parts.slice(0, depth).join(".")) !== NOTHING;
}

/** What is named outside: of a class its package, in PHP the vendor and the package, in Swift the module. */
function outsideName(family: keyof typeof SCHEMES, parts: readonly string[]): string {
  if (family === "csharp") return parts.join(".");
  if (family === "swift") return parts[0] ?? "";
  if (family === "php") return parts.slice(0, Math.max(1, Math.min(2, parts.length - 1))).join(".");
  const type = parts.findIndex((part, at) => at > 0 && /^[A-Z]/.test(part));
  return (type > 0 ? parts.slice(0, type) : parts).join(".");
}

function readPsr4({ list }: Pick<Manifests, "list">): (readonly [prefix: string, folder: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const { kind, json = {}, folder } of list) {
    if (kind !== "composer") continue;
    for (const key of ["autoload", "autoload-dev"]) {
      const autoload = json[key];
      const map = isRecord(autoload) ? autoload["psr-4"] : undefined;
      if (!isRecord(map)) continue;
      for (const [prefix, value] of Object.entries(map)) {
        const folders: unknown[] = Array.isArray(value) ? value : [value];
        for (const inside of folders) {
          if (typeof inside === "string") found.push([dotted(prefix), joinPlace(folder, inside)]);
        }
      }
    }
  }
  return found.sort((a, b) => b[0].length - a[0].length);
}

function findIncluded(world: CodeWorld, file: number, specifier: string): Entity {
  const place = world.places[file] as string;
  const target = world.fileAt.get(joinPlace(place, "..", specifier));
  return target === undefined ? NOTHING : world.fileEntity(target);
}
