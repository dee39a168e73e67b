/**
 * Discovery: which files a collection holds.
 *
 * A file belongs to a collection when an include matches it, no exclude does, no ignore file ignores it, and no folder
 * on the way is one that is never indexed. What an include spells out is read all the same; from a folder that is
 * spelled out although ignored, only the ignore files inside it count, and only the includes that name it apply.
 *
 * Links inside the root are followed: a file appears under the link's path too, a folder under at most one link.
 * Nothing outside the root is ever opened. The result is in path order and does not depend on the order in which the
 * disk lists names: all real folders are walked first, then the links found in them in path order, and so on.
 *
 * I/O: lists folders and reads ignore files through a `SourceFileSystem`.
 */

import { basename, dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { InputError } from "../../src/core/errors.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import {
  createReadError,
  describeFsError,
  failWith,
  findNearest,
  isFsError,
  nodeFileSystem,
  onFsError,
  type SourceFileSystem,
} from "../base/file-system.ts";
import { comparePaths, compileGlobs, type Globs } from "../base/globs.ts";
import type { CollectionConfig, LimitsConfig } from "../config/config.ts";
import { describeTooLarge, type SkippedFile } from "./read-file.ts";

/** What a collection holds. All lists are in path order. */
export interface Discovery {
  /** Absolute path of the collection root, for reading the files. Must not reach the index. */
  readonly root: string;
  readonly files: readonly DiscoveredFile[];
  /** What was meant to be read and is not, each with its reason; these are not repeated in `diagnostics`. */
  readonly skipped: readonly SkippedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of sources and pages that no include asks for. */
  readonly unread: readonly string[];
}

/** Endings of sources and pages that are not parsed. */
const UNREAD: ReadonlySet<string> = new Set(
  (
    "adb ads adoc applescript asciidoc asm awk bas bat bicep bzl cairo cl clj cljc cljs cmake cmd coffee cr cshtml cu " +
    "cypher dart dhall ejs el elm erb erl ex exs f90 f95 fish fs fsi fsx gd gleam glsl gql graphql groovy haml handlebars " +
    "hbs hcl hjson hlsl hrl hs idl ipynb j2 jinja jl jsonnet jsp kql lean less lhs liquid lisp lua m m4 marko metal mjml " +
    "ml mli mm mojo move mustache nim nix njk nu odin org pas pkl pl pm pod prisma proto ps1 psm1 pug purs pxd pyx qml qmd " +
    "r razor rdoc re rego res rkt rmd rst sass scm scss slim smithy sol sql styl sv tcl templ tex textile tf thrift tla " +
    "twig typ v vala vb vhd vhdl wgsl wit xsl xslt yang yar zig zsh"
  ).split(" "),
);

/** Whether a file is one that somebody might look for, by its name. */
function isUnreadKind(path: string): boolean {
  return UNREAD.has(endingOf(path)) || codeLanguageOf(path) !== undefined;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase();
}

/** A finding about kinds of files that are left out, `read` aside; undefined without any. */
export function describeUnread(
  paths: readonly string[],
  read: readonly string[],
  isWithCode: boolean,
): Diagnostic | undefined {
  const known = new Set(read.map(endingOf));
  const left = new Set(paths.filter((path) => isWithCode || codeLanguageOf(path) === undefined));
  const kinds = [...Map.groupBy(left, endingOf)]
    .filter(([ending]) => !known.has(ending))
    .sort(([a, some], [b, others]) => others.length - some.length || comparePaths(a, b));
  if (kinds.length === 0) return undefined;
  const counts = kinds.map(([ending, { length }]) => `${length} .${ending}`).join(", ");
  const isOne = kinds.length === 1 && kinds[0]?.[1].length === 1;
  const message = `${counts} ${isOne ? "file is" : "files are"} not read`;
  return { severity: "info", code: "files-not-read", message, path: "", line: 0 };
}

/**
 * The files of a collection.
 *
 * @param baseDir Absolute path of the folder of the configuration.
 * @throws {InputError} when the collection's root is no folder that can be listed.
 */
