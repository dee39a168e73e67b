/**
 * Lines of Markdown without what MDX runs and does not show: comments between braces, and the imports and exports of a file.
 *
 * Code keeps all of it. Each line is looked at once.
 *
 * Pure: lines in, lines out.
 */

const FENCE = /^\s*(`{3,}|~{3,})/;
const OPEN = "{/*";
const CLOSE = "*/}";
/** Nothing else than a module of JavaScript has such a line. */
const IMPORT = /^import\s+(?:[\w$*{][^'"]*\sfrom\s*)?(['"])[^'"]+\1\s*;?\s*$/;
const MODULE = /^(?:import|export)\b/;
const INDENTED = /^(?: {4}|\t)/;

/**
 * The lines; those that held nothing else are empty, so that what stands around them stays apart.
 *
 * @param isMdx Whether the file says that it is MDX: what begins like an import or export is one then. Elsewhere only whole imports are.
 */
export function withoutMdx(lines: readonly string[], isMdx: boolean): readonly string[] {
  const lastClose = lines.findLastIndex((line) => line.includes(CLOSE));
  const shown: string[] = [];
  let fence = "";
  let isComment = false;
  let isModule = false;
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1] ?? "";
    if (isComment) {
      const end = line.indexOf(CLOSE);
      isComment = end < 0;
      shown.push(isComment ? "" : line.slice(end + CLOSE.length));
      continue;
    }
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "" || mark !== "") {
      const isEnd = fence !== "" && mark.startsWith(fence) && line.trim() === mark;
      if (fence === "") fence = mark;
      else if (isEnd) fence = "";
      shown.push(line);
      continue;
    }
    if (line.trim() === "") isModule = false;
    else if (before.trim() === "" || isModule) {
      isModule = IMPORT.test(line) || (isMdx && (isModule || MODULE.test(line)));
    }
    if (isModule || (!INDENTED.test(line) && line.includes(OPEN))) {
      const cut = isModule ? { text: "", isOpen: false } : cutComments(line, at < lastClose);
      isComment = cut.isOpen;
      shown.push(cut.text);
    } else shown.push(line);
  }
  return shown;
}

/** A line without its comments. @param mayGoOn Whether one that does not end here ends further down. */
function cutComments(line: string, mayGoOn: boolean): { readonly text: string; readonly isOpen: boolean } {
  let text = "";
  let from = 0;
  for (;;) {
    const open = line.indexOf(OPEN, from);
    if (open < 0) return { text: text + line.slice(from), isOpen: false };
    text += line.slice(from, open);
    const close = line.indexOf(CLOSE, open + OPEN.length);
    // Between backticks it is shown: a page that is about MDX.
    const isCode = (text.split("`").length - 1) % 2 === 1;
    if (isCode || (close < 0 && !mayGoOn)) {
      text += OPEN;
      from = open + OPEN.length;
    } else if (close < 0) return { text, isOpen: true };
    else from = close + CLOSE.length;
  }
}
