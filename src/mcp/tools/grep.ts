/**
 * Tool `grep`: for each of several patterns the lines that match, with the symbol or heading that they stand in.
 *
 * ```
 * # no_progress_timeout: 3 in 2 files, and 11 in 5 test files
 * packages/agents/src/chat/
 * lifecycle.ts:247 [ChatRecoveryConfig] * sealed with `reason="no_progress_timeout"`. This is the primary
 * recovery-incident.ts
 *  787 [evaluateChatRecoveryIncident] ? "no_progress_timeout"
 *  801 case "no_progress_timeout":
 * ```
 */
import { NO_FILTER } from "../../core/docs/model.ts";
import { type Role, roleOf } from "../../core/docs/roles.ts";
import { InputError } from "../../core/errors.ts";
import { type GrepPattern, LARGE_BOUNDS, scanTexts } from "../../core/search/grep.ts";
import { compileExpression, compileText } from "../../core/search/grep-pattern.ts";
import { cutPlace, cutText } from "../../core/text/short-text.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import { foldLine, formatCount, formatNumber } from "../../surface/render/text.ts";
import { type FoundFile, type FoundLines, type ListedLine, listFound, loadSymbolsOf } from "../grep-lines.ts";
import { PATHS, selectPaths } from "../targets.ts";
import { defineTool } from "../tool.ts";

/** Characters shown of a pattern, of a line, of a long one before its match, and of a heading. */
const MAX_PATTERN = 60;
const MAX_LINE = 160;
const LEAD = 40;
const MAX_WITHIN = 60;
/** Files that are named with how many of their lines are not listed, in text and as values; files with the same lines, symbols of a file. */
const MAX_NAMED = 3;
const MAX_LEFT = 20;
const MAX_TWINS = 8;
const MAX_SYMBOLS = 8;

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  production: "",
  test: "test ",
  example: "example ",
  generated: "generated ",
  vendored: "vendored ",
  history: "changelog ",
  translation: "translated ",
};

interface Wanted {
  readonly written: string;
  /** Undefined where it can match nothing. */
  readonly pattern: GrepPattern | undefined;
  readonly note: string;
  readonly isText: boolean;
}

export const grepTool = defineTool({
  name: "grep",
  title: "Grep",
  description:
    "Lines that match, with the symbol or heading around them in brackets; definitions first. Tests and changelogs are counted. Whole unless it says 'not complete'.",
  parameters: {
    patterns: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description: "regular expressions, as for rg",
      aliases: ["pattern", "regex", "regexp", "query", "q", "text"],
    },
    path: PATHS,
    word: { kind: "boolean", description: "whole words" },
    context: { kind: "integer", default: 0, minimum: 0, maximum: 10, description: "lines after each" },
    names: { kind: "boolean", description: "only files and symbols" },
    tests: { kind: "boolean", description: "list them too" },
    limit: { kind: "integer", default: 20, maximum: 200, description: "lines per pattern" },
  },
  isSparing: true,
  pages: true,
  example: { patterns: ["max_tokens"], path: "src" },
  isKept: true,
  quotes: true,
  async run(args, { reader, offset, inScope = () => true }) {
    const written = [...new Set(args.patterns)];
    const wanted = written.map((text) => compile(text, args.word === true));
    const { accepts: acceptsPath, notes } = await selectPaths(reader, args.path);
    const find = async (asked: readonly Wanted[]) => {
      const patterns = asked.flatMap(({ pattern }) => pattern ?? []);
      const scan = await scanTexts(reader, {
        patterns,
        collection: "",
        acceptsPath,
        filter: NO_FILTER,
        bounds: LARGE_BOUNDS,
        from: offset,
        priority: (id) => (roleOf(reader, id) === "production" ? 0 : 1),
      });
      const all = { ...scan, files: scan.files.filter(({ id }) => inScope(id)) };
      const symbols = await loadSymbolsOf(reader, all);
      const options = { limit: args.limit, context: args.context, isAll: args.tests === true };
      return { all, found: patterns.map((pattern, at) => listFound(reader, all, pattern, at, symbols, options)) };
    };
    const asked = wanted.filter(({ pattern }) => pattern !== undefined);
    const { all, found } = await find(asked);
    const isPart = offset > 0 || all.next !== undefined;
    // What is written in another case is mostly what was meant, and looking again is another call.
    const missed = isPart ? [] : asked.filter((_, at) => countOf(found[at] as FoundLines).lines === 0);
    const folded = missed.flatMap(({ written: text, isText }) => compile(text, args.word === true, isText, false));
    const other = folded.length === 0 ? [] : (await find(folded)).found;
    const shownPath = makeDistinctPath([...found, ...other].flatMap(({ files }) => files));
    const parts = wanted.map((one): AnswerPart => {
      const at = missed.indexOf(one);
      const inOtherCase = at >= 0 && countOf(other[at] as FoundLines).lines > 0;
      const own = inOtherCase ? other[at] : found[asked.indexOf(one)];
      return toPart(one, own, { shownPath, isNames: args.names === true, limit: args.limit, isPart, inOtherCase });
    });
    return answerInParts(parts, {
      notes: [
        ...notes,
        ...(written.length < args.patterns.length ? ["Equal patterns are answered once."] : []),
        ...(all.next === undefined
          ? []
          : [
              `not complete: files ${formatNumber(offset + 1)}-${formatNumber(all.next)} of ${formatNumber(all.candidates)} that can match were looked through; the cursor goes on.`,
            ]),
        ...(all.cut === undefined
          ? []
          : [`not complete: of ${all.cut} only the first lines were looked through; it is too large.`]),
      ],
      page: { offset: 0, total: 0, items: "files", beyond: all.next },
      ...(written.length === 1 &&
        args.path === undefined &&
        !isPart &&
        asked.length > 0 &&
        countOf(found[0] as FoundLines).lines === 0 && { unanswered: { query: written[0] ?? "", kind: "no-line" } }),
    });
  },
});

