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

import { findSymbols } from "../../core/code/find-symbols.ts";
import type { LoadedSymbol } from "../../core/code/model.ts";
import { readSourceLines } from "../../core/docs/documents.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import { containerPath, type SymbolKind } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeShards } from "../../core/index/shards.ts";
import { type CutPassage, cutPassages } from "../../core/search/cut-passage.ts";
import { type FoundNeed, type FoundSection, findSections } from "../../core/search/find-sections.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import { foldLine, formatCount, formatLines } from "../../surface/render/text.ts";
import { PATHS, selectPaths } from "../targets.ts";
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

/*
 * Values in the code that a text speaks of, which a reader would look up next: of constants that it names, and of defaults that
 * it gives and the code sets otherwise.
 */

/** Names in upper case of several words: what all languages write constants as. */
const CONSTANT = /\b_?[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g;
const KINDS: readonly SymbolKind[] = ["constant", "variable", "field", "property", "enumMember", "macro"];
/** Constants of a text, and of all texts, that are looked up. */
const MAX_OF_TEXT = 2;
const MAX_IN_ALL = 12;
/** Lines of a definition that are read, and characters that are shown. */
const MAX_LINES = 8;
const MAX_LENGTH = 180;

interface ConstantValue {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** The definition on one line. */
  readonly text: string;
}

/** For each text the constants that it names and does not define. Three waves where there are any. */
async function findConstantValues(
  reader: IndexReader,
  texts: readonly string[],
): Promise<readonly (readonly ConstantValue[])[]> {
  if (codeShards(reader).length === 0) return texts.map(() => []);
  const ofTexts = texts.map((text) => namesIn(text).slice(0, MAX_OF_TEXT));
  const names = [...new Set(ofTexts.flat())].slice(0, MAX_IN_ALL);
  const found = await Promise.all(
    names.map(async (query) => {
      const { symbols } = await findSymbols(reader, { query, exactOnly: true, kinds: KINDS, offset: 0, limit: 1 });
      return symbols[0];
    }),
  );
  const values = await readDefinitions(
    reader,
    found.filter((symbol) => symbol !== undefined),
  );
  return ofTexts.map((own) => values.filter(({ name }) => own.includes(name)));
}

/** Constants that a text names, but for those that it gives a value. */
function namesIn(text: string): string[] {
  const names = new Set(text.match(CONSTANT) ?? []);
  return [...names].filter(
    (name) => !new RegExp(`\\b${name}\\b\\s*(?::[^=\\n]{1,60})?=[^=]|#define\\s+${name}\\b`).test(text),
  );
}

async function readDefinitions(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<ConstantValue[]> {
  const texts = await readSourceLines(
    reader,
    symbols.map(({ record: { start, end }, inFile }) => {
      return { file: inFile.id, start: start.line, end: Math.min(end.line, start.line + MAX_LINES - 1) };
    }),
  );
  return symbols.flatMap(({ record, inFile }, at) => {
    const text = foldLine((texts[at] ?? "").replace(/^\s*(?:\/\/|#(?!define)).*$/gm, ""), MAX_LENGTH);
    const path = pathOf(inFile.id);
    return text === "" ? [] : [{ name: record.name, path, line: record.at.line, text }];
  });
}

/** A default as a page gives it. */
interface DocumentedDefault {
  /** What it is the default of: the name in the heading. */
  readonly name: string;
  readonly value: string;
}

/** Kinds that configuration has its defaults in, and what their containers, or files, are called. */
const SETTINGS = /config|option|setting|default/i;
const LITERAL = /^(?:-?[\d_.]+|true|false|(["'`]).{0,60}\1)$/;

/** The default that lines of a section give of what its heading names; undefined where they give none. */
function defaultIn(heading: string, lines: readonly string[]): DocumentedDefault | undefined {
  const [, name] = /^`?(?:[\w.]*\.)?([A-Za-z_]\w{2,})`?$/.exec(heading.trim()) ?? [];
  const [, value] = /\bdefaults?\b[^`\n]{0,24}`([^`\n]{1,60})`/i.exec(lines.join("\n")) ?? [];
  return name === undefined || value === undefined || !LITERAL.test(value) ? undefined : { name, value };
}

/**
 * For each default of a page what the code sets in its place, where all places of the code that set one give another: values of
 * members of what is called configuration, options, settings or defaults.
 */
async function findOtherDefaults(
  reader: IndexReader,
  documented: readonly (DocumentedDefault | undefined)[],
): Promise<readonly (ConstantValue | undefined)[]> {
  if (codeShards(reader).length === 0) return documented.map(() => undefined);
  return Promise.all(
    documented.map(async (given) => {
      if (given === undefined) return undefined;
      const request = { query: given.name, exactOnly: true, kinds: KINDS, offset: 0, limit: MAX_IN_ALL };
      const values = (await findSymbols(reader, request)).symbols.flatMap(({ record, inFile }) => {
        const path = pathOf(inFile.id);
        const [, value = ""] = /[:=]\s*([^:=]+?)[,;]?$/.exec(record.signature) ?? [];
        const isSetting =
          SETTINGS.test(`${containerPath(record)} ${path}`) && roleOf(reader, inFile.id) === "production";
        return record.name === given.name && isSetting && LITERAL.test(value)
          ? [{ name: given.name, path, line: record.at.line, text: value }]
          : [];
      });
      const isSame = ({ text }: ConstantValue): boolean => foldLiteral(text) === foldLiteral(given.value);
      return values.some(isSame) ? undefined : values[0];
    }),
  );
}

function foldLiteral(literal: string): string {
  return /^[-\d]/.test(literal) ? String(Number(literal.replaceAll("_", ""))) : literal.replace(/^["'`]|["'`]$/g, "");
}
