/**
 * Tool `navigate_tree`: from one section to those around it: below, above, beside, before, behind, linked.
 */
import { listDocumentNames } from "../../core/docs/catalogue.ts";
import {
  loadDocuments,
  loadLinks,
  loadOutlines,
  readPassages,
  shortNodeId,
  subtreeOf,
  titlePath,
} from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry, OutlineSection } from "../../core/docs/model.ts";
import { folderOf, splitNodeId } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { type Answer, type AnswerForm, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { type Passage, passageForms } from "../../surface/render/passages.ts";
import { estimateTokens, foldLine, formatCount, formatLines } from "../../surface/render/text.ts";
import { formatDocumentLine, formatSectionLine } from "../../surface/render/tree.ts";
import { type Asking, bytesFor, coveredSections, type FoundNode, findNodes } from "../find-named.ts";
import { defineTool, formatExample, type ToolContext } from "../tool.ts";

const NAME = "navigate_tree";
const DIRECTIONS = ["subtree", "parent", "siblings", "next", "previous", "links_in", "links_out"] as const;
type Direction = (typeof DIRECTIONS)[number];
/** Documents of a folder that are listed as siblings: the nearest by path. */
const MAX_SIBLINGS = 100;
/** Documents whose titles are looked up for links. */
const MAX_LINKED_DOCUMENTS = 60;
const MAX_TITLE_LENGTH = 120;
const MAX_LINK_LENGTH = 160;
/** Share of a budget that the list of sections may take from their text. */
const LIST_SHARE = 0.3;

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
    const node = found as FoundNode;
    if (direction === "subtree") return readSubtree(node, context);
    const isLinks = direction === "links_in" || direction === "links_out";
    return isLinks ? followLinks(node, direction, context.reader) : lookAround(node, direction, context.reader);
  },
});

async function readSubtree({ outline, section }: FoundNode, { reader, maxTokens }: ToolContext): Promise<Answer> {
  const { nodeId, startLine, subtreeEndLine: endLine, url } = section;
  const sections = subtreeOf(outline, section);
  const request = { outline, startLine, endLine, withFrontmatter: false };
  const [read] = await readPassages(reader, [request], bytesFor(maxTokens));
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
    formatExample("get_node_content", {
      node_ids: [nodeId],
      include_descendants: true,
      lines: formatLines(fromLine, last),
    });
  return {
    summary: `${nodeId} with all below it: ${formatCount(sections.length, "section")}, ${formatCount(
      sections.reduce((sum, { words }) => sum + words, 0),
      "word",
    )}.`,
    forms: subtreeForms(outline, sections, passage, readOn),
  };
}

/** Text of a section with all below it, under the list of its sections; without text where little fits. */
function subtreeForms(
  outline: DocumentOutline,
  sections: readonly OutlineSection[],
  passage: Passage,
  readOn: (passage: Passage, fromLine: number) => string,
): AnswerForm[] {
  const place: JsonObject = { nodeId: passage.nodeId, direction: "subtree" };
  const [whole] = passageForms([passage], readOn);
  const under = (
    list: readonly OutlineSection[],
    form: AnswerForm,
    toJson: (section: OutlineSection) => object,
  ): AnswerForm => ({
    ...form,
    // The passage's own header says it all where there is nothing below.
    blocks: () => [[...(list.length > 1 ? [...toLines(outline, list), ""] : []), ...form.blocks()].join("\n")],
    json: (shown) => ({ ...place, sections: list.map(toJson), content: firstSection(form.json(shown)) }),
  });
  return [
    {
      ...under(sections, whole, (section) => section),
      shorten: (maxTokens) => {
        const list = chooseList(outline, sections, Math.floor(maxTokens * LIST_SHARE));
        const cut = whole.shorten?.(maxTokens - tokensOf(outline, list));
        return cut === undefined ? undefined : under(list, cut, toBareSection);
      },
    },
    {
      detail: "ids, titles and sizes",
      blocks: () => toLines(outline, sections),
      json: (shown) => ({ ...place, sections: sections.slice(0, shown).map(toBareSection) }),
      joined: true,
      more: `Text: ${readOn(passage, passage.startLine)}.`,
    },
  ];
}

/** The sections that are listed over a text that is cut: all, those of the first level, or none. */
function chooseList(
  outline: DocumentOutline,
  sections: readonly OutlineSection[],
  maxTokens: number,
): readonly OutlineSection[] {
  const [start] = sections;
  const firstLevel = sections.filter(({ ordinal, parent }) => ordinal === start?.ordinal || parent === start?.ordinal);
  return [sections, firstLevel].find((list) => tokensOf(outline, list) <= maxTokens) ?? [];
}

function tokensOf(outline: DocumentOutline, list: readonly OutlineSection[]): number {
  return estimateTokens(`${toLines(outline, list).join("\n")}\n\n`);
}

function toLines(outline: DocumentOutline, sections: readonly OutlineSection[], withSummary = false): string[] {
  return sections.map((section) => formatSectionLine(section, { id: shortNodeId(outline, section), withSummary }));
}

function firstSection({ sections }: JsonObject): unknown {
  return Array.isArray(sections) ? sections[0] : undefined;
}

