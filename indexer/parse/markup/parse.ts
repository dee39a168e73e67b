/**
 * Pages that are neither Markdown nor HTML, by the endings of their names.
 */
import { isRecord, parseJson } from "../../../src/core/parse-text.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { MAX_IDS, type ParsedDocument } from "../parsed-document.ts";
import { parseAdoc } from "./adoc.ts";
import type { MarkupSource } from "./line-page.ts";
import { parseRst } from "./rst.ts";

/** Longer addresses are pictures written out, which nobody reads. */
const DATA_ADDRESS = /\(data:[^)\s]{200,}/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})/gm;

/**
 * Document of a page of reStructuredText, AsciiDoc, plain text or of a notebook, and the text that is indexed: the source, of a notebook
 * the Markdown of its cells. Never throws for its content.
 */
export function parseMarkup(source: MarkupSource): { readonly parsed: ParsedDocument; readonly text: string } {
  const ending = source.path.slice(source.path.lastIndexOf(".") + 1).toLowerCase();
  if (ending === "ipynb") return parseNotebook(source);
  return { parsed: /^a/.test(ending) ? parseAdoc(source) : parseRst(source), text: source.text };
}

function parseNotebook({ path, text, anchors }: MarkupSource): ReturnType<typeof parseMarkup> {
  const notebook = parseJson(text.replace(/^\ufeff/, ""));
  const cells = isRecord(notebook) && notebook["nbformat"] === 4 ? notebook["cells"] : undefined;
  const markdown = Array.isArray(cells) ? writeCells(cells, languageOf(notebook)) : "";
  const parsed = parseMarkdown({ path, text: markdown, ...(anchors !== undefined && { anchors }) });
  // Jupyter's anchors are titles with hyphens.
  const anchored = parsed.sections
    .slice(0, MAX_IDS)
    .map(({ title }, at): [string, number] => [title.replaceAll(" ", "-"), at]);
  const ids = { ...Object.fromEntries(anchored.reverse()), ...parsed.ids };
  if (Array.isArray(cells)) return { parsed: { ...parsed, ids }, text: markdown };
  const message = "not a notebook of nbformat 4; only its name is indexed";
  return {
    parsed: { ...parsed, diagnostics: [{ severity: "warning", code: "notebook-unread", message, path, line: 1 }] },
    text: "",
  };
}

/** Language of the code of a notebook, as its kernel names it. */
function languageOf(notebook: unknown): string {
  const metadata = isRecord(notebook) && isRecord(notebook["metadata"]) ? notebook["metadata"] : {};
  const { language_info: info, kernelspec: kernel } = metadata;
  const name = (isRecord(info) && info["name"]) || (isRecord(kernel) && kernel["language"]);
  return typeof name === "string" && /^[\w+#.-]{1,40}$/.test(name) ? name : "";
}

function writeCells(cells: readonly unknown[], language: string): string {
  const parts: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const { cell_type: type, source: written } = isRecord(cell) ? cell : {};
    const lines: unknown[] = Array.isArray(written) ? written : [written];
    const source = lines
      .filter((line) => typeof line === "string")
      .join("")
      .replace(DATA_ADDRESS, "(data:")
      .replace(/\n$/, "");
    const fences = source.match(FENCE) ?? [];
    if (type === "code") {
      const fence = "`".repeat(Math.max(2, ...fences.map(({ length }) => length)) + 1);
      parts.push(`${fence}${language}\n${source}\n${fence}`);
    } else if (type === "markdown") {
      // Code that a cell leaves open ends with the cell.
      parts.push(fences.length % 2 === 1 ? `${source}\n${fences.at(-1)}` : source);
    } else if (at === 0 && source.startsWith("---\n")) {
      // Frontmatter, as Quarto writes it.
      parts.push(source);
    }
  }
  return `${parts.join("\n\n")}\n`;
}
