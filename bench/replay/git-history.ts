/**
 * Pages of a git repository, commit by commit. Needs no work tree, and passes over blobs that a partial clone lacks.
 *
 * I/O: starts `git`.
 */
import { execFileSync } from "node:child_process";
import type { Edit } from "../edits.ts";

/** Where the pages are. */
export interface PageSource {
  /** The repository: a clone, or its git directory. */
  readonly repository: string;
  /** Folder of the pages in it; `""` for all. */
  readonly folder: string;
}

interface ChangedPage {
  readonly path: string;
  /** Undefined where the page goes. */
  readonly blob: string | undefined;
}

const ENDINGS = ["md", "mdx", "markdown"];
const IS_PAGE = new RegExp(`\\.(?:${ENDINGS.join("|")})$`, "i");
const MOST_OUTPUT = 2 ** 31 - 1;
/** Modes of symlinks and submodules. */
const NO_FILES = new Set(["120000", "160000"]);
const GONE = /^0+$/;

/** Ids of the first-parent commits that touch pages, the oldest first: `count` of them after the newest `skip`. */
export function listCommits(source: PageSource, count: number, skip: number): string[] {
  const folder = source.folder === "" ? "" : `${source.folder}/`;
  const paths = ENDINGS.map((ending) => `:(top,icase,glob)${folder}**/*.${ending}`);
  const words = ["log", "--first-parent", "--format=%H", `--max-count=${count}`, `--skip=${skip}`, "--", ...paths];
  return runGit(source, words).toString("utf8").split("\n").filter(Boolean).reverse();
}

/** All pages of a commit, by their paths below the folder. */
export function readPages(source: PageSource, commit: string): Edit["changes"] {
  const listed = splitList(runGit(source, ["ls-tree", "-r", "-z", "--full-tree", commit, ...pathOf(source)]));
  const pages = listed.flatMap((line): ChangedPage[] => {
    const [, mode = "", blob, path = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    return NO_FILES.has(mode) || !IS_PAGE.test(path) ? [] : [{ path, blob }];
  });
  return readTexts(source, pages);
}

/** What changed between two commits. A rename is a page that goes and one that comes. */
export function readChanges(source: PageSource, before: string, after: string): Edit["changes"] {
  const words = ["diff-tree", "-r", "-z", "--no-renames", before, after, "--", ...pathOf(source)];
  const listed = splitList(runGit(source, words));
  const pages: ChangedPage[] = [];
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [, mode = "", , blob = ""] = (listed[at] as string).split(" ");
    const path = listed[at + 1] as string;
    if (IS_PAGE.test(path)) pages.push({ path, blob: GONE.test(blob) || NO_FILES.has(mode) ? undefined : blob });
  }
  return readTexts(source, pages);
}

function readTexts(source: PageSource, pages: readonly ChangedPage[]): Edit["changes"] {
  const texts = readBlobs(
    source,
    pages.flatMap(({ blob }) => blob ?? []),
  );
  const start = source.folder === "" ? 0 : source.folder.length + 1;
  const changes = new Map<string, string | undefined>();
  for (const { path, blob } of pages) {
    const text = blob === undefined ? undefined : texts.get(blob);
    if (blob === undefined || text !== undefined) changes.set(path.slice(start), text);
  }
  return changes;
}

/** Texts of blobs; those that the repository lacks are left out. */
function readBlobs(source: PageSource, blobs: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const output = runGit(source, ["cat-file", "--batch"], `${[...new Set(blobs)].join("\n")}\n`);
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf("\n", at);
    const [blob = "", kind = "", size = ""] = output.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (kind === "missing") continue;
    texts.set(blob, output.toString("utf8", at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}

function pathOf({ folder }: PageSource): string[] {
  return folder === "" ? [] : [folder];
}

function splitList(output: Buffer): string[] {
  return output.toString("utf8").split("\0").filter(Boolean);
}

function runGit({ repository }: PageSource, words: readonly string[], input = ""): Buffer {
  return execFileSync("git", ["-C", repository, ...words], {
    input,
    maxBuffer: MOST_OUTPUT,
    // A partial clone would ask its remote for what it lacks.
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1" },
  });
}
