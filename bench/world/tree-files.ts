/** Files of a tree without the indexer's own walk: what git lists, and the lines that hold a literal. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { CODE_ENDINGS } from "../../src/core/text/code-languages.ts";
import type { Place } from "./judge-answers.ts";

const PAGE_ENDINGS = ["md", "mdx", "markdown"];
const NEVER_INDEXED = /(?:^|\/)(?:node_modules|\.git|\.treeline|\.wrangler)\//;
const SITE_EXTRAS = /(?:^|\/)(?:404\.html|404\/index\.html|pagefind\/.*)$/;
const HIDDEN = /(?:^|\/)\./;
const MOST_OUTPUT = 1 << 29;

/** Collection of a `treeline.config.json`. */
interface Collection {
  readonly root?: string;
  readonly kind?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Paths below `dir` that ignore files leave in, as git lists them. `scratch` takes the empty repository. */
export function listTreeFiles(dir: string, scratch: string): string[] {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["--git-dir", join(scratch, "git"), "--work-tree", dir, ...words], {
      cwd: dir,
      encoding: "utf8",
      maxBuffer: MOST_OUTPUT,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "--quiet");
  const listed = git("ls-files", "--others", "--exclude-standard", "-z").split("\0");
  return listed.filter((path) => path !== "" && !NEVER_INDEXED.test(path)).sort();
}

/**
 * The files that a build must take: those of the configured collections, else of the kinds that it chose. Wildcards do
 * not match names that start with a dot.
 */
export function selectFiles(paths: readonly string[], kinds: readonly string[], config: object | undefined): string[] {
  const configured = (config as { collections?: readonly Collection[] } | undefined)?.collections;
  const collections = configured ?? kinds.map((kind) => ({ kind }));
  const selected = new Set<string>();
  for (const { root = ".", kind = "docs", include, exclude = [] } of collections as readonly Collection[]) {
    const top = root.replace(/^\.\/?|\/$/g, "");
    const isExcluded = picomatch([...exclude], { dot: true });
    const isIncluded = include === undefined ? ofKind(kind) : picomatch([...include]);
    for (const path of paths) {
      if (top !== "" && !path.startsWith(`${top}/`)) continue;
      const own = top === "" ? path : path.slice(top.length + 1);
      if (isIncluded(own) && !isExcluded(own)) selected.add(path);
    }
  }
  return [...selected];
}

function ofKind(kind: string): (path: string) => boolean {
  if (kind === "site") return (path) => path.endsWith(".html") && !SITE_EXTRAS.test(path) && !HIDDEN.test(path);
  const endings = kind === "code" ? CODE_ENDINGS : PAGE_ENDINGS;
  return (path) => endings.includes(path.slice(path.lastIndexOf(".") + 1)) && !HIDDEN.test(path);
}

/** Lines of files that are to be searched, split as an editor does. */
export function readLines(path: string): string[] {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
}

/** Finds the lines of `paths` that hold a literal: by ripgrep, or by reading them all. */
export function createScanner(
  dir: string,
  paths: readonly string[],
  hasRg = spawnSync("rg", ["--version"]).status === 0,
) {
  const isIndexed = new Set(paths);
  let texts: Map<string, string[]> | undefined;
  const scan = (literal: string): Set<Place> => {
    if (hasRg)
      return new Set(runRg(dir, literal).flatMap(({ path, line }) => (isIndexed.has(path) ? [`${path}:${line}`] : [])));
    texts ??= new Map(paths.map((path) => [path, readLines(join(dir, path))]));
    const found = [...texts].map(([path, lines]) =>
      lines.flatMap((text, at) => (text.includes(literal) ? [`${path}:${at + 1}`] : [])),
    );
    return new Set(found.flat());
  };
  return { scanner: hasRg ? ("rg" as const) : ("own" as const), scan };
}

function runRg(dir: string, literal: string): { path: string; line: string }[] {
  const options = [
    "--no-config",
    "--no-messages",
    "--no-ignore",
    "--hidden",
    "--text",
    "--follow",
    "--null",
    "--no-heading",
    "-nF",
  ];
  const { stdout } = spawnSync("rg", [...options, "--glob", "!.treeline", "-e", literal, "."], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
  });
  return [...stdout.matchAll(/^\.\/([^\0\n]*)\0(\d+):/gm)].map(([, path = "", line = ""]) => ({ path, line }));
}
