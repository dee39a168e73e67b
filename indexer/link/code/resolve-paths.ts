/**
 * Imports by path: includes of C and C++, `require` of Ruby, `source` of shell scripts.
 *
 * What is not beside the file is looked for by the end of its path: one file that ends so is meant, of several the one
 * that is nearest is taken only where it is the only one in the same folder tree; else all are named in a diagnostic.
 * Outside of the corpus: `c:stdio.h`, `gem:json`, `sh:lib.sh`. Pure.
 */
import { addToList } from "./add-to-list.ts";
import { type CodeFamily, type CodeWorld, type Entity, NOTHING } from "./code-world.ts";
import type { LinkDiagnostic } from "./manifests.ts";
import { baseName, folderOfPlace, foldersAround, joinPlace } from "./places.ts";
import type { ResolveImport } from "./resolve-script.ts";

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
