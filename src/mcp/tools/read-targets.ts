/**
 * Tool `read` as agents are offered it: the text of several targets, each a file, lines of it, a section or a symbol.
 *
 * ```
 * ## src/store.ts:16-27 Store.open
 * async open(path: string): Promise<void> {
 * …
 * … 12 lines more: src/store.ts:76-87
 * ```
 */
import { readPassedOn } from "../../core/code/packages.ts";
import { readPassages } from "../../core/docs/documents.ts";
import type { DocumentOutline } from "../../core/docs/model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { linesOf } from "../../core/text/lines.ts";
import { cutWithDots } from "../../core/text/short-text.ts";
import { dropTwins } from "../../core/text/twins.ts";
import { dedent, outlineSymbols } from "../../surface/render/code-outline.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import { summarizePassedOn } from "../../surface/render/symbols.ts";
import { cutList, foldLine, formatCount, formatLines } from "../../surface/render/text.ts";
import { bytesFor, makeShownPath } from "../find-named.ts";
import { findTargets, type Place } from "../targets.ts";
import { defineTool } from "../tool.ts";

/** Characters of a line: more than anybody reads. */
const MAX_LINE_LENGTH = 2000;
/** Characters shown of a target that means nothing. */
const MAX_TARGET = 120;
/** Names that are named of those which a file passes on. */
const MAX_PASSED = 16;
/** Headings that are named of what was cut off. */
const MAX_HEADINGS = 6;

export const readTargetsTool = defineTool({
  name: "read",
  title: "Read",
  description: "Text of targets; of a bare path a short file whole, else its outline.",
  parameters: {
    targets: {
      kind: "texts",
      required: true,
      maxEntries: 30,
      description: "path:10-40, path:10 (what is around it), path#heading, path#Symbol, Class.member, path",
      aliases: ["target", "path", "paths", "files"],
    },
    lines: { kind: "integer", default: 60, maximum: 2000, description: "most per target without a range" },
  },
  isSparing: true,
  readsBodies: () => true,
  example: { targets: ["src/index.ts:10-40"] },
  quotes: true,
  async run({ targets, lines }, { reader, maxTokens }) {
    const texts = [...new Set(targets.map((target) => target.trim()))];
    const found = await findTargets(reader, texts, lines);
    const shownPath = makeShownPath(reader);
    const wanted = mergePlaces(
      found.flatMap(({ places, note }, at) => {
        const asked = { asked: texts[at] as string, note };
        return places.map((place, of) => ({
          ...place,
          ...asked,
          note: of === 0 ? note : "",
          limit: place.isWhole ? place.end : lines,
        }));
      }),
    );
    const read = wanted.filter(({ shows }) => shows !== "outline");
    const passages = await readPassages(
      reader,
      read.map(({ outline, start, end, shows, from = start }) => ({
        outline,
        startLine: from,
        endLine: end,
        withFrontmatter: shows === "exact",
      })),
      bytesFor(maxTokens),
    );
    const passing = await Promise.all(wanted.map((place) => describePassing(reader, place)));
    const said = new Set<string>();
    const sayOnce = (note: string): string => (said.size === said.add(note).size ? "" : note);
    const parts = texts.flatMap((text, at): AnswerPart[] => {
      const own = wanted.filter(({ asked }) => asked === text);
      const { places, note } = found[at] ?? { places: [], note: "" };
      if (places.length === 0)
        return [
          {
            head: `## ${foldLine(text, MAX_TARGET)}: ${note}`,
            items: [],
            rest: () => "",
            json: () => ({ target: text, problem: note }),
          },
        ];
      return own.map((wantedPlace) => {
        const notes = [sayOnce(wantedPlace.note), passing[wanted.indexOf(wantedPlace)] ?? ""];
        const place = { ...wantedPlace, note: notes.filter((note) => note !== "").join("; ") };
        const passage = passages[read.indexOf(wantedPlace)];
        const path = shownPath(place.outline.document.id);
        return passage === undefined ? outlinePart(place, path) : textPart(place, path, passage);
      });
    });
    const twice = targets.length > texts.length ? ["Asked twice, answered once."] : [];
    return answerInParts(parts, { notes: twice });
  },
});

