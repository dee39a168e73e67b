/**
 * Lines of a `.gitignore` for what Treeline and wrangler write into a project's folder. Pure.
 */

const LINES = [".treeline/", ".wrangler/"];
/** In a file that is new: what is asked to be installed is no part of a repository. */
const NEW_LINES = ["node_modules/", ...LINES];

/** The text with the lines that it lacks; `before` is `""` where there is no file. Line ends stay as they are. */
export function addIgnored(before: string): string {
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const there = new Set(before.split(/\r?\n/).map(bare));
  const missing = (before === "" ? NEW_LINES : LINES).filter((line) => !there.has(bare(line)));
  if (missing.length === 0) return before;
  const start = before === "" || before.endsWith("\n") ? before : before + lineEnd;
  return start + missing.map((line) => line + lineEnd).join("");
}

function bare(line: string): string {
  return line
    .trim()
    .replace(/^\uFEFF?(?:\*\*)?\/?/, "")
    .replace(/\/\**$/, "");
}
