/**
 * Ignore files: `.gitignore` and `.treelineignore`, at every level, with git's rules.
 *
 * All rules that hold in a folder make one list, outermost file first, each rewritten to paths from the top: `/tmp` in
 * `docs/.gitignore` becomes `/docs/tmp`. The last rule that matches decides, and what lies in an ignored folder stays
 * ignored: that is how a rule further down takes back one from further up. In one folder, `.treelineignore` comes
 * after `.gitignore` and so wins over it.
 *
 * Left out, because they differ from machine to machine: the user's global ignore file and `.git/info/exclude`.
 *
 * Pure: texts in, answers out. No I/O.
 */
import ignore, { type Ignore } from "ignore";

/** Names of ignore files, in the order in which they are read. */
export const IGNORE_FILE_NAMES: readonly string[] = [".gitignore", ".treelineignore"];

/** The rules that hold in one folder and, until an ignore file adds to them, in the folders below. */
export interface IgnoreScope {
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
  if (scope.rules === undefined) {
    return false;
  }
  const local = path.slice(scope.top.length);
  return scope.rules.ignores(kind === "folder" ? `${local}/` : local);
}

/** A line of an ignore file in folder `local` (`""` or ending in `/`) as a pattern from the top. */
function anchorPattern(line: string, local: string): string | undefined {
  if (line.trim() === "" || line.startsWith("#")) {
    return undefined;
  }
  if (local === "") {
    return line;
  }
  const negation = line.startsWith("!") ? "!" : "";
  const body = line.slice(negation.length);
  if (/^\/?\s*$/.test(body)) {
    return undefined;
  }
  const slash = body.indexOf("/");
  const prefix = `${negation}/${escapePattern(local)}`;
  // Trailing spaces do not count, so a slash before them is at the end.
  const isAnchored = slash >= 0 && slash < body.trimEnd().length - 1;
  return isAnchored ? `${prefix}${body.replace(/^\//, "")}` : `${prefix}**/${body}`;
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}
