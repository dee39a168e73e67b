/**
 * Tool `navigate_tree`: from one section to those around it: below, above, beside, before, behind, linked.
 */
import { listDocumentNames } from "../../core/docs/catalogue.ts";
import {
  loadDocuments,
  loadLinks,
  loadOutlines,
  readPassages,
  subtreeOf,
  titlePath,
} from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry, OutlineSection } from "../../core/docs/model.ts";
import { folderOf, splitNodeId } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { Answer, JsonObject } from "../../surface/render/answer.ts";
import { linkForms, neighbourForms, subtreeForms } from "../../surface/render/neighbourhood.ts";
import { formatCount, formatLines } from "../../surface/render/numbers.ts";
import type { Passage } from "../../surface/render/passages.ts";
import { formatExample } from "../arguments.ts";
import { type Asking, coveredSections, type FoundNode, findNodes } from "../find-documents.ts";
import { defineTool, type ToolContext } from "../tool.ts";

const NAME = "navigate_tree";
const DIRECTIONS = ["subtree", "parent", "siblings", "next", "previous", "links_in", "links_out"] as const;
type Direction = (typeof DIRECTIONS)[number];
/** Compressed bytes that are read for each token of the budget: more than ever fits. */
const BYTES_PER_TOKEN = 8;
/** Bytes that are read in any case: a block carries more than its text. */
const LEAST_BYTES = 65_536;
/** Documents of a folder that are listed as siblings: the nearest by path. */
const MAX_SIBLINGS = 100;
/** Documents whose titles are looked up for links. */
const MAX_LINKED_DOCUMENTS = 60;

const asking: Asking = { tool: NAME, example: (id): JsonObject => ({ node_id: id, direction: "siblings" }) };

export const navigateTreeTool = defineTool({
  name: NAME,
  description:
    "A section's subtree with text, parent, siblings, neighbours or links. Use where it is part of the answer; next get_node_content.",
  parameters: {
    node_id: { kind: "text", required: true },
    doc_id: { kind: "text" },
    direction: { kind: "choice", values: DIRECTIONS, default: "subtree" },
  },
  readsBodies: ({ direction }) => direction === "subtree",
  example: { node_id: "docs:guide/install.md#linux", direction: "siblings" },
  quotes: true,
  async run({ node_id, doc_id, direction }, context) {
    const readsText = direction === "subtree";
    const [found] = await findNodes(context.reader, [node_id], doc_id, { ...asking, readsText });
    return navigate(found as FoundNode, direction, context);
  },
});

function navigate(node: FoundNode, direction: Direction, context: ToolContext): Promise<Answer> {
  switch (direction) {
    case "subtree":
      return readSubtree(node, context);
    case "links_in":
    case "links_out":
      return followLinks(node, direction, context.reader);
    case "parent":
    case "siblings":
    case "next":
    case "previous":
      return lookAround(node, direction, context.reader);
  }
}

async function readSubtree({ outline, section }: FoundNode, { reader, maxTokens }: ToolContext): Promise<Answer> {
  const { nodeId, startLine, subtreeEndLine: endLine, url } = section;
  const sections = subtreeOf(outline, section);
  const request = { outline, startLine, endLine, withFrontmatter: false };
  const [read] = await readPassages(reader, [request], LEAST_BYTES + maxTokens * BYTES_PER_TOKEN);
  const passage: Passage = {
    nodeId,
    url,
    headingPath: titlePath(outline, section),
    startLine: read?.startLine ?? startLine,
    endLine,
    text: read?.text ?? "",
    sections: coveredSections(outline, read?.startLine ?? startLine, endLine),
  };
  const readOn = ({ endLine: last }: Passage, fromLine: number): string =>
    formatExample({
      name: "get_node_content",
      example: { node_ids: [nodeId], include_descendants: true, lines: formatLines(fromLine, last) },
    });
  return {
    summary: `${nodeId} with all below it: ${formatCount(sections.length, "section")}, ${formatCount(
      sections.reduce((sum, { words }) => sum + words, 0),
      "word",
    )}.`,
    forms: subtreeForms(outline, sections, passage, readOn),
  };
}

function formatTitle({ document }: DocumentOutline, section: OutlineSection): string {
  return section.ordinal === 0 ? document.title : `${document.title} > ${section.title}`;
}

/** The call that outlines a section's document, or the folder of a document. */
function treeCall({ outline, section }: FoundNode): string {
  const { id } = outline.document;
  return formatExample({ name: "get_tree", example: section.ordinal > 0 ? { doc_id: id } : { path: folderOf(id) } });
}

/** What lies around a section: sections of its document, or other documents where it is one itself. */
interface Neighbours {
  readonly sections: readonly OutlineSection[];
  readonly documents: readonly DocumentEntry[];
  readonly summary: string;
}

