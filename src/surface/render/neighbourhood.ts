/**
 * What lies around a section: its subtree with text, neighbours, links.
 *
 * Pure: sections, texts and links in, forms of an answer out.
 */

import { shortNodeId } from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry, OutlineSection } from "../../core/docs/model.ts";
import { shownAsLines } from "../../core/docs/shown.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { type Passage, passageForms } from "./passages.ts";
import { foldLine } from "./text.ts";
import { estimateTokens } from "./tokens.ts";
import { formatDocumentLine, formatSectionLine } from "./tree.ts";

const MAX_TITLE_LENGTH = 120;
const MAX_LINK_LENGTH = 160;

/** Share of a budget that the list of sections may take from their text. */
const LIST_SHARE = 0.3;

/** Where from and whereto. */
interface NeighbourhoodOptions {
  readonly nodeId: string;
  readonly direction: string;
}

/** Text of a section with all below it, under the list of its sections; without text where little fits. */
export function subtreeForms(
  outline: DocumentOutline,
  sections: readonly OutlineSection[],
  passage: Passage,
  readOn: (passage: Passage, fromLine: number) => string,
): [AnswerForm, ...AnswerForm[]] {
  const place: JsonObject = { nodeId: passage.nodeId, direction: "subtree" };
  const [whole] = passageForms([passage], { readOn });
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
      sections: (shown) => shownAsLines(outline.document.id, sections.slice(0, shown)),
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

function toLines(outline: DocumentOutline, sections: readonly OutlineSection[]): string[] {
  return sections.map((section) =>
    formatSectionLine(section, { id: shortNodeId(outline, section), withSummary: false }),
  );
}

function firstSection({ sections }: JsonObject): unknown {
  return Array.isArray(sections) ? sections[0] : undefined;
}

/** Sections of the same document or other documents, a line each. `treeCall` is the call that shows all of them. */
export function neighbourForms(
  outline: DocumentOutline,
  sections: readonly OutlineSection[],
  documents: readonly DocumentEntry[],
  place: NeighbourhoodOptions,
  treeCall: string,
): [AnswerForm, ...AnswerForm[]] {
  const form = (withSummary: boolean): AnswerForm => ({
    detail: withSummary ? "titles with summaries" : "titles",
    blocks: () => [
      ...sections.map((section) => formatSectionLine(section, { id: shortNodeId(outline, section), withSummary })),
      ...documents.map((document) => formatDocumentLine(document)),
    ],
    json: (shown) => ({
      ...place,
      sections: sections.slice(0, shown),
      documents: documents.slice(0, Math.max(0, shown - sections.length)),
    }),
    sections: (shown) => shownAsLines(outline.document.id, sections.slice(0, shown)),
    joined: true,
  });
  return [
    form(true),
    {
      ...form(false),
      json: (shown) => ({
        ...place,
        sections: sections.slice(0, shown).map(toBareSection),
        documents: documents.slice(0, Math.max(0, shown - sections.length)).map(({ id, title }) => ({ id, title })),
      }),
      more: `All: ${treeCall}.`,
    },
  ];
}

/** Links, a line each: where to or from, and the words of the link. */
export function linkForms(
  links: readonly LinkEntry[],
  titles: ReadonlyMap<string, string>,
  place: NeighbourhoodOptions,
): [AnswerForm, ...AnswerForm[]] {
  const isOut = place.direction === "links_out";
  return [
    {
      detail: "the first links",
      blocks: () =>
        links.map((link) =>
          isOut ? formatLinkOut(link, titles, place.nodeId) : formatLinkIn(link, titles, place.nodeId),
        ),
      json: (shown) => ({
        ...place,
        links: links.slice(0, shown).map((link) => ({
          ...link,
          title: titles.get(isOut ? link.toNodeId : link.fromNodeId) ?? "",
        })),
      }),
      joined: true,
      more: "Links of one section: navigate_tree with its node_id.",
    },
  ];
}

/** `docs:guide/b.md#c B > C "see C", from #d`, an address, or what leads nowhere. */
function formatLinkOut(link: LinkEntry, titles: ReadonlyMap<string, string>, nodeId: string): string {
  const { toNodeId, fromNodeId, href, text, kind } = link;
  const title = foldLine(titles.get(toNodeId) ?? "", MAX_TITLE_LENGTH);
  const target =
    kind === "internal"
      ? `${toNodeId}${title === "" ? "" : ` ${title}`}`
      : `${kind} ${foldLine(href, MAX_LINK_LENGTH)}`;
  const words = foldLine(text, MAX_LINK_LENGTH);
  return `${target}${words === "" ? "" : ` "${words}"`}${fromNodeId === nodeId ? "" : `, in ${sectionPart(fromNodeId)}`}`;
}

function formatLinkIn(link: LinkEntry, titles: ReadonlyMap<string, string>, nodeId: string): string {
  const { toNodeId, fromNodeId } = link;
  const title = foldLine(titles.get(fromNodeId) ?? "", MAX_TITLE_LENGTH);
  return `${fromNodeId}${title === "" ? "" : ` ${title}`}${toNodeId === nodeId ? "" : `, to ${sectionPart(toNodeId)}`}`;
}

function sectionPart(nodeId: string): string {
  const at = nodeId.indexOf("#");
  return at < 0 ? "#n0" : nodeId.slice(at);
}

function toBareSection({ nodeId, title, words, startLine, endLine }: OutlineSection): JsonObject {
  return { nodeId, title, words, startLine, endLine };
}