export async function discoverFiles(
  collection: Pick<CollectionConfig, "root" | "include" | "exclude">,
  baseDir: string,
  limits: LimitsConfig,
  fileSystem: SourceFileSystem = nodeFileSystem,
): Promise<Discovery> {
  const root = await openCollectionRoot(collection, baseDir, fileSystem);
  // A subfolder that cannot be listed is skipped; without the root itself there is nothing to go on with.
  await fileSystem.readdir(root.path).catch(failWith(`folder ${JSON.stringify(collection.root)} cannot be listed`));
  const globs = compileGlobs(collection.include, collection.exclude);
  const found = await walkCollection(root, globs, limits, fileSystem);
  const files = [...found.files].sort((a, b) => comparePaths(a.path, b.path));
  const skipped = [...found.skipped];
  const diagnostics = [...found.diagnostics];
  if (files.length > limits.maxFiles) {
    diagnostics.push(createLimitDiagnostic(files.length, limits.maxFiles));
    const message = `is beyond limits.maxFiles (${limits.maxFiles})`;
    for (const file of files.splice(limits.maxFiles)) {
      skipped.push({ path: file.path, reason: "too-many-files", message, bytes: file.bytes });
    }
  }
  diagnostics.push(...(await explainUnmatched(globs, root.path, fileSystem)));
  return {
    root: root.path,
    files,
    unread: found.unread,
    skipped: skipped.sort((a, b) => comparePaths(a.path, b.path)),
    diagnostics: diagnostics.sort((a, b) => comparePaths(a.path, b.path) || comparePaths(a.message, b.message)),
  };
}

function createLimitDiagnostic(count: number, maxFiles: number): Diagnostic {
  return {
    severity: "error",
    code: "too-many-files",
    message: `${count} files match, limits.maxFiles is ${maxFiles}: the last ${count - maxFiles} in path order are left out`,
    path: "",
    line: 0,
  };
}

/** A path that is spelled out and yields nothing is most often misspelt or a folder without a wildcard after it. */
async function explainUnmatched(globs: Globs, root: string, fileSystem: SourceFileSystem): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { glob, literal } of globs.unmatched()) {
    const shown = JSON.stringify(glob);
    diagnostics.push({
      severity: "warning",
      code: "include-matches-nothing",
      message: `include ${shown} matches no file: ${await describeLiteral(join(root, literal), literal, fileSystem)}`,
      path: "",
      line: 0,
    });
  }
  return diagnostics;
}

