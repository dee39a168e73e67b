/**
 * Tool `search`: for each of several needs the passages that answer it, then lines that name further ones.
 *
 * ```
 * # how long may a test take
 * docs/config/testtimeout.md:3-12 testTimeout
 * - Default: `5_000` in Node.js, `15_000` if `browser.enabled` is `true`
 * also packages/vitest/src/defaults.ts:120-133 configDefaults | docs/guide/x.md:8-20 Timeouts
 * ```
 */
import { type CutPassage, cutPassages } from "../../core/search/cut-passage.ts";
import { type FoundNeed, type FoundSection, findSections } from "../../core/search/find-sections.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { formatCount, formatLines } from "../../surface/render/numbers.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import { foldLine } from "../../surface/render/text.ts";
import { type ConstantValue, defaultIn, findConstantValues, findOtherDefaults } from "../constant-values.ts";
import { PATHS, selectPaths } from "../select-paths.ts";
import { defineTool } from "../tool.ts";

/** Characters of all passages of a need, by how many needs a call has: who asks much at once wants answers, not pages. */
const ROOM = [1000, 920, 860, 800, 740, 700, 660] as const;
const MAX_ALSO = 3;
/** Calls with more needs than that get one line for a further document, without a sentence of it. */
const FEW_NEEDS = 3;
const MAX_SENTENCE = 100;
/** Further documents are named whose section is worth at least this share of the best one. */
const ALSO_SHARE = 0.5;
/** Sections that the passages of a need are chosen from. */
const MAX_SECTIONS = 6;
/** Bytes that naming a common folder once must save. */
const LEAST_SAVED = 40;
const MAX_HEADING = 60;
/** Lines so far apart have places of their own. */
const FAR = 12;
const MAX_QUERY = 20;

export const searchTool = defineTool({
  name: "search",
  title: "Search",
  description: "Passages of docs and code that answer questions, best first; search_documents filters by facets.",
  parameters: {
    queries: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description: "questions or words; other wordings of one behind |",
      aliases: ["query", "q", "question", "questions", "text"],
    },
    in: { kind: "choice", values: ["all", "docs", "code"], default: "all", description: "where" },
    path: PATHS,
  },
  isSparing: true,
  example: { queries: ["install on linux"] },
  isKept: true,
  quotes: true,
  async run({ queries, in: kind, path }, { reader, format, inScope = () => true }) {
    const { accepts, notes } = await selectPaths(reader, path);
    const asked = [...new Set(queries)];
    const needs = await findSections(reader, {
      needs: asked.map((query) => query.split("|").filter((wording) => wording.trim() !== "")),
      accepts: (own, isCode, id) => (kind === "all" || (kind === "code") === isCode) && accepts(own) && inScope(id),
      texts: MAX_SECTIONS + 2 * MAX_ALSO,
    });
    const room = ROOM[Math.min(needs.length, ROOM.length) - 1] ?? 0;
    const isFew = needs.length <= FEW_NEEDS;
    const answers = needs.map((need) => chooseShown(need, room, isFew ? MAX_ALSO : 1));
    const values = await findConstantValues(
      reader,
      answers.map(({ shown }) => shown.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n")),
    );
    const others = await findOtherDefaults(
      reader,
      answers.map(({ shown: [first] }) =>
        first === undefined || first.section.isCode
          ? undefined
          : defaultIn(
              nameOf(first.section),
              first.lines.map(({ text }) => text),
            ),
      ),
    );
    const sections = answers.flatMap(({ shown, also }) => [...shown.map(({ section }) => section), ...also]);
    const folder = format === "text" ? commonFolder(sections.map((one) => one.path)) : "";
    const parts = answers.map((answer, at): AnswerPart => {
      const need = needs[at] as FoundNeed;
      const query = asked[at] ?? "";
      return toPart({
        ...answer,
        query,
        need,
        at,
        folder,
        values: values[at] ?? [],
        other: others[at],
        isFew,
        isOnly: asked.length === 1,
      });
    });
    const [only] = needs;
    const isUnanswered = needs.length === 1 && only?.sections.length === 0 && path === undefined && kind === "all";
    return answerInParts(parts, {
      ...(folder !== "" && { intro: `paths below ${folder}` }),
      notes: queries.length > asked.length ? [...notes, "Equal queries are answered once."] : notes,
      ...(isUnanswered && { unanswered: { query: asked[0] ?? "", kind: "nothing" } }),
    });
  },
});

interface ShownSection {
  readonly section: FoundSection;
  readonly lines: CutPassage["lines"];
}

function chooseShown(need: FoundNeed, room: number, most: number) {
  const { sections, weights } = need;
  const cuts = cutPassages(sections.slice(0, MAX_SECTIONS), weights, room);
  const shown = cuts.map(({ source, lines }) => ({ section: sections[source] as FoundSection, lines }));
  const seen = new Set(shown.map(({ section }) => section.documentId));
  const least = (sections[0]?.score ?? 0) * ALSO_SHARE;
  const also = sections.filter(({ documentId, score }) => {
    const isNew = !seen.has(documentId) && score >= least;
    seen.add(documentId);
    return isNew;
  });
  return { shown, also: also.slice(0, most) };
}

