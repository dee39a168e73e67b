/**
 * Tool `rename`: what has to change for a symbol to have another name. A plan; nothing is edited. One block a file with the hash
 * of the text that its edits apply to:
 *
 * ```
 * src/store.ts 0123456789abcdef (3 certain, 1 likely)
 *   certain open → start: @12:7 @40:3
 *   certain open → start: open: @51:9
 *   likely open → start: @60:5 the only symbol of that name, of a value whose type is not known
 * ```
 */
import { isMember } from "../../core/code/rename-family.ts";
import type { PlannedFile, RenameEdit, RenamePlan } from "../../core/code/rename-plan.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import { factsOf, findNameProblem } from "../../core/text/code-languages.ts";
import { quoteName } from "../../core/text/nearest.ts";
import type { Answer, AnswerForm, JsonObject } from "../../surface/render/answer.ts";
import { formatPosition } from "../../surface/render/symbols.ts";
import { foldLine, formatCount, formatList } from "../../surface/render/text.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-named.ts";
import { planRename } from "../plan-rename.ts";
import { defineTool } from "../tool.ts";

const NAME = "rename";
const MAX_NAME_LENGTH = 200;
const MAX_LINE_LENGTH = 120;
/** Ids of declarations that are listed; thousands of overloads would leave no room for edits. */
const MAX_DECLARATIONS = 10;