/** A place that is shown, and the target that it is shown for. */
interface WantedPlace extends Place {
  readonly asked: string;
  readonly note: string;
  /** Lines that it may have, unless they were asked for by number. */
  readonly limit: number;
}

/** What a file that declares nothing gives of others; `""` for other places. */
async function describePassing(reader: IndexReader, { file, symbol, shows }: Place): Promise<string> {
  if (file?.symbols.length !== 0 || symbol !== undefined || shows === "exact") return "";
  return summarizePassedOn(await readPassedOn(reader, file.id), MAX_PASSED);
}

/** Places of one file that overlap, or follow each other, as one. */
function mergePlaces(places: readonly WantedPlace[]): WantedPlace[] {
  const merged: WantedPlace[] = [];
  for (const place of places) {
    const isNear = (other: WantedPlace): boolean =>
      other.outline.document.id === place.outline.document.id &&
      (other.shows === "outline") === (place.shows === "outline") &&
      (other.shows === "outline"
        ? other.symbol === place.symbol
        : other.start <= place.end + 1 && place.start <= other.end + 1);
    const at = merged.findIndex(isNear);
    const other = merged[at];
    if (other === undefined) merged.push(place);
    else {
      const isInside = (one: Place, around: Place): boolean => one.start >= around.start && one.end <= around.end;
      const both = [other, place].filter(
        (one, own, all) => !isInside(one, all[1 - own] as Place) || (own === 0 && isInside(all[1] as Place, one)),
      );
      merged.splice(at, 1);
      // What it touches now may be further ones, too.
      const union: WantedPlace = {
        ...other,
        start: Math.min(other.start, place.start),
        end: Math.max(other.end, place.end),
        name: [...new Set(both.map(({ name }) => name).filter((name) => name !== ""))].join(", "),
        note: [...new Set([other.note, place.note].filter((note) => note !== ""))].join("; "),
        shows: [other, place].some(({ shows }) => shows === "exact") ? "exact" : other.shows,
        limit: both.reduce((sum, { limit }) => sum + limit, 0),
        from: Math.min(...[other, place].map(({ from, start }) => from ?? start)),
      };
      merged.splice(0, merged.length, ...mergePlaces([...merged.slice(0, at), union, ...merged.slice(at)]));
    }
  }
  return merged;
}

function headOf({ start, end, name, note }: WantedPlace, path: string, about: string): string {
  const lines = about === "" ? `:${formatLines(start, end)}` : ` ${about}`;
  return `## ${path}${lines}${name === "" ? "" : ` ${name}`}${note === "" ? "" : ` [${note}]`}`;
}

export function outlinePart(place: WantedPlace, path: string): AnswerPart {
  const { outline, file, symbol = -1, limit, start, end, name } = place;
  const all = file === undefined ? outlineHeadings(outline, limit) : outlineSymbols(file, symbol, limit);
  const items = [
    ...(file?.symbols[symbol] === undefined ? [] : [file.symbols[symbol].signature]),
    ...all.slice(0, limit),
  ];
  const about = symbol < 0 ? formatCount(outline.document.lines, "line") : "";
  return {
    head: headOf(place, path, about),
    items,
    further: Math.max(0, all.length - limit),
    rest: (left) => `… ${left} more, from line ${/\d+/.exec(all[all.length - left] ?? "")?.[0] ?? end}`,
    json: (shown) => ({
      path,
      startLine: start,
      endLine: end,
      ...(name !== "" && { name }),
      outline: items.slice(0, shown),
    }),
  };
}

type ReadLines = Awaited<ReturnType<typeof readPassages>>[number];