async function lookAround(node: FoundNode, direction: Direction, reader: IndexReader): Promise<Answer> {
  const { outline, section } = node;
  const { sections, documents, summary } = await findNeighbours(node, direction, reader);
  return {
    summary,
    forms: neighbourForms(outline, sections, documents, { nodeId: section.nodeId, direction }, treeCall(node)),
  };
}

async function findNeighbours(
  { outline, section }: FoundNode,
  direction: Direction,
  reader: IndexReader,
): Promise<Neighbours> {
  const { nodeId, ordinal } = section;
  const { id } = outline.document;
  const here = (sections: readonly (OutlineSection | undefined)[], summary: string): Neighbours => ({
    sections: sections.filter((one) => one !== undefined),
    documents: [],
    summary,
  });
  const elsewhere = (documents: readonly DocumentEntry[], summary: string): Neighbours => ({
    sections: [],
    documents,
    summary,
  });
  if (direction === "next" || direction === "previous") {
    const step = direction === "next" ? 1 : -1;
    const neighbour = outline.sections[ordinal + step];
    if (neighbour !== undefined) return here([neighbour], `${direction === "next" ? "After" : "Before"} ${nodeId}:`);
    const place = direction === "next" ? "the last section" : "the start";
    const documents = await besides(reader, id, step);
    const then =
      documents.length === 0 ? `no document of its folder is ${direction}` : `the ${direction} document of its folder`;
    return elsewhere(documents, `${nodeId} is ${place} of its document; ${then}${documents.length === 0 ? "." : ":"}`);
  }
  const parent = outline.sections[section.parent];
  if (direction === "parent") {
    const summary =
      parent === undefined ? `${nodeId} is a whole document; nothing stands above it.` : `Above ${nodeId}:`;
    return here([parent], summary);
  }
  if (parent === undefined) {
    const documents = await besides(reader, id);
    const number = formatCount(documents.length, "document");
    const near = documents.length < MAX_SIBLINGS ? "in the folder of" : "nearest by path in the folder of";
    return elsewhere(documents, `${number} ${near} ${id}:`);
  }
  const siblings = parent.children.filter((child) => child !== ordinal).map((child) => outline.sections[child]);
  return here(siblings, `${formatCount(siblings.length, "section")} beside ${nodeId}, under ${parent.nodeId}:`);
}

/** Documents of the same folder by path: all others, or the one so many steps on. */
async function besides(reader: IndexReader, documentId: string, step?: number): Promise<DocumentEntry[]> {
  const names = await listDocumentNames(reader);
  const folder = folderOf(documentId);
  const ids = names.flatMap(({ id }) => (folderOf(id) === folder ? [id] : [])).sort();
  const at = ids.indexOf(documentId);
  const from = Math.max(0, at - MAX_SIBLINGS / 2);
  const near = ids.slice(from, from + MAX_SIBLINGS + 1).filter((id) => id !== documentId);
  const wanted = step === undefined ? near : [ids[at + step]];
  return loadDocuments(
    reader,
    wanted.filter((id) => id !== undefined),
  );
}

async function followLinks(
  { outline, section }: FoundNode,
  direction: "links_in" | "links_out",
  reader: IndexReader,
): Promise<Answer> {
  const below = new Set(subtreeOf(outline, section).map(({ nodeId }) => nodeId));
  const links = await loadLinks(reader, outline);
  const found = dropRepeated(
    direction === "links_out"
      ? links.out.filter(({ fromNodeId }) => below.has(fromNodeId))
      : links.in.filter(({ toNodeId }) => below.has(toNodeId)),
  );
  const others = found.map((link) => (direction === "links_out" ? link.toNodeId : link.fromNodeId));
  const all = below.size > 1 ? " with all below it" : "";
  const number = found.length === 0 ? "no links" : formatCount(found.length, "link");
  const way = direction === "links_in" ? "in" : `out${countKinds(found)}`;
  return {
    summary: `${section.nodeId}${all}: ${number} ${way}.`,
    forms: linkForms(found, await loadTitles(reader, others), { nodeId: section.nodeId, direction }),
  };
}

/** A section may link to the same place many times over in the same words. */
function dropRepeated(links: readonly LinkEntry[]): LinkEntry[] {
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}

function countKinds(links: readonly LinkEntry[]): string {
  const parts = (["external", "broken"] as const).flatMap((kind) => {
    const count = links.filter((link) => link.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Titles of sections with those of their pages, by node id. */
async function loadTitles(reader: IndexReader, nodeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const documents = [...new Set(nodeIds.filter((id) => id !== "").map((id) => splitNodeId(id).documentId))];
  const outlines = await loadOutlines(reader, documents.slice(0, MAX_LINKED_DOCUMENTS));
  const titles = new Map<string, string>();
  for (const outline of outlines) {
    for (const section of outline?.sections ?? []) {
      if (outline !== undefined) titles.set(section.nodeId, formatTitle(outline, section));
    }
  }
  return titles;
}