export const renameTool = defineTool({
  name: NAME,
  description:
    "Plan for renaming a symbol, never an edit: edits by file with the hash of the text they apply to, certain or likely; places by text only, docs that name it, conflicts. Apply the certain ones, check the others; next diagnostics.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    new_name: { kind: "text", required: true, maxLength: MAX_NAME_LENGTH, aliases: ["to", "new", "rename_to"] },
    limit: { kind: "integer", default: 50, maximum: 200, description: "files" },
  },
  pages: true,
  example: { symbol: "Store.open", new_name: "start" },
  isKept: true,
  async run({ new_name, limit, ...args }, { reader, offset }) {
    const { notes, ...symbol } = await findSymbol(reader, args, NAME, { byName: true, isStrict: true });
    const { name, kind } = symbol.record;
    const newName = name.startsWith("#") && !new_name.startsWith("#") ? `#${new_name}` : new_name;
    if (newName === name) throw new InputError(`${symbol.id} is called ${quoteName(name)} already.`);
    const { language } = symbol.inFile;
    const container = symbol.inFile.symbols[symbol.record.parent];
    if (kind === "constructor") {
      throw new InputError(`A constructor has no name of its own; rename ${container?.name ?? "its class"}.`);
    }
    if (!/^[#@$]{0,2}[\p{L}_$]/u.test(name)) throw new InputError(`${symbol.id} has no name that could be changed.`);
    if (name === "default" && factsOf(language).isScript && container === undefined) {
      throw new InputError(
        `${symbol.id} has no name: it is exported without one. Write one behind its keyword, then rename that.`,
      );
    }
    const problem = findNameProblem(newName, language, isMember(symbol));
    if (problem !== undefined) {
      throw new InputError(`${quoteName(newName)} ${problem}. ${describeNames(language)}`);
    }
    const plan = await planRename(reader, symbol, newName);
    return { ...describePlan(plan, offset, limit), notes };
  },
});

/** Edits of a group in a file. */
const GROUPS = ["certain", "likely"] as const;

/** The answer with the edits of a plan from `offset` on, of `limit` files. */
export function describePlan(plan: RenamePlan, offset: number, limit: number): Answer {
  const { symbol, newName, files, textOnly, mentions, conflicts, gaps, declarations } = plan;
  const counts = countEdits(files);
  const certainFiles = files.filter(({ certain }) => certain.length > 0).length;
  const parts = [
    `${formatCount(counts.certain, "certain edit")} in ${formatCount(certainFiles, "file")}`,
    `${counts.likely} likely`,
    `${textOnly.total} by text only`,
    `${formatCount(mentions.total, "section")} of the docs`,
    formatCount(conflicts.length, "conflict"),
  ];
  const stands = conflicts.map(({ message, file, at }) => {
    const place = file === undefined || at === undefined ? "" : ` (${pathOf(file)} ${formatPosition(at)})`;
    return `Conflict: ${message}${place}`;
  });
  const head = (listed: number): JsonObject => ({
    symbol: symbol.id,
    oldName: symbol.record.name,
    newName,
    whole: gaps.length === 0,
    ...(gaps.length > 0 && { gaps }),
    ...counts,
    editedFiles: files.length,
    textOnlyPlaces: textOnly.total,
    mentioningSections: mentions.total,
    declarations: declarations.slice(0, listed).map(({ id }) => id),
    ...(declarations.length > listed && { moreDeclarations: declarations.length - listed }),
    conflicts: conflicts.map(({ message, file, at }) => ({
      message,
      ...(file !== undefined && { file }),
      ...(at !== undefined && { line: at.line, column: at.column }),
    })),
  });
  const shownFiles = (shown?: number) => takeEdits(files, offset, shown).slice(0, limit);
  const ofPage = countEdits(shownFiles());
  // What is no edit stands on the first page alone.
  const isFirst = offset === 0;
  const form = (withRest: boolean, detail: string, listed = MAX_DECLARATIONS): AnswerForm => ({
    detail,
    count: ofPage.certain + ofPage.likely,
    blocks: (shown) => shownFiles(shown).map(formatFile),
    json: (shown) => ({ ...head(listed), files: shownFiles(shown).map(toJson), ...(withRest && rest(plan)) }),
    toon: (shown) => ({
      ...head(listed),
      ...Object.fromEntries(
        shownFiles(shown).map((one) => [
          pathOf(one.file.record.id),
          { hash: one.file.record.hash, edits: toRows(one) },
        ]),
      ),
      ...(withRest && rest(plan)),
    }),
    tail: withRest ? formatRest(plan) : "",
  });
  const edits = { ...form(false, "edits"), keepAtLeast: 1 };
  const bare = form(false, "edits", 0);
  return {
    summary: [
      `Rename ${symbol.id} to ${newName}: ${parts.join(", ")}. Nothing was changed.`,
      ...stands,
      ...(gaps.length > 0 ? [`The plan is not whole: ${gaps.join("; ")}.`] : []),
    ].join("\n"),
    forms: isFirst ? [form(true, "edits, and places by text"), edits, bare] : [edits, bare],
    page: { offset, total: counts.certain + counts.likely, items: "edits" },
  };
}

/** A file with those of its edits that are shown. */
interface ShownFile {
  readonly file: PlannedFile;
  readonly certain: readonly RenameEdit[];
  readonly likely: readonly RenameEdit[];
}

/** `count` edits from `offset` on: those of a file in a row, certain ones first. */
function takeEdits(files: readonly PlannedFile[], offset: number, count = Number.POSITIVE_INFINITY): ShownFile[] {
  const shown: ShownFile[] = [];
  let from = offset;
  let left = count;
  for (const file of files) {
    if (left <= 0) break;
    const certain = file.certain.slice(from, from + left);
    const start = Math.max(0, from - file.certain.length);
    const likely = file.likely.slice(start, start + left - certain.length);
    from = Math.max(0, from - file.certain.length - file.likely.length);
    left -= certain.length + likely.length;
    if (certain.length + likely.length > 0) shown.push({ file, certain, likely });
  }
  return shown;
}

function countEdits(files: readonly Pick<PlannedFile, "certain" | "likely">[]) {
  const [certain, likely] = GROUPS.map((group) => files.reduce((sum, file) => sum + file[group].length, 0));
  return { certain: certain ?? 0, likely: likely ?? 0 };
}

/** The counts are those of the whole file. */
function formatFile(shown: ShownFile): string {
  const { file } = shown;
  const counts = GROUPS.flatMap((group) => (file[group].length > 0 ? [`${file[group].length} ${group}`] : []));
  const lines = GROUPS.flatMap((group) => formatEdits(group, shown[group]));
  return formatList(`${pathOf(shown.file.record.id)} ${file.record.hash} (${counts.join(", ")})`, lines);
}

/** Equal edits on one line. */
function formatEdits(group: string, edits: readonly RenameEdit[]): string[] {
  const keyOf = ({ oldText, newText, note }: RenameEdit): string => JSON.stringify([oldText, newText, note]);
  return [...Map.groupBy(edits, keyOf).values()].map((own) => {
    const { oldText, newText, note } = own[0] as RenameEdit;
    const places = own.map(({ at }) => formatPosition(at)).join(" ");
    return `${group} ${`${oldText} → ${newText}`.trim()}: ${places}${note ? ` ${note}` : ""}`;
  });
}

/** Places by text and sections of the docs. */
function formatRest({ textOnly, mentions }: RenamePlan): string {
  const list = (head: string, lines: readonly string[], total: number): string[] => {
    const left = total > lines.length ? [`${total - lines.length} more`] : [];
    return total === 0 ? [] : [formatList(head, [...lines, ...left])];
  };
  const places = textOnly.places.map(({ file, at, within, text, isOpen }) => {
    const kind = isOpen ? " perhaps" : within === undefined ? "" : ` ${within}`;
    return `${pathOf(file)} ${formatPosition(at)}${kind} ${foldLine(text, MAX_LINE_LENGTH)}`;
  });
  const sections = mentions.sections.map(({ nodeId, line, text }) => `${nodeId} line ${line} ${text}`);
  return [
    ...list(`By text only (${textOnly.total}), not part of the edits:`, places, textOnly.total),
    ...list(`Sections of the docs that name it (${mentions.total}):`, sections, mentions.total),
  ].join("\n");
}

function rest({ textOnly, mentions }: RenamePlan) {
  return {
    textOnly: textOnly.places.map(({ file, at, within, text, isOpen }) => ({
      file,
      line: at.line,
      column: at.column,
      within: within ?? "unknown",
      perhaps: isOpen,
      text: foldLine(text, MAX_LINE_LENGTH),
    })),
    mentions: mentions.sections.map(({ nodeId, line, text }) => ({ nodeId, line, text })),
  };
}

function toEdit({ at, oldText, newText, note }: RenameEdit) {
  return { line: at.line, column: at.column, oldText, newText, ...(note !== undefined && { note }) };
}

function toJson({ file: { record }, certain, likely }: ShownFile) {
  return {
    file: record.id,
    filePath: pathOf(record.id),
    hash: record.hash,
    certain: certain.map(toEdit),
    likely: likely.map(toEdit),
  };
}

function toRows(shown: ShownFile) {
  return GROUPS.flatMap((group) =>
    shown[group].map(({ at, oldText, newText }) => ({ group, line: at.line, column: at.column, oldText, newText })),
  );
}

/** What names of a language are made of, as a sentence. */
function describeNames(language: string): string {
  const { characters = "and _", end = "" } = factsOf(language).names ?? {};
  const comma = characters.startsWith("_") ? "," : "";
  return `A name is letters, digits${comma} ${characters}, with no digit first${end}, and no keyword.`;
}
