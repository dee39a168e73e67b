/**
 * Globs: which paths a collection's `include` and `exclude` mean.
 *
 * Paths are relative to the collection root, with `/`. A wildcard does not match a name that starts with a dot unless
 * the glob spells the dot out; in `exclude` it does. An excluded folder takes everything in it along.
 *
 * The part of an include before its first wildcard is its *literal path*: `packages/core` in `packages/core/*.md`, the
 * whole of `README.md`. It says where the walk has to go, and what is read although it is ignored.
 */

import picomatch from "picomatch";

interface Include {
  readonly glob: string;
  /** Path before the first wildcard; `""` when the first segment already has one. */
  readonly literal: string;
  /** Most segments of a path that it matches: a glob without `**` cannot match deeper than it is long. */
  readonly maxDepth: number;
  readonly matches: (path: string) => boolean;
}

/** How an include's literal path lies to a folder or file: spelled out itself, on the way to one, or neither. */
type Naming = "itself" | "on-the-way" | "none";

/** Compiled `include` and `exclude` of one collection. */
export interface Globs {
  /** Whether an include matches the file and no exclude does. */
  readonly selects: (path: string) => boolean;
  /** Whether an exclude matches the file, or a wildcard leaves it out because of a dot that its name begins with. */
  readonly excludes: (path: string) => boolean;
  /** Whether files below the folder can be selected, as far as the globs tell. */
  readonly reaches: (folder: string) => boolean;
  /** How the literal paths lie to this path. */
  readonly naming: (path: string) => Naming;
  /** The same globs with only those includes whose literal path is this path or below it. */
  readonly within: (path: string) => Globs;
  /** Notes that a file of the collection has this path. */
  readonly markMatched: (path: string) => void;
  /** Includes with a literal path that no noted file matches so far. */
  readonly unmatched: () => readonly { readonly glob: string; readonly literal: string }[];
}

// `s`: a name may hold a newline, and `*` means it too. No `windows`: "/" separates on every machine.
const INCLUDE_OPTIONS = { windows: false, flags: "s" } as const;
const EXCLUDE_OPTIONS = { windows: false, flags: "s", dot: true } as const;

/** The globs of a collection. They must have passed `findGlobFault`. */
export function compileGlobs(include: readonly string[], exclude: readonly string[]): Globs {
  const compiled = include.map(compileInclude);
  const waiting = new Set(compiled.filter((entry) => entry.literal !== ""));
  return createGlobs(compiled, compileExcludes(exclude), waiting);
}

/** The path of a glob before its first wildcard, `""` when there is none. */
export function literalPathOf(glob: string): string {
  return compileInclude(glob).literal;
}

/** What is wrong with a glob, as the end of a sentence, or undefined. */
export function findGlobFault(glob: string): string | undefined {
  if (glob.startsWith("!") && !glob.startsWith("!(")) {
    return 'starts with "!"; put what is to be left out under "exclude"';
  }
  if (glob.startsWith("/") || /^[A-Za-z]:[\\/]/.test(glob)) {
    return "is an absolute path; globs are relative to the collection's root";
  }
  if (glob.split("/").includes("..")) return 'holds ".."; a collection cannot reach out of its root';
  if (glob.includes("\0")) return "holds a NUL character";
  const isEmpty = tidy(glob) === "" || tidy(glob) === ".";
  return isEmpty ? 'names no file; everything below the root is written "**"' : findCompileFault(glob);
}

function findCompileFault(glob: string): string | undefined {
  try {
    picomatch.makeRe(tidy(glob), { ...INCLUDE_OPTIONS, debug: true });
    return undefined;
  } catch (error) {
    // The glob becomes a regular expression, and only brackets can make that a wrong one.
    if (error instanceof SyntaxError) return "cannot be matched; check its brackets, braces and parentheses";
    throw error;
  }
}

function createGlobs(includes: readonly Include[], excludes: Excludes, waiting: Set<Include>): Globs {
  return {
    excludes: (path) => /(?:^|\/)\./.test(path) || excludes.file(path),
    selects: (path) => includes.some((include) => include.matches(path)) && !excludes.file(path),
    markMatched: (path) => {
      // Rarely more than a handful, and each leaves the set with its first file.
      for (const include of waiting) {
        if (include.matches(path)) {
          waiting.delete(include);
        }
      }
    },
    reaches: (folder) => !excludes.folder(folder) && includes.some((include) => reaches(include, folder)),
    naming: (path) => {
      if (includes.some((include) => include.literal === path)) return "itself";
      return includes.some((include) => include.literal.startsWith(`${path}/`)) ? "on-the-way" : "none";
    },
    within: (path) =>
      createGlobs(
        includes.filter((include) => include.literal === path || include.literal.startsWith(`${path}/`)),
        excludes,
        waiting,
      ),
    unmatched: () => [...waiting].map(({ glob, literal }) => ({ glob, literal })),
  };
}

function reaches(include: Include, folder: string): boolean {
  if (include.literal.startsWith(`${folder}/`)) return true;
  const inside = include.literal === "" || include.literal === folder || folder.startsWith(`${include.literal}/`);
  return inside && folder.split("/").length < include.maxDepth;
}

function compileInclude(glob: string): Include {
  const tidied = tidy(glob);
  const { base, isGlob } = picomatch.scan(tidied);
  const literal = (isGlob ? base : tidied).replace(/\\(.)/gs, "$1").replace(/\/+$/, "");
  // Braces and parentheses can hide a "/" or "**" of their own.
  const isDeep = /\*\*|[({]/.test(tidied);
  return {
    glob,
    literal,
    maxDepth: isDeep ? Number.POSITIVE_INFINITY : tidied.split("/").length,
    matches: isGlob ? picomatch(tidied, INCLUDE_OPTIONS) : (path) => path === literal,
  };
}

interface Excludes {
  readonly file: (path: string) => boolean;
  readonly folder: (path: string) => boolean;
}

function compileExcludes(exclude: readonly string[]): Excludes {
  const files: string[] = [];
  const folders: string[] = [];
  for (const glob of exclude.map(tidy)) {
    const bare = glob.replace(/\/+$/, "");
    const whole = /^(.+?)(?:\/\*\*)+(?:\/\*)?$/.exec(bare)?.[1];
    if (whole !== undefined) {
      folders.push(whole);
    } else if (!/[*?]/.test(bare.slice(bare.lastIndexOf("/") + 1))) {
      // A last segment without a wildcard may be the name of a folder.
      folders.push(bare);
    }
    files.push(bare);
  }
  const isFile = matchAny(files);
  const isFolder = matchAny(folders);
  return { file: isFile, folder: isFolder };
}

function matchAny(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => picomatch(glob, EXCLUDE_OPTIONS));
  return (path) => matchers.some((matches) => matches(path));
}

function tidy(glob: string): string {
  return glob.replace(/^(?:\.\/+)+/, "").replace(/\/{2,}/g, "/");
}

/**
 * The order of paths: by their UTF-8 bytes, which is also the order of code points.
 */

/** Negative, zero or positive as `a` comes before, with or after `b`. Not `<`, which compares UTF-16 code units. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, though their units are below U+E000 to U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
