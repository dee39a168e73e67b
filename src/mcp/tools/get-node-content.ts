/**
 * Tool `get_node_content`: the exact text of sections, whole or some of their lines.
 */
import { readPassages, titlePath } from "../../core/docs/documents.ts";
import type { DocumentOutline } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import { makeSymbolId } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import type { LineRange } from "../../surface/parameters.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { type Passage, passageForms } from "../../surface/render/passages.ts";
import { formatCount, formatLines } from "../../surface/render/text.ts";
import { type Asking, bytesFor, coveredSections, type FoundNode, findInnerSymbol, findNodes } from "../find-named.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "get_node_content";
const MAX_NODES = 10;
/** Lines above a symbol without a section that are looked at for its comment. */
const COMMENT_LINES = 40;

const asking: Asking = { tool: NAME, example: (id): JsonObject => ({ node_ids: [id] }), readsText: true };

export const getNodeContentTool = defineTool({
  name: NAME,
  description:
    "Exact text of sections with lines and URL to cite. Use on ids from search or tree; next answer or navigate_tree.",
  parameters: {
    node_ids: { kind: "texts", maxEntries: MAX_NODES, description: "or #short with doc_id" },
    doc_id: { kind: "text" },
    include_descendants: { kind: "boolean", default: false },
    lines: { kind: "lines", description: "10-40" },
  },
  readsBodies: () => true,
  example: { doc_id: "docs:guide/install.md", node_ids: ["#linux"] },
  quotes: true,
  async run({ node_ids, doc_id, include_descendants, lines }, { reader, maxTokens }) {
    const wanted = node_ids ?? (doc_id === undefined ? undefined : [doc_id]);
    if (wanted === undefined) throw new InputError(`${NAME} needs node_ids.`);
    const found = await findNodes(reader, wanted, doc_id, {
      ...asking,
      otherwise: (outline, path) => findInnerSymbol(reader, outline, path),
    });
    // Lines of a document that is named without a section are lines of the file.
    const whole = include_descendants || (node_ids === undefined && lines !== undefined);
    const { nodes, notes } = dropContained(found, whole);
    const passages = await readTexts(reader, nodes, whole, lines, maxTokens);
    const read = passages.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
    const readOn = (passage: Passage, fromLine: number): string =>
      formatExample(NAME, {
        node_ids: [passage.nodeId],
        ...(whole && { include_descendants: true }),
        lines: formatLines(fromLine, passage.endLine),
      });
    return {
      summary: `${formatCount(passages.length, "section")}, ${formatCount(read, "line")}.`,
      forms: passageForms(passages, readOn),
      notes,
    };
  },
});

/** The nodes without those that others already hold. */
function dropContained(found: readonly FoundNode[], withDescendants: boolean) {
  const notes: string[] = [];
  const nodes = found.filter((node, index) => {
    const holder = found.find(
      (other, at) =>
        at !== index && holds(other, node, withDescendants) && (at < index || !holds(node, other, withDescendants)),
    );
    if (holder === undefined) return true;
    if (idOf(holder) !== idOf(node)) notes.push(`${idOf(node)} is part of ${idOf(holder)}.`);
    return false;
  });
  return { nodes, notes };
}

function holds(outer: FoundNode, inner: FoundNode, withDescendants: boolean): boolean {
  if (outer.outline.document.id !== inner.outline.document.id) return false;
  if (outer.symbol !== undefined || inner.symbol !== undefined) {
    const [own, other] = [rangeOf(outer, true), rangeOf(inner, true)];
    return idOf(outer) === idOf(inner) || (own.start <= other.start && other.end <= own.end);
  }
  if (!withDescendants && !isCode(outer.outline)) return outer.section.ordinal === inner.section.ordinal;
  const { startLine, subtreeEndLine } = outer.section;
  return (
    outer.section.ordinal <= inner.section.ordinal &&
    startLine <= inner.section.startLine &&
    inner.section.subtreeEndLine <= subtreeEndLine
  );
}

/** Lines of a node. A symbol's source is all of it: its members are no text of their own. */
function rangeOf({ outline, section, symbol }: FoundNode, whole: boolean): LineRange {
  if (symbol !== undefined) return { start: symbol.start.line, end: symbol.end.line };
  return { start: section.startLine, end: whole || isCode(outline) ? section.subtreeEndLine : section.endLine };
}

function idOf({ outline, section, symbol }: FoundNode): string {
  return symbol === undefined ? section.nodeId : makeSymbolId(outline.document, symbol);
}

function isCode({ document }: DocumentOutline): boolean {
  return codeLanguageOf(document.path) !== undefined;
}

/** @throws {InputError} where the lines asked for lie in none of the sections. */
async function readTexts(
  reader: IndexReader,
  nodes: readonly FoundNode[],
  whole: boolean,
  lines: LineRange | undefined,
  maxTokens: number,
): Promise<Passage[]> {
  const ranges = nodes.map((node) => rangeOf(node, whole));
  const wanted = nodes.flatMap((node, index) => {
    const { start, end } = ranges[index] as LineRange;
    const startLine = Math.max(start, lines?.start ?? start);
    const endLine = Math.min(end, lines?.end ?? end);
    return startLine <= endLine ? [{ node, startLine, endLine }] : [];
  });
  if (wanted.length === 0 && lines !== undefined) {
    const places = nodes.map((node, index) => {
      const { start, end } = ranges[index] as LineRange;
      return `${idOf(node)} has lines ${formatLines(start, end)}`;
    });
    throw new InputError(`Lines ${formatLines(lines.start, lines.end)} lie outside: ${places.join(", ")}.`);
  }
  const texts = await readPassages(
    reader,
    wanted.map(({ node: { outline, section, symbol }, startLine, endLine }) => ({
      outline,
      startLine: hasComment(symbol, lines) ? Math.max(section.startLine, startLine - COMMENT_LINES) : startLine,
      endLine,
      withFrontmatter: lines !== undefined,
    })),
    bytesFor(maxTokens),
  );
  return wanted.map(({ node, startLine: from, endLine }, index): Passage => {
    const { outline, section, symbol } = node;
    const read = texts[index] ?? { startLine: 1, text: "" };
    const { startLine, text } = hasComment(symbol, lines) ? fromComment(read, from) : read;
    const headingPath =
      symbol === undefined ? titlePath(outline, section) : [outline.document.title, ...symbol.path.split(".")];
    const sections = coveredSections(outline, startLine, endLine);
    return { nodeId: idOf(node), url: section.url, headingPath, startLine, endLine, text, sections };
  });
}

function hasComment(symbol: FoundNode["symbol"], lines: LineRange | undefined): boolean {
  return symbol !== undefined && symbol.doc !== "" && lines === undefined;
}

/** The text from the comment that ends directly above a line. */
function fromComment(
  { startLine, text }: Pick<Passage, "startLine" | "text">,
  line: number,
): Pick<Passage, "startLine" | "text"> {
  const lines = text.split(/(?<=\n)/);
  let at = line - startLine;
  if (/\*\/\s*$/.test(lines[at - 1] ?? "")) {
    const opening = lines.slice(0, at).findLastIndex((one) => /^\s*\/\*/.test(one));
    if (opening >= 0) at = opening;
  } else while (at > 0 && /^\s*(?:\/\/|#)/.test(lines[at - 1] ?? "")) at--;
  return { startLine: startLine + at, text: lines.slice(at).join("") };
}