/** A pattern, taken as a text where it is no expression. */
function compile(written: string, isWord: boolean, isText = false, isCaseSensitive = true): Wanted {
  const attempt = (make: () => GrepPattern): GrepPattern | InputError => {
    try {
      return make();
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  };
  const expression = isText ? undefined : attempt(() => compileExpression(written, isCaseSensitive, isWord));
  if (expression !== undefined && !(expression instanceof InputError))
    return { written, pattern: expression, note: "", isText: false };
  const text = attempt(() => compileText(written, isCaseSensitive, isWord));
  if (text instanceof InputError) return { written, pattern: undefined, note: text.message, isText: true };
  return {
    written,
    pattern: text,
    note: `taken as text: ${/^[^;.]*/.exec(expression?.message ?? "")?.[0]}`,
    isText: true,
  };
}

function countOf({ files, others }: FoundLines) {
  const listed = files.reduce((sum, { count }) => sum + count, 0);
  const counted = [...others.values()].reduce((sum, { lines }) => sum + lines, 0);
  return { listed, lines: listed + counted };
}

interface PartOptions {
  readonly shownPath: (file: FoundFile) => string;
  readonly isNames: boolean;
  /** Whether files before or behind these were not looked through. */
  readonly isPart: boolean;
  readonly inOtherCase: boolean;
  readonly limit: number;
}

interface Item {
  readonly text: string;
  readonly json: JsonObject;
  /** Lines that it stands for, by path. */
  readonly lines: readonly (readonly [path: string, count: number])[];
}

function toPart({ written, note }: Wanted, found: FoundLines | undefined, options: PartOptions): AnswerPart {
  const head = `# ${foldLine(written, MAX_PATTERN)}: `;
  if (found === undefined)
    return { head: `${head}${note}`, items: [], rest: () => "", json: () => ({ pattern: written, error: note }) };
  const { files, others } = found;
  const { shownPath, isPart, inOtherCase } = options;
  const items = options.isNames
    ? files.slice(0, options.limit).map((file) => toNames(file, shownPath(file)))
    : toItems(files, options);
  const { listed } = countOf(found);
  const leftAfter = (shown: number): [string, number][] => {
    const left = new Map(files.map((file) => [shownPath(file), file.count]));
    for (const [path, count] of items.slice(0, shown).flatMap(({ lines }) => lines))
      left.set(path, (left.get(path) ?? 0) - count);
    return [...left].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  };
  const further = Math.max(0, listed - items.flatMap(({ lines }) => lines).reduce((sum, [, count]) => sum + count, 0));
  return {
    head: [
      `${head}${isPart ? "at least " : ""}${describeCounts(found)}`,
      ...(inOtherCase ? ["in another case"] : []),
      ...(note === "" ? [] : [note]),
    ].join("; "),
    items: items.map(({ text }) => text),
    further,
    rest: (left) => describeLeft(leftAfter(items.length - Math.max(0, left - further))),
    json: (shown) => ({
      pattern: written,
      ...(note !== "" && { note }),
      ...(inOtherCase && { inOtherCase }),
      lines: listed,
      files: files.length,
      counted: Object.fromEntries(others),
      results: items.slice(0, shown).map(({ json }) => json),
      ...listLeft(leftAfter(shown), shown),
    }),
  };
}

/** `12 in 4 files, and 11 in 5 test files` */
function describeCounts({ files, others }: FoundLines): string {
  const listed = [...Map.groupBy(files, ({ role }) => role)].map(([role, own]) =>
    describeCount(
      role,
      own.length,
      own.reduce((sum, { count }) => sum + count, 0),
    ),
  );
  const counted = [...others].map(([role, { files: count, lines }]) => describeCount(role, count, lines));
  const all = [listed.join(", "), counted.join(", ")].filter((part) => part !== "");
  return all.length === 0 ? "nothing" : all.join(", and ");
}

function describeCount(role: Role, files: number, lines: number): string {
  return `${formatNumber(lines)} in ${formatCount(files, `${ROLE_NAMES[role]}file`)}`;
}

/** Files with lines that are not listed, and how many more of both there are. */
function listLeft(left: readonly (readonly [path: string, count: number])[], shown: number): JsonObject {
  // Where little is shown there is little room.
  const named = Math.min(MAX_LEFT, Math.max(MAX_NAMED, shown));
  const others = left.slice(named);
  const lines = others.reduce((total, [, count]) => total + count, 0);
  return {
    notListed: left.slice(0, named).map(([path, count]) => ({ path, lines: count })),
    ...(others.length > 0 && { notNamed: { files: others.length, lines } }),
  };
}

/** `not listed: 40 in src/a.ts, 12 in src/b.ts, 9 in 3 more files` */
function describeLeft(left: readonly (readonly [path: string, count: number])[]): string {
  const named = left.slice(0, MAX_NAMED).map(([path, count]) => `${formatNumber(count)} in ${path}`);
  const others = left.slice(MAX_NAMED);
  const sum = others.reduce((total, [, count]) => total + count, 0);
  const more = others.length === 0 ? [] : [`${formatNumber(sum)} in ${formatCount(others.length, "more file")}`];
  return `not listed: ${[...named, ...more].join(", ")}`;
}

function toNames(file: FoundFile, path: string): Item {
  const within = [...file.within()].filter(([name]) => name !== "").sort((a, b) => b[1] - a[1]);
  const shown = within
    .slice(0, MAX_SYMBOLS)
    .map(([name, count]) => `${foldLine(name, MAX_WITHIN)}${count > 1 ? ` ${count}` : ""}`);
  const more = within.length > MAX_SYMBOLS ? [`${within.length - MAX_SYMBOLS} more`] : [];
  const names = [...shown, ...more].join(", ");
  return {
    text: `${path} ${file.count}${names === "" ? "" : `: ${names}`}`,
    json: { path, lines: file.count, within: Object.fromEntries(within) },
    lines: [[path, file.count]],
  };
}

/** An item for each line. Files of one folder stand under it, files with the same lines behind the first of them. */
function toItems(files: readonly FoundFile[], { shownPath }: PartOptions): Item[] {
  const twins = new Map<FoundFile, FoundFile[]>();
  const firsts = new Map<string, FoundFile>();
  for (const file of files.filter(({ lines }) => lines.length > 0)) {
    const isWhole = file.lines.length === file.count && !file.hasDefinition;
    const key = isWhole ? file.lines.map(({ text, within }) => `${within} ${text.trim()}`).join("\n") : shownPath(file);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, file);
    else twins.set(first, [...(twins.get(first) ?? []), file]);
  }
  const shown = [...firsts.values()];
  const byFolder = Map.groupBy(shown, (file) => `${file.hasDefinition} ${folderOf(shownPath(file))}`);
  let folder = "";
  return [...byFolder.values()].flatMap((group) =>
    group.flatMap((file, at): Item[] => {
      const path = shownPath(file);
      const own = folderOf(path);
      const isGrouped = own !== "" && (group.length > 1 || own === folder);
      const heading = isGrouped && at === 0 && own !== folder ? `${own}\n` : "";
      if (isGrouped) folder = own;
      const name = isGrouped ? path.slice(own.length) : own === "" && folder !== "" ? `./${path}` : path;
      return toLines(
        file,
        path,
        `${heading}${name}`,
        (twins.get(file) ?? []).map((twin) => ({ twin, path: shownPath(twin) })),
      );
    }),
  );
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

interface Twin {
  readonly twin: FoundFile;
  readonly path: string;
}

function toLines(file: FoundFile, path: string, head: string, twins: readonly Twin[]): Item[] {
  const { lines } = file;
  const isAlone = lines.length === 1 && lines[0]?.header === undefined && lines[0]?.after.length === 0;
  let shownTo = 0;
  let before = "";
  return lines.map((line, at): Item => {
    const { within, self } = line;
    const isNew = within !== "" && within !== before && !before.startsWith(`${within}.`);
    before = self;
    const row = `${line.line}${isNew ? ` [${foldLine(within, MAX_WITHIN)}]` : ""} ${cutLine(line)}`;
    const text: string[] = [];
    if (at === 0) text.push(isAlone ? `${head}:${row}` : head);
    const { header } = line;
    if (header !== undefined && header.line > shownTo) text.push(` ${header.line} ${cutLine({ ...header, start: 0 })}`);
    if (!isAlone) text.push(` ${row}`);
    const next = lines[at + 1]?.line ?? Number.POSITIVE_INFINITY;
    for (const [behind, other] of line.after.entries()) {
      const number = line.line + 1 + behind;
      if (number < next && other.trim() !== "") text.push(` ${number} ${cutLine({ text: other, start: 0 })}`);
    }
    shownTo = line.line + line.after.length;
    const isLast = at === lines.length - 1;
    if (isLast && twins.length > 0) text.push(` same: ${describeTwins(twins, path)}`);
    return {
      text: text.join("\n"),
      json: {
        path,
        line: line.line,
        ...(within !== "" && { in: within }),
        ...(line.isDefinition && { definition: true }),
        text: cutLine(line),
        ...(line.after.length > 0 && { after: line.after.map((one) => cutLine({ text: one, start: 0 })) }),
        ...(isLast && twins.length > 0 && { sameIn: twins.map((one) => one.path) }),
      },
      lines: [[path, 1], ...(isLast ? twins.map((one): [string, number] => [one.path, one.twin.count]) : [])],
    };
  });
}

function describeTwins(twins: readonly Twin[], path: string): string {
  const folder = folderOf(path);
  const named = twins
    .slice(0, MAX_TWINS)
    .map(({ twin, path: own }) => `${own.startsWith(folder) ? own.slice(folder.length) : own}:${twin.lines[0]?.line}`);
  return [...named, ...(twins.length > MAX_TWINS ? [`${twins.length - MAX_TWINS} more files`] : [])].join(", ");
}

/** A line without its indentation, runs of blanks as one; a long one from a little before its match on. */
function cutLine({ text, start }: Pick<ListedLine, "text" | "start">): string {
  const lead = foldLine(text.slice(0, start), Number.POSITIVE_INFINITY);
  const whole = foldLine(text, Number.POSITIVE_INFINITY);
  if (whole.length <= MAX_LINE) return whole;
  const from = cutPlace(whole, Math.max(0, Math.min(lead.length - LEAD, whole.length - MAX_LINE)));
  const cut = cutText(whole.slice(from), MAX_LINE);
  return `${from > 0 ? "…" : ""}${cut}${from + cut.length < whole.length ? "…" : ""}`;
}

/** Paths of documents that an answer names; with the collection where several of them have the same. */
function makeDistinctPath(
  files: readonly { readonly path: string; readonly id: string }[],
): (file: { readonly path: string; readonly id: string }) => string {
  const ids = new Map<string, string>();
  const doubled = new Set<string>();
  for (const { path, id } of files) {
    if ((ids.get(path) ?? id) !== id) doubled.add(path);
    ids.set(path, id);
  }
  return ({ path, id }) => (doubled.has(path) ? id : path);
}