function formatTitle({ document }: DocumentOutline, section: OutlineSection): string {
  return section.ordinal === 0 ? document.title : `${document.title} > ${section.title}`;
}

/** The call that outlines a section's document, or the folder of a document. */
function treeCall({ outline, section }: FoundNode): string {
  const { id } = outline.document;
  return formatExample("get_tree", section.ordinal > 0 ? { doc_id: id } : { path: folderOf(id) });
}

/** A line each, then without summaries. */
async function lookAround(node: FoundNode, direction: Direction, reader: IndexReader): Promise<Answer> {
  const { outline, section } = node;
  const { nodeId } = section;
  const { sections, documents, summary } = await findNeighbours(node, direction, reader);
  const form = (isFull: boolean): AnswerForm => ({
    detail: isFull ? "titles with summaries" : "titles",
    blocks: () => [...toLines(outline, sections, isFull), ...documents.map((document) => formatDocumentLine(document))],
    json: (shown) => {
      const own = sections.slice(0, shown);
      const others = documents.slice(0, Math.max(0, shown - sections.length));
      return {
        nodeId,
        direction,
        sections: isFull ? own : own.map(toBareSection),
        documents: isFull ? others : others.map(({ id, title }) => ({ id, title })),
      };
    },
    joined: true,
    ...(!isFull && { more: `All: ${treeCall(node)}.` }),
  });
  return { summary, forms: [form(true), form(false)] };
}

/** Sections of its document, or other documents where the section is one itself. */
async function findNeighbours({ outline, section }: FoundNode, direction: Direction, reader: IndexReader) {
  const { nodeId, ordinal } = section;
  const { id } = outline.document;
  const here = (found: readonly (OutlineSection | undefined)[], summary: string) => {
    const sections = found.filter((one) => one !== undefined);
    return { sections, documents: [] as DocumentEntry[], summary };
  };
  const elsewhere = (documents: DocumentEntry[], summary: string) => ({ ...here([], summary), documents });
  if (direction === "next" || direction === "previous") {
    const step = direction === "next" ? 1 : -1;
    const neighbour = outline.sections[ordinal + step];
    if (neighbour !== undefined) return here([neighbour], `${direction === "next" ? "After" : "Before"} ${nodeId}:`);
    const place = direction === "next" ? "the last section" : "the start";
    const documents = await besides(reader, id, step);
    const isLast = documents.length === 0;
    const then = isLast ? `no document of its folder is ${direction}.` : `the ${direction} document of its folder:`;
    return elsewhere(documents, `${nodeId} is ${place} of its document; ${then}`);
  }
  const parent = outline.sections[section.parent];
  if (direction === "parent") {
    const isTop = parent === undefined;
    return here([parent], isTop ? `${nodeId} is a whole document; nothing stands above it.` : `Above ${nodeId}:`);
  }
  if (parent === undefined) {
    const documents = await besides(reader, id);
    const near = documents.length < MAX_SIBLINGS ? "in the folder of" : "nearest by path in the folder of";
    return elsewhere(documents, `${formatCount(documents.length, "document")} ${near} ${id}:`);
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
    forms: linkForms(found, await loadTitles(reader, others), section.nodeId, direction),
  };
}

/** Links, a line each: where to or from, and the words of the link. */
function linkForms(
  links: readonly LinkEntry[],
  titles: ReadonlyMap<string, string>,
  nodeId: string,
  direction: "links_out" | "links_in",
): AnswerForm[] {
  const isOut = direction === "links_out";
  const titleOf = (link: LinkEntry): string => titles.get(isOut ? link.toNodeId : link.fromNodeId) ?? "";
  return listForms(links, [["the first links", undefined]], {
    text: (link) => (isOut ? formatLinkOut : formatLinkIn)(link, foldLine(titleOf(link), MAX_TITLE_LENGTH), nodeId),
    toJson: (shown) => ({
      nodeId,
      direction,
      links: shown.map((link) => ({ ...link, title: titleOf(link) })),
    }),
    joined: true,
    more: "Links of one section: navigate_tree with its node_id.",
  });
}

/** `docs:guide/b.md#c B > C "see C", from #d`, an address, or what leads nowhere. */
function formatLinkOut({ toNodeId, fromNodeId, href, text, kind }: LinkEntry, title: string, nodeId: string): string {
  const target =
    kind === "internal"
      ? `${toNodeId}${title === "" ? "" : ` ${title}`}`
      : `${kind} ${foldLine(href, MAX_LINK_LENGTH)}`;
  const words = foldLine(text, MAX_LINK_LENGTH);
  return `${target}${words === "" ? "" : ` "${words}"`}${fromNodeId === nodeId ? "" : `, in ${sectionPart(fromNodeId)}`}`;
}

function formatLinkIn({ toNodeId, fromNodeId }: LinkEntry, title: string, nodeId: string): string {
  return `${fromNodeId}${title === "" ? "" : ` ${title}`}${toNodeId === nodeId ? "" : `, to ${sectionPart(toNodeId)}`}`;
}

function sectionPart(nodeId: string): string {
  const at = nodeId.indexOf("#");
  return at < 0 ? "#n0" : nodeId.slice(at);
}

function toBareSection({ nodeId, title, words, startLine, endLine }: OutlineSection): JsonObject {
  return { nodeId, title, words, startLine, endLine };
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