function describeLiteral(path: string, literal: string, fileSystem: SourceFileSystem): Promise<string> {
  return fileSystem.stat(path).then(
    (status) =>
      status.isDirectory()
        ? `nothing in folder ${JSON.stringify(literal)} fits it; everything in a folder is written ${JSON.stringify(`${literal}/**`)}`
        : "it is excluded or skipped",
    onFsError(async (error) => {
      const [near] = await findNearest(path.slice(0, path.length - literal.length), literal, fileSystem);
      const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      return `${JSON.stringify(literal)}: ${describeFsError(error)}${hint}`;
    }),
  );
}

const IGNORE_FILE_NAMES: readonly string[] = [".gitignore", ".treelineignore"];

/** Folders that hold no documents of the project. An include reaches into them only by spelling them out. */
const NEVER_INDEXED: ReadonlySet<string> = new Set(["node_modules", ".git", ".treeline", ".wrangler"]);

/** Largest ignore file that is read; each rule costs time for every file. */
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

interface DiscoveredFile {
  /** Path relative to the collection root, `/` as separator, spelled as on disk. */
  readonly path: string;
  readonly bytes: number;
}

interface Folder {
  /** Path relative to the root, `""` for the root. */
  readonly path: string;
  /** Absolute path with links followed. */
  readonly real: string;
  /** The includes that count in here. */
  readonly globs: Globs;
  readonly scope: IgnoreScope;
  /** Left out as such, and listed only on the way to something that an include spells out. */
  readonly isBarred: boolean;
  /** Real paths of the folders that hold the links which lead here. */
  readonly linkedFrom: readonly string[];
}

interface Link {
  readonly path: string;
  readonly name: string;
  /** The folder that holds the link, with the rules of its own ignore files. */
  readonly folder: Folder;
}

type CollectionRoot = Readonly<Awaited<ReturnType<typeof openCollectionRoot>>>;

interface Walk {
  readonly root: CollectionRoot;
  readonly limits: LimitsConfig;
  readonly fileSystem: SourceFileSystem;
  /** Path from the top of the ignore files to the root: `""`, or ending in `/`. */
  readonly outer: string;
  readonly files: DiscoveredFile[];
  readonly skipped: SkippedFile[];
  readonly diagnostics: Diagnostic[];
  readonly unread: string[];
  /** Links that the running round has found. */
  links: Link[];
}

/** The files below `root` that `globs` select, and what was skipped. */
async function walkCollection(
  root: CollectionRoot,
  globs: Globs,
  limits: LimitsConfig,
  fileSystem: SourceFileSystem,
): Promise<Walk> {
  const outer = relativePath(root.ignoreTop, root.real);
  const walk: Walk = {
    root,
    limits,
    fileSystem,
    outer: outer === "" ? "" : `${outer}/`,
    files: [],
    skipped: [],
    diagnostics: [],
    unread: [],
    links: [],
  };
  const scope = await readOuterScope(walk, outer);
  await walkFolder(walk, { path: "", real: root.real, globs, scope, isBarred: false, linkedFrom: [] });
  const followed = new Map<string, string>();
  while (walk.links.length > 0) {
    const round = walk.links.sort((a, b) => comparePaths(a.path, b.path));
    walk.links = [];
    for (const link of round) {
      await followLink(walk, link, followed);
    }
  }
  return walk;
}

/** Rules of the folders from the top down to the one above the root. A root that they ignore is read without them. */
async function readOuterScope(walk: Walk, outer: string): Promise<IgnoreScope> {
  let scope = openScope("");
  let folder = "";
  for (const segment of outer === "" ? [] : outer.split("/")) {
    scope = await readRules(walk, scope, folder, join(walk.root.ignoreTop, folder));
    folder = folder === "" ? segment : `${folder}/${segment}`;
    if (isIgnored(scope, folder, "folder")) return openScope(outer);
  }
  return scope;
}

async function walkFolder(walk: Walk, folder: Folder): Promise<void> {
  const absolute = join(walk.root.path, folder.path);
  const entries = await walk.fileSystem.readdir(absolute).catch(onFsError(describeFsError));
  if (typeof entries === "string") return skip(walk, folder.path, "unreadable", `cannot be listed: ${entries}`);
  // As for git, a link is not an ignore file: it could hold rules from outside the tree.
  const names = IGNORE_FILE_NAMES.filter((name) => entries.some((entry) => entry.name === name && entry.isFile()));
  const fromTop = `${walk.outer}${folder.path}`.replace(/\/$/, "");
  const inside = { ...folder, scope: await readRules(walk, folder.scope, fromTop, absolute, names) };
  const pending: Promise<void>[] = [];
  for (const entry of entries) {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
    if (entry.isDirectory()) {
      const next = admitFolder(walk, inside, path, entry.name, join(folder.real, entry.name));
      if (next !== undefined) pending.push(walkFolder(walk, next));
    } else if (entry.isSymbolicLink()) {
      walk.links.push({ path, name: entry.name, folder: inside });
    } else if (admitsFile(walk, inside, path)) {
      if (entry.isFile()) pending.push(addFile(walk, folder.globs, path));
      else skip(walk, path, "not-a-file", "is a pipe, socket or device");
    } else if (isUnreadKind(path) && leavesUnread(walk, inside, path)) {
      walk.unread.push(path);
    }
  }
  await Promise.all(pending);
}

/**
 * A scope with the rules of a folder's ignore files.
 *
 * @param folder Path from the top of the ignore files.
 */
async function readRules(
  walk: Walk,
  scope: IgnoreScope,
  folder: string,
  absolute: string,
  names: readonly string[] = IGNORE_FILE_NAMES,
): Promise<IgnoreScope> {
  let all = scope;
  for (const name of names) {
    const bytes = await walk.fileSystem.readFile(join(absolute, name)).catch(onFsError((error) => error));
    if (!(bytes instanceof Error) && bytes.length <= MAX_IGNORE_FILE_BYTES) {
      all = addRules(all, folder, new TextDecoder().decode(bytes));
    } else if (!(bytes instanceof Error)) {
      reportIgnoreFile(walk, folder, name, `has ${bytes.length} bytes, at most ${MAX_IGNORE_FILE_BYTES} are read`);
    } else if (bytes.code !== "ENOENT") {
      reportIgnoreFile(walk, folder, name, `cannot be read: ${describeFsError(bytes)}`);
    }
  }
  return all;
}

function reportIgnoreFile(walk: Walk, folder: string, name: string, fault: string): void {
  // Above the root, a path relative to the root does not exist; the name alone tells enough.
  const isBelow = `${folder}/`.startsWith(walk.outer);
  const below = isBelow ? folder.slice(walk.outer.length) : "";
  const path = isBelow ? (below === "" ? name : `${below}/${name}`) : "";
  const message = `${name} ${fault}; its rules do not apply`;
  walk.diagnostics.push({ severity: "warning", code: "ignore-file-unreadable", message, path, line: 0 });
}

/** How a subfolder is to be walked, or undefined when it is not. */
function admitFolder(walk: Walk, folder: Folder, path: string, name: string, real: string): Folder | undefined {
  if (!folder.globs.reaches(path)) return undefined;
  const isBarred =
    folder.isBarred || NEVER_INDEXED.has(name) || isIgnored(folder.scope, `${walk.outer}${path}`, "folder");
  if (!isBarred) return { ...folder, path, real };
  const naming = folder.globs.naming(path);
  if (naming === "none") return undefined;
  const named = { ...folder, path, real, globs: folder.globs.within(path) };
  // Of a folder that is spelled out, only the ignore files inside it count.
  return naming === "itself"
    ? { ...named, scope: openScope(`${walk.outer}${path}`), isBarred: false }
    : { ...named, isBarred: true };
}

function admitsFile(walk: Walk, folder: Folder, path: string): boolean {
  if (!folder.globs.selects(path)) return false;
  const isLeftOut = folder.isBarred || isIgnored(folder.scope, `${walk.outer}${path}`, "file");
  return !isLeftOut || folder.globs.naming(path) === "itself";
}

/** Whether a file is left out because no include asks for its kind, and for no other reason. */
function leavesUnread(walk: Walk, folder: Folder, path: string): boolean {
  const { globs, isBarred, scope } = folder;
  return !isBarred && !globs.excludes(path) && !isIgnored(scope, `${walk.outer}${path}`, "file");
}

async function addFile(walk: Walk, globs: Globs, path: string): Promise<void> {
  globs.markMatched(path);
  const status = await walk.fileSystem.stat(join(walk.root.path, path)).catch(
    onFsError((error) =>
      // The disk's bytes were not UTF-8, so the name that they were read as leads nowhere.
      error.code === "ENOENT" && path.includes("\uFFFD")
        ? "has a name that is not UTF-8"
        : `cannot be read: ${describeFsError(error)}`,
    ),
  );
  if (typeof status === "string") return skip(walk, path, "unreadable", status);
  const { size } = status;
  if (size <= walk.limits.maxFileBytes) walk.files.push({ path, bytes: size });
  else skip(walk, path, "too-large", describeTooLarge(size, walk.limits.maxFileBytes), size);
}

async function followLink(walk: Walk, link: Link, followed: Map<string, string>): Promise<void> {
  const { path, folder } = link;
  const isFileWanted = admitsFile(walk, folder, path);
  const isFolderWanted = admitFolder(walk, folder, path, link.name, "") !== undefined;
  if (!isFileWanted && !isFolderWanted) return;
  const target = await resolveLink(walk, path);
  if ("reason" in target) {
    // A dead link called `logo.png` was hardly meant to be a folder of documents.
    if (isFileWanted || !link.name.includes(".", 1)) {
      skip(walk, path, target.reason, target.message);
    }
    return;
  }
  if (!(target.isFolder ? isFolderWanted : isFileWanted)) return;
  if (!isInside(target.real, walk.root.real)) {
    skip(walk, path, "symlink-outside", "is a link that leads out of the collection's root");
    return;
  }
  const shownTarget = JSON.stringify(relativePath(walk.root.real, target.real) || ".");
  const barrier = relativePath(walk.root.real, target.real)
    .split("/")
    .find((segment) => NEVER_INDEXED.has(segment));
  if (barrier !== undefined && folder.globs.naming(path) === "none") {
    const hint = "which is indexed only where include spells it out";
    skip(walk, path, "symlink-excluded", `is a link into ${barrier}, ${hint}`);
    return;
  }
  if (!target.isFolder) {
    await addFile(walk, folder.globs, path);
    return;
  }
  if ([...folder.linkedFrom, folder.real].some((holder) => isInside(holder, target.real))) {
    skip(walk, path, "symlink-loop", `is a link back to ${shownTarget}, which holds it`);
    return;
  }
  const other = followed.get(target.real);
  if (other !== undefined) {
    skip(walk, path, "symlink-duplicate", `leads to ${shownTarget}, as the link ${JSON.stringify(other)} does`);
    return;
  }
  followed.set(target.real, path);
  const next = admitFolder(walk, folder, path, link.name, target.real);
  if (next !== undefined) {
    await walkFolder(walk, { ...next, linkedFrom: [...folder.linkedFrom, folder.real] });
  }
}

/** Why a link is not followed, by the system's answer. */
const DEAD_LINKS: Readonly<Record<string, LinkFault>> = {
  ENOENT: { reason: "symlink-broken", message: "is a link to something that does not exist" },
  ENOTDIR: { reason: "symlink-broken", message: "is a link to something that does not exist" },
  ELOOP: { reason: "symlink-loop", message: "is a link that leads back to itself" },
};

/** What a link leads to, or why it leads nowhere. */
async function resolveLink(walk: Walk, path: string): Promise<{ real: string; isFolder: boolean } | LinkFault> {
  try {
    const real = await walk.fileSystem.realpath(join(walk.root.path, path));
    const status = await walk.fileSystem.stat(real);
    if (!status.isDirectory() && !status.isFile()) {
      return { reason: "not-a-file", message: "is a link to a pipe, socket or device" };
    }
    return { real, isFolder: status.isDirectory() };
  } catch (error) {
    if (!isFsError(error)) throw error;
    const message = `is a link that cannot be followed: ${describeFsError(error)}`;
    return DEAD_LINKS[error.code] ?? { reason: "unreadable", message };
  }
}

type LinkFault = Pick<SkippedFile, "reason" | "message">;

function skip(walk: Walk, path: string, reason: SkippedFile["reason"], message: string, bytes?: number): void {
  walk.skipped.push({ path, reason, message, ...(bytes === undefined ? {} : { bytes }) });
}

/**
 * Rules of ignore files that hold in one folder and, until another file adds to them, in the folders below.
 *
 * `.gitignore` and `.treelineignore` count at every level, with git's rules. All rules that hold in a folder make one list, outermost
 * file first, each rewritten to paths from the top: `/tmp` in `docs/.gitignore` becomes `/docs/tmp`. The last rule that matches decides,
 * and what lies in an ignored folder stays ignored. In one folder, `.treelineignore` comes after `.gitignore` and so wins over it.
 *
 * Left out, because they differ from machine to machine: the user's global ignore file and `.git/info/exclude`.
 */
interface IgnoreScope {
  /** Folder that the rules count from: a path ending in `/`, or `""`. Paths asked about lie below it. */
  readonly top: string;
  readonly rules: Ignore | undefined;
}

/** A scope without rules for what lies below `top`. */
export function openScope(top: string): IgnoreScope {
  return { top: top === "" ? "" : `${top}/`, rules: undefined };
}

/** The scope with the rules of an ignore file in `folder`, a path below the top or the top itself. */
export function addRules(scope: IgnoreScope, folder: string, text: string): IgnoreScope {
  const local = folder === "" ? "" : `${folder}/`.slice(scope.top.length);
  const rules = ignore({ ignorecase: false, allowRelativePaths: true });
  if (scope.rules !== undefined) {
    rules.add(scope.rules);
  }
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const pattern = anchorPattern(line, local);
    if (pattern !== undefined) {
      rules.add({ pattern });
    }
  }
  return { top: scope.top, rules };
}

/** Whether the rules ignore a file or folder. The folders it lies in must have been asked about before it. */
export function isIgnored(scope: IgnoreScope, path: string, kind: "file" | "folder"): boolean {
  if (scope.rules === undefined) return false;
  const local = path.slice(scope.top.length);
  return scope.rules.ignores(kind === "folder" ? `${local}/` : local);
}

/** A line of an ignore file in folder `local` (`""` or ending in `/`) as a pattern from the top. */
function anchorPattern(line: string, local: string): string | undefined {
  if (line.trim() === "" || line.startsWith("#")) return undefined;
  if (local === "") return line;
  const negation = line.startsWith("!") ? "!" : "";
  const body = line.slice(negation.length);
  if (/^\/?\s*$/.test(body)) return undefined;
  const slash = body.indexOf("/");
  const prefix = `${negation}/${local.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
  // Trailing spaces do not count, so a slash before them is at the end.
  const isAnchored = slash >= 0 && slash < body.trimEnd().length - 1;
  return isAnchored ? `${prefix}${body.replace(/^\//, "")}` : `${prefix}**/${body}`;
}

/*
 * The folder that a collection is read from, checked: it exists, is a folder, and lies inside the folder of the
 * configuration even after its links are followed. Around it, the folder up to which ignore files count.
 *
 * I/O: looks folders up through a `SourceFileSystem`.
 */

/**
 * The root of a collection.
 *
 * @returns Absolute paths: as the configuration spells it, with all links followed, and of the outermost folder whose ignore files count.
 * @throws {InputError} when it does not exist, is no folder, cannot be reached or leads outside.
 */
export async function openCollectionRoot(
  collection: Pick<CollectionConfig, "root">,
  baseDir: string,
  fileSystem: SourceFileSystem,
) {
  const path = join(baseDir, collection.root);
  const shown = JSON.stringify(collection.root === "." ? basename(path) : collection.root);
  const fail = onFsError(async (error): Promise<never> => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") {
      throw createReadError(`folder ${shown} cannot be read: ${describeFsError(error)}`, error);
    }
    const [above, missing] = collection.root === "." ? [dirname(path), basename(path)] : [baseDir, collection.root];
    const nearest = await findNearest(above, missing, fileSystem, (entry) => entry.isDirectory());
    throw createReadError(`folder ${shown} does not exist`, error, nearest);
  });
  const status = await fileSystem.stat(path).catch(fail);
  if (!status.isDirectory()) throw new InputError(`${shown} is a file; a collection is read from a folder`);
  const real = await fileSystem.realpath(path).catch(fail);
  const realBase = await fileSystem.realpath(baseDir).catch(fail);
  if (!isInside(real, realBase)) {
    throw new InputError(`folder ${shown} is a link that leads out of the folder of the configuration`);
  }
  return { path, real, ignoreTop: (await findGitRoot(real, fileSystem)) ?? realBase };
}

/** Whether an absolute path is `folder` or below it; both with links followed. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** A path below `folder` with `/` as separator, `""` for the folder itself. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

/** The folder that holds `.git`, which is a folder, or a file in worktrees and submodules. */
async function findGitRoot(start: string, fileSystem: SourceFileSystem): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = await fileSystem.stat(join(folder, ".git")).catch(onFsError(() => undefined));
    if (found !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
