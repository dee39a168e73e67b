/**
 * A block of code on a page: its text without what a site adds to it, and its language, however a highlighter writes them.
 */
import { attributeOf } from "../../config/selectors.ts";
import { readFenceInfo } from "../markdown/page-text.ts";
import { childrenOf, classesOf, isElement, isSkipped, type PageElement, type Regions, textOf } from "./page-tree.ts";

const LANGUAGE_CLASS = /^(?:language-|lang-|highlight-source-|highlight-|brush:|sourceCode-)([A-Za-z0-9_+#.-]+)$/;
/** What highlighters call themselves, and what they call code without a language. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(
  "none text plain plaintext txt default notranslate nohighlight".split(" "),
);
/** One line of the block, its line end in none of them: Shiki, Docusaurus, Expressive Code, line-numbers plugins. */
const LINE_CLASSES: ReadonlySet<string> = new Set("line token-line ec-line code-line view-line cl".split(" "));
/** What is shown beside the code. */
const ADDED =
  /^(?:line-?numbers?(?:-rows|-wrapper)?|lineno|linenos|linenodiv|gutter|ln|lnt|copy|copy-?btn|copy-?button|copybtn|btn-copy|clipboard|lang|language-label|code-lang|ec-gutter|sr-only|screen-reader-text|visually-hidden|twoslash-popup-container|header-anchor)$/i;
/** Elements above the block that may say its language: `div.language-ts > pre`, `div.highlight-python > div > pre`. */
const LEVELS_ABOVE = 6;

/** The code of a `<pre>`, and its language, `""` where nothing says one. */
export function readCode(pre: PageElement, regions: Regions): { readonly text: string; readonly language: string } {
  const lines = new CodeLines();
  const visit = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (!isElement(child)) {
        lines.add(textOf(child) ?? "");
        continue;
      }
      if (isAddedToCode(child) || isSkipped(regions.of(child))) continue;
      if (child.tagName === "br") lines.add("\n");
      const start = isLineOfCode(child) ? lines.startLine() : undefined;
      visit(child);
      if (start !== undefined) lines.endLine(start);
    }
  };
  visit(pre);
  return { text: lines.finish(), language: languageOf(pre) };
}

/**
 * Text whose lines may be elements. Highlighters end them by a line feed between the elements, by one inside, or by none; each line is
 * ended once.
 */
class CodeLines {
  readonly #parts: string[] = [];
  #length = 0;
  #isLineStart = true;
  /** Whether a line was ended by its element alone. */
  #isDue = false;

  add(text: string): void {
    if (text === "") return;
    if (this.#isDue && !text.startsWith("\n")) this.#push("\n");
    this.#push(text);
  }

  /** How much text stands before the line. */
  startLine(): number {
    if (this.#isDue || !this.#isLineStart) this.#push("\n");
    return this.#length;
  }

  endLine(start: number): void {
    if (this.#length === start || !this.#isLineStart) this.#isDue = true;
  }

  finish(): string {
    return this.#parts
      .join("")
      .replace(/\r\n?/g, "\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#isLineStart = text.endsWith("\n");
    this.#isDue = false;
  }
}

/** Whether an element beside or in code belongs to the site: line numbers, a copy button, the name of the language. */
export function isAddedToCode(element: PageElement): boolean {
  if (element.tagName === "button") return true;
  const { tagName } = element;
  if ((tagName === "a" || tagName === "span") && attributeOf(element, "data-line-number") !== undefined) return true;
  return tagName !== "pre" && tagName !== "code" && classesOf(element).some((name) => ADDED.test(name));
}

/** Whether an element is a box around code that holds what `isAddedToCode` knows. */
export function isCodeBox(element: PageElement): boolean {
  return classesOf(element).some(
    (name) => LANGUAGE_CLASS.test(name) || /^(?:highlight|code-?block|codeBlock\w*|expressive-code)$/i.test(name),
  );
}

/** Whether a table shows code beside line numbers. */
export function isCodeTable(table: PageElement): boolean {
  return classesOf(table).some((name) =>
    /^(?:highlighttable|rouge-table|lntable|hljs-ln|crayon-table|code-table)$/.test(name),
  );
}

function isLineOfCode(element: PageElement): boolean {
  if (element.tagName === "div" || element.tagName === "li" || element.tagName === "tr") return true;
  return attributeOf(element, "data-line") !== undefined || classesOf(element).some((name) => LINE_CLASSES.has(name));
}

function languageOf(pre: PageElement): string {
  const inner = childrenOf(pre).find((child) => isElement(child) && child.tagName === "code") as
    | PageElement
    | undefined;
  const elements: PageElement[] = inner === undefined ? [pre] : [inner, pre];
  let above = pre.parentNode;
  for (let level = 0; level < LEVELS_ABOVE && above !== null && "tagName" in above; level++) {
    elements.push(above);
    above = above.parentNode;
  }
  for (const element of elements) {
    const written =
      attributeOf(element, "data-language") ?? attributeOf(element, "data-lang") ?? attributeOf(element, "syntax");
    const named = written ?? classesOf(element).flatMap((name) => LANGUAGE_CLASS.exec(name)?.[1] ?? [])[0];
    if (named === undefined) continue;
    const { language } = readFenceInfo(named);
    return NO_LANGUAGES.has(language) ? "" : language;
  }
  // Pandoc and highlight.js name it without a prefix.
  const bare = [inner, pre].flatMap((element) => (element === undefined ? [] : classesOf(element)));
  const at = bare.findIndex((name) => name === "sourceCode" || name === "hljs");
  const next =
    at < 0
      ? undefined
      : bare.find((name) => name !== "sourceCode" && name !== "hljs" && /^[a-z][a-z0-9+#-]{0,19}$/.test(name));
  return next ?? "";
}