/** Passages, and the best sections of further documents. */
type ShownNeed = Readonly<ReturnType<typeof chooseShown>>;

/** The folder that all paths begin with, `""` where naming it once saves little. */
function commonFolder(paths: readonly string[]): string {
  const [first = ""] = paths;
  let end = first.lastIndexOf("/") + 1;
  while (end > 0 && !paths.every((path) => path.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf("/", end - 2) + 1;
  }
  return end * (paths.length - 1) > LEAST_SAVED ? first.slice(0, end) : "";
}

interface PartOptions extends ShownNeed {
  readonly query: string;
  readonly need: FoundNeed;
  readonly at: number;
  readonly folder: string;
  readonly values: readonly ConstantValue[];
  /** What the code sets in place of a default that a passage gives. */
  readonly other: ConstantValue | undefined;
  readonly isFew: boolean;
  readonly isOnly: boolean;
}

function toPart({ query, need, at, shown, also, folder, values, other, isFew, isOnly }: PartOptions): AnswerPart {
  const { corrections, missing, aside, sections } = need;
  const shorten = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length) : `/${path}`);
  // Of a question's plain words one that nothing holds is no news; of names it is.
  const absent = sections.length === 0 ? missing : missing.filter((word) => /[\d_.:]|\p{Ll}\p{Lu}/u.test(word));
  const notes = [
    ...corrections.map(({ written, corrected }) => `${corrected} for ${written}`),
    ...(absent.length > 0 ? [`no document holds ${absent.join(", ")}`] : []),
    ...(sections.length === 0
      ? [aside > 0 ? `nothing but ${formatCount(aside, "file")} of tests and the like` : "nothing found"]
      : []),
  ];
  const note = notes.length === 0 ? "" : `: ${notes.join("; ")}`;
  const head = isOnly ? note.slice(2) : `#${at + 1} ${foldLine(query, MAX_QUERY)}${note}`;
  return {
    head,
    items: [
      ...shown.map((one) => formatPassage(one, shorten)),
      ...values.map(
        ({ name, path, line, text }) =>
          `where ${text.includes(name) ? text : `${name} ${text}`} (${shorten(path)}:${line})`,
      ),
      ...(other === undefined ? [] : [`but the code sets ${other.text} (${shorten(other.path)}:${other.line})`]),
      ...also.map((section) => {
        const [best] = isFew ? cutPassages([section], need.weights, MAX_SENTENCE) : [];
        const sentence = foldLine(best?.lines.map(({ text }) => text).join(" ") ?? "", MAX_SENTENCE);
        return `also ${placeOf(section, shorten)}${sentence === "" ? "" : `: ${sentence}`}`;
      }),
    ],
    rest: () => "",
    json: (count): JsonObject => ({
      query,
      documents: need.documents,
      passages: shown.slice(0, count).map(({ section, lines }) => ({
        ...toPlace(section),
        text: lines.map(({ text }) => text).join("\n"),
      })),
      values,
      ...(other !== undefined && { otherInCode: other }),
      also: also.map(toPlace),
      ...(notes.length > 0 && { notes }),
    }),
  };
}

function toPlace({ documentId, path, headings, startLine, endLine }: FoundSection): JsonObject {
  return { id: documentId, path, headings, startLine, endLine };
}

function placeOf(section: FoundSection, shorten: (path: string) => string): string {
  const { path, startLine, endLine } = section;
  return `${shorten(path)}:${formatLines(startLine, endLine)} ${nameOf(section)}`;
}

function nameOf({ headings, title }: FoundSection): string {
  return foldLine(headings.at(-1) ?? title, MAX_HEADING);
}

/**
 * Place and heading, then the lines, one blank in place of their common indent, so that none looks like a place: `…` where some between them are left out, a place of their own
 * for lines that stand far below.
 */
function formatPassage({ section, lines }: ShownSection, shorten: (path: string) => string): string {
  const indent = Math.min(...lines.map(({ text }) => text.search(/\S/)));
  const runs: CutPassage["lines"][number][][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run === undefined || line.line - (run.at(-1)?.line ?? 0) > FAR) runs.push([line]);
    else run.push(line);
  }
  return runs
    .flatMap((run, at) => [
      `${at === 0 ? shorten(section.path) : ""}:${formatLines(run[0]?.line ?? 1, run.at(-1)?.line ?? 1)}${at === 0 ? ` ${nameOf(section)}` : ""}`,
      ...run.map(
        ({ text, isApart }, index) =>
          `${isApart && index > 0 ? "…\n" : ""} ${text.slice(indent).replaceAll("\n", "\n ")}`,
      ),
    ])
    .join("\n");
}
