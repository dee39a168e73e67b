/**
 * Imports by dotted name: Java, Kotlin, Scala (`java:` and the package outside), C# (`dotnet:`), PHP (`php:`), and
 * modules of Swift (`swift:`).
 *
 * A class is found by its namespace and name over all files; PHP's `psr-4` finds files whose namespace is not known.
 * Pure.
 */

import { isRecord } from "../../base/read-json.ts";
import { type CodeFamily, type CodeWorld, type Entity, NOTHING } from "./code-world.ts";
import type { Manifests } from "./manifests.ts";
import { joinPlace } from "./places.ts";
import type { ResolveImport } from "./resolve-script.ts";
import { dotted, type Spaces } from "./spaces.ts";

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
