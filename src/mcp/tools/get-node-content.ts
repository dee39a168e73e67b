/**
 * Tool `get_node_content`: the exact text of sections, whole or some of their lines.
 */
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { readPassages } from "../../core/tree/documents.ts";
import type { DocumentOutline } from "../../core/tree/model.ts";
import { titlePath } from "../../core/tree/outline.ts";
import type { JsonObject } from "../../render/answer.ts";
import { formatCount, formatLines } from "../../render/counts.ts";
import { type Passage, passageForms } from "../../render/passages.ts";
import { formatExample } from "../arguments.ts";
import { type Asking, type FoundNode, findNodes } from "../find.ts";
import type { LineRange } from "../parameters.ts";
import { defineTool } from "../tool.ts";

const NAME = "get_node_content";
const MAX_NODES = 10;
/** Compressed bytes read of one section for each token of the budget: more than ever fits. */
const BYTES_PER_TOKEN = 8;
/** Bytes that are read of a section in any case: a block carries more than its text. */
const LEAST_BYTES = 65_536;

const asking: Asking = { tool: NAME, example: (id): JsonObject => ({ node_ids: [id] }), readsText: true };

/** The tool. */
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
  async run({ node_ids, doc_id, include_descendants, lines }, { reader, maxTokens }) {
    const wanted = node_ids ?? (doc_id === undefined ? undefined : [doc_id]);
    if (wanted === undefined) throw new InputError(`${NAME} needs node_ids.`);
    const found = await findNodes(reader, wanted, doc_id, asking);
    // Lines of a document that is named without a section are lines of the file.
    const whole = include_descendants || (node_ids === undefined && lines !== undefined);
    const { nodes, notes } = dropContained(found, whole);
    const passages = await readTexts(reader, nodes, { whole, lines, maxTokens });
    const read = passages.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
    const readOn = (passage: Passage, fromLine: number): string =>
      formatExample({
        name: NAME,
        example: {
          node_ids: [passage.nodeId],
          ...(whole && { include_descendants: true }),
          lines: formatLines(fromLine, passage.endLine),
        },
      });
    return {
      summary: `${formatCount(passages.length, "section")}, ${formatCount(read, "line")}.`,
      forms: passageForms(passages, { readOn }),
      notes,
    };
  },
});

/** The nodes without those that others already hold. */
function dropContained(
  found: readonly FoundNode[],
  withDescendants: boolean,
): { readonly nodes: readonly FoundNode[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const nodes = found.filter((node, index) => {
    const holder = found.find(
      (other, at) =>
        at !== index && holds(other, node, withDescendants) && (at < index || !holds(node, other, withDescendants)),
    );
    if (holder === undefined) return true;
    if (holder.section.nodeId !== node.section.nodeId) {
      notes.push(`${node.section.nodeId} is part of ${holder.section.nodeId}.`);
    }
    return false;
  });
  return { nodes, notes };
}

function holds(outer: FoundNode, inner: FoundNode, withDescendants: boolean): boolean {
  if (outer.outline.document.id !== inner.outline.document.id) return false;
  if (!withDescendants && !isCode(outer.outline)) return outer.section.ordinal === inner.section.ordinal;
  const { startLine, subtreeEndLine } = outer.section;
  return (
    outer.section.ordinal <= inner.section.ordinal &&
    startLine <= inner.section.startLine &&
    inner.section.subtreeEndLine <= subtreeEndLine
  );
}

function isCode({ document }: DocumentOutline): boolean {
  return codeLanguageOf(document.path) !== undefined;
}

interface TextRequest {
  readonly whole: boolean;
  readonly lines: LineRange | undefined;
  readonly maxTokens: number;
}

/** @throws {InputError} where the lines asked for lie in none of the sections. */
async function readTexts(
  reader: IndexReader,
  nodes: readonly FoundNode[],
  { whole, lines, maxTokens }: TextRequest,
): Promise<Passage[]> {
  const ranges = nodes.map(({ outline, section }) => ({
    start: section.startLine,
    // A symbol's source is all of it: its members are no text of their own.
    end: whole || isCode(outline) ? section.subtreeEndLine : section.endLine,
  }));
  const wanted = nodes.flatMap((node, index) => {
    const { start, end } = ranges[index] as LineRange;
    const startLine = Math.max(start, lines?.start ?? start);
    const endLine = Math.min(end, lines?.end ?? end);
    return startLine <= endLine ? [{ node, startLine, endLine }] : [];
  });
  if (wanted.length === 0 && lines !== undefined) {
    const places = nodes.map(({ section: { nodeId } }, index) => {
      const { start, end } = ranges[index] as LineRange;
      return `${nodeId} has lines ${formatLines(start, end)}`;
    });
    throw new InputError(`Lines ${formatLines(lines.start, lines.end)} lie outside: ${places.join(", ")}.`);
  }
  const texts = await readPassages(
    reader,
    wanted.map(({ node: { outline }, startLine, endLine }) => ({
      outline,
      startLine,
      endLine,
      withFrontmatter: lines !== undefined,
    })),
    LEAST_BYTES + maxTokens * BYTES_PER_TOKEN,
  );
  return wanted.map(({ node: { outline, section }, endLine }, index): Passage => {
    const { startLine, text } = texts[index] ?? { startLine: 1, text: "" };
    const { nodeId, url } = section;
    return { nodeId, url, headingPath: titlePath(outline, section), startLine, endLine, text };
  });
}
