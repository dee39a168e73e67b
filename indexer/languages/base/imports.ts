/** Resolvers of imports and names that several languages share. */
import type { CodeWorld, Entity, Family, Linking, NameLinking, ResolveFree, ResolveImport } from "./language.ts";
import type { LinkDiagnostic } from "./manifests.ts";
import { dotted } from "./spaces.ts";
import { addToList, baseName, folderOfPlace, foldersAround, joinPlace, NOTHING, pickSymbol } from "./world.ts";

/** Candidates that a diagnostic names. */
const MAX_NAMED = 5;
/** Folders that compilers are told to look in, most often. */
const INCLUDE_FOLDERS = ["", "include", "src", "lib"];

/** Imports by path, as a language writes them. */
interface PathImports {
  readonly family: Family;
  /** Ending that the language leaves out. */
  readonly ending: string;
  /** Whether a relative path may mean a file in another folder. */
  readonly searchesRelative?: true;
  /** Name of what is not in the corpus. */
  readonly outside: (specifier: string) => string;
}

/**
 * Imports by path: includes, `require`, `source`.
 *
 * A file that is not beside the importing one is looked for by the end of its path. One file that ends so is meant; of
 * several the only one in the nearest folder tree, else a diagnostic names all.
 */
export function createPathResolver(
  { world, manifests: { diagnostics } }: Linking,
  { family, ending, searchesRelative, outside }: PathImports,
): ResolveImport {
  const byName = new Map<string, number[]>();
  for (const [file, place] of world.places.entries()) {
    if (world.families[file] !== family || world.fileAt.get(place) !== file) continue;
    addToList(byName, baseName(place), file);
  }
  return (file, written) => {
    // A path that a shell works out from its own place is mostly beside the script.
    const specifier = written.replace(/^(?:"?\$[({][^)}]*[)}]+"?|\$\w+)\//, "./").replace(/^["'<]|["'>]$/g, "");
    const folder = folderOfPlace(world.places[file] as string);
    const name = specifier.endsWith(ending) ? specifier : specifier + ending;
    if (/[$*?]/.test(name)) return NOTHING;
    const beside = world.fileAt.get(joinPlace(folder, name));
    if (beside !== undefined) return world.fileEntity(beside);
    if (/^\.\.?\//.test(name) && searchesRelative !== true) return NOTHING;
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
    if (only === undefined) return world.external(outside(specifier));
    if (candidates.length === 1) return world.fileEntity(only);
    diagnostics.push(describeCandidates(world, file, specifier, candidates));
    return NOTHING;
  };
}

function describeCandidates(
  world: CodeWorld,
  file: number,
  specifier: string,
  candidates: readonly number[],
): LinkDiagnostic {
  const { collection, path } = world.files[file] as CodeWorld["files"][number];
  const named = candidates.slice(0, MAX_NAMED).map((candidate) => world.places[candidate]);
  const more = candidates.length > MAX_NAMED ? ` and ${candidates.length - MAX_NAMED} more` : "";
  const message = `"${specifier}" can be ${named.join(", ")}${more}; it leads to none of them`;
  return { severity: "info", code: "ambiguous-import", message, path, line: 0, collection };
}

/** Imports by dotted name, as a language writes them. */
interface DottedImports {
  readonly family: Family;
  /** Name of what is not in the corpus: of a class its package. */
  readonly outside: (parts: readonly string[]) => string;
  /** File of a name whose namespace no file declares; undefined where rules of files say nothing of it. */
  readonly findFile?: (file: number, specifier: string, name: string) => Entity | undefined;
}

/** Imports by dotted name: a class is found by its namespace and name over all files. */
export function createDottedResolver(
  { world, spaces }: Linking,
  { family, outside, findFile }: DottedImports,
): ResolveImport {
  return (file, specifier) => {
    const name = dotted(specifier).replace(/\.[*_]$/, "");
    const parts = name.split(".");
    const { entity, used } = spaces.walk(family, parts, true);
    if (entity !== NOTHING && used > 0) {
      const found = walkMembers(world, entity, parts.slice(used));
      if (found !== NOTHING) return found;
    }
    const target = findFile?.(file, specifier, name);
    if (target !== undefined) return target;
    // A name that begins with a namespace of the corpus, which is more than a common first part, is none outside.
    const depth = Math.min(parts.length - 1, 3);
    const isOurs = depth > 1 && spaces.find(family, parts.slice(0, depth).join(".")) !== NOTHING;
    return isOurs ? NOTHING : world.external(outside(parts));
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

/** Free names of the file's own namespace, declarations in the file itself first, then of imports of everything. */
export function inOwnSpace({ world, spaces, bindings }: NameLinking): ResolveFree {
  return (file, name, wantType) => {
    const all = spaces.declarations(spaces.ofFile(file), name);
    const near = all.filter((symbol) => world.fileOf(symbol) === file);
    const own = pickSymbol(world, near.length > 0 ? near : all, wantType);
    return own === NOTHING ? bindings.fromStars(file, name, wantType) : own;
  };
}

/** The same, then names of outermost namespaces. */
export function inSpaceOrRoot(linking: NameLinking): ResolveFree {
  const resolveOwn = inOwnSpace(linking);
  const { world, spaces } = linking;
  return (file, name, wantType) => {
    const own = resolveOwn(file, name, wantType);
    return own === NOTHING ? spaces.find(world.families[file] as Family, name) : own;
  };
}

/** The symbol that a name means where one file alone declares it. */
export function pickOnly(world: CodeWorld, among: readonly number[] | undefined, wantType: boolean): Entity {
  if (among === undefined) return NOTHING;
  const files = new Set(among.map((symbol) => world.fileOf(symbol)));
  return files.size === 1 ? pickSymbol(world, among, wantType) : NOTHING;
}