function textPart(place: WantedPlace, path: string, { startLine, endLine, text }: ReadLines): AnswerPart {
  const { outline, shows, limit, line, end } = place;
  const isTidy = place.file === undefined && shows === "text";
  const all = rowsOf(text, isTidy, line === undefined ? -1 : line - startLine);
  const first = all.findIndex(({ at }) => startLine + at >= place.start);
  const header = headerOf(all, first);
  const rows = [...header, ...all.slice(Math.max(0, first))];
  const items = (shows === "exact" ? rows : rows.slice(0, limit)).map((row) => row.text);
  const start = startLine + (rows[header.length]?.at ?? 0);
  // What was read to its end ends with its last line that is not blank.
  const last = endLine < end ? end : Math.max(start, startLine + (rows.at(-1)?.at ?? 0));
  /** The line behind so many rows. */
  const next = (shown: number): number => (shown < rows.length ? startLine + (rows[shown] as Row).at : last + 1);
  const further = last + 1 - next(items.length);
  // A page whose text does not begin with a heading is named by its title.
  const isTop = isTidy && start < (outline.sections[1]?.startLine ?? Number.POSITIVE_INFINITY);
  const isHeaded = place.file === undefined && /^#/.test(items[0] ?? "#");
  const name = isHeaded ? "" : place.name === "" && isTop ? outline.document.title : place.name;
  const leftFrom = (from: number): string => {
    const headings = outline.sections.filter(({ startLine: at }) => isTidy && at > from && at <= last);
    const names = headings.map(({ title, startLine: at }) => `${at} ${title}`);
    const list = names.length === 0 ? "" : ` (${cutList(names, MAX_HEADINGS).join(", ")})`;
    return `… ${formatCount(last - from + 1, "line")} more: ${path}:${formatLines(from, last)}${list}`;
  };
  return {
    head: headOf({ ...place, start, end: last, name }, path, text === "" ? "empty" : ""),
    // A line of the text that looks like one around it is moved by a blank.
    items: items.map((item) => item.replace(LIKE_OURS, " $&")),
    further,
    rest: (left) => leftFrom(next(items.length - (left - further))),
    json: (shown) => ({
      path,
      startLine: start,
      endLine: Math.max(start, next(shown) - 1),
      ...(name !== "" && { name }),
      text: items.slice(0, shown).join("\n"),
      ...(next(shown) <= last && { more: formatLines(next(shown), last) }),
    }),
  };
}

/** The beginning of a line that says where a text is from, or that some of it is left out. */
const LIKE_OURS = /^(?:## .*:\d|… )/gm;

/** A line that is shown, with blank ones behind it. */
interface Row {
  readonly text: string;
  /** Which line of the text it is, from 0. */
  readonly at: number;
}

/** The head of the table that a row is in, where it begins before that. */
function headerOf(rows: readonly Row[], first: number): readonly Row[] {
  const isRow = (row: Row | undefined): boolean => row?.text.trimStart().startsWith("|") === true;
  let top = first;
  while (isRow(rows[top]) && isRow(rows[top - 1])) top--;
  return rows.slice(top, Math.min(top + 2, first));
}

/**
 * The lines of a text, without the indentation that all share. A tidy text has neither blank lines nor twins, unless the
 * line that was asked for lies in one.
 */
function rowsOf(text: string, isTidy: boolean, line: number): Row[] {
  const all = linesOf(text).map((one, at): { readonly text: string; readonly at?: number } => ({ text: one, at }));
  const { lines } = isTidy ? dropTwins(text) : { lines: all };
  const kept = line < 0 || lines.some(({ at }) => at === line) ? lines : all;
  const rows: { text: string; at: number }[] = [];
  for (const [index, written] of dedent(kept.map((one) => one.text)).entries()) {
    const shown = cutWithDots(written.trimEnd(), MAX_LINE_LENGTH);
    const { at } = kept[index] as (typeof kept)[number];
    const before = rows.at(-1);
    if (at !== undefined && shown !== "") rows.push({ text: shown, at });
    else if (before !== undefined && (shown !== "" || !isTidy)) before.text += `\n${shown}`;
  }
  return rows.map((row, index) => (index < rows.length - 1 ? row : { ...row, text: row.text.trimEnd() }));
}

const MAX_HEADING_LENGTH = 100;

/** The headings of a page, the lowest ones left out where they are more than `most`. */
function outlineHeadings({ sections }: DocumentOutline, most: number): string[] {
  const below = sections.slice(1);
  const levels = [...new Set(below.map(({ level }) => level))].sort((a, b) => b - a);
  const deepest =
    levels.find((level) => below.filter((one) => one.level <= level).length <= most) ?? levels.at(-1) ?? 0;
  return below
    .filter(({ level }) => level <= deepest)
    .map(({ level, title, startLine }) => `${startLine} ${"#".repeat(level)} ${foldLine(title, MAX_HEADING_LENGTH)}`);
}
