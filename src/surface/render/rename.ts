/**
 * A plan for a new name, one block a file with the hash of the text that its edits apply to.
 *
 * ```
 * src/store.ts 0123456789abcdef (3 certain, 1 likely)
 *   certain open → start: @12:7 @40:3
 *   certain open → start: open: @51:9
 *   likely open → start: @60:5 the only symbol of that name, of a value whose type is not known
 * ```
 *
 * Pure.
 */
import type { RenameEdit } from "../../core/code/rename-edits.ts";
import type { PlannedFile, RenameConflict, RenamePlan, TextPlace } from "../../core/code/rename-plan.ts";
import { splitDocumentId } from "../../core/docs/node-id.ts";
import type { AnswerForm, AnswerPage } from "./answer.ts";
import { formatCount } from "./numbers.ts";
import { formatPosition } from "./symbols.ts";
import { foldLine } from "./text.ts";

const MAX_LINE_LENGTH = 120;
/** Ids of declarations that are listed; thousands of overloads would leave no room for edits. */
const MAX_DECLARATIONS = 10;

/** A file with those of its edits that are shown. */
interface ShownFile {
  readonly file: PlannedFile;
  readonly certain: readonly RenameEdit[];
  readonly likely: readonly RenameEdit[];
}

/** `Rename code:src/a.ts#open to start: 12 certain edits in 3 files, 1 likely, …`, and what stands against it. */
export function summarizeRename(plan: RenamePlan): string {
  const { symbol, newName, files, textOnly, mentions, conflicts, gaps } = plan;
  const { certain, likely } = countEdits(files);
  const parts = [
    `${formatCount(certain, "certain edit")} in ${formatCount(files.filter((file) => file.certain.length > 0).length, "file")}`,
    `${likely} likely`,
    `${textOnly.total} by text only`,
    `${formatCount(mentions.total, "section")} of the docs`,
    formatCount(conflicts.length, "conflict"),
  ];
  const lines = [`Rename ${symbol.id} to ${newName}: ${parts.join(", ")}. Nothing was changed.`];
  lines.push(...conflicts.map((conflict) => `Conflict: ${conflict.message}${placeOf(conflict)}`));
  if (gaps.length > 0) lines.push(`The plan is not whole: ${gaps.join("; ")}.`);
  return lines.join("\n");
}

/** Forms of the plan; its items are the edits from `offset` on, of `limit` files. */
export function renameForms(plan: RenamePlan, offset: number, limit: number): [AnswerForm, ...AnswerForm[]] {
  const shownFiles = (shown?: number) => takeEdits(plan.files, offset, shown).slice(0, limit);
  const { certain, likely } = countEdits(shownFiles());
  // What is no edit stands on the first page alone.
  const isFirst = offset === 0;
  const tail = isFirst ? formatRest(plan) : "";
  const form = (withRest: boolean, detail: string, listed = MAX_DECLARATIONS): AnswerForm => ({
    detail,
    count: certain + likely,
    blocks: (shown) => shownFiles(shown).map(formatFile),
    json: (shown) => ({ ...head(plan, listed), files: shownFiles(shown).map(toJson), ...(withRest && rest(plan)) }),
    toon: (shown) => ({
      ...head(plan, listed),
      ...Object.fromEntries(
        shownFiles(shown).map((one) => [pathOf(one.file), { hash: one.file.record.hash, edits: toRows(one) }]),
      ),
      ...(withRest && rest(plan)),
    }),
    tail: withRest ? tail : "",
  });
  const edits = { ...form(false, "edits"), keepAtLeast: 1 };
  const bare = form(false, "edits", 0);
  return isFirst ? [form(true, "edits, and places by text"), edits, bare] : [edits, bare];
}

/** The page of such an answer. */
export function renamePage(plan: RenamePlan, offset: number): AnswerPage {
  const { certain, likely } = countEdits(plan.files);
  return { offset, total: certain + likely, items: "edits" };
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

function countEdits(files: readonly Pick<PlannedFile, "certain" | "likely">[]): { certain: number; likely: number } {
  return {
    certain: files.reduce((sum, { certain }) => sum + certain.length, 0),
    likely: files.reduce((sum, { likely }) => sum + likely.length, 0),
  };
}

function placeOf({ file, at }: RenameConflict): string {
  return file === undefined || at === undefined ? "" : ` (${splitDocumentId(file).path} ${formatPosition(at)})`;
}

function pathOf({ record }: PlannedFile): string {
  return splitDocumentId(record.id).path;
}

/** The counts are those of the whole file. */
function formatFile({ file, certain, likely }: ShownFile): string {
  const counts = [
    ...(file.certain.length > 0 ? [`${file.certain.length} certain`] : []),
    ...(file.likely.length > 0 ? [`${file.likely.length} likely`] : []),
  ];
  return [
    `${pathOf(file)} ${file.record.hash} (${counts.join(", ")})`,
    ...formatEdits("certain", certain),
    ...formatEdits("likely", likely),
  ].join("\n");
}

/** Equal edits on one line. */
function formatEdits(group: string, edits: readonly RenameEdit[]): string[] {
  const lines = new Map<string, { note: string; places: string[] }>();
  for (const { at, oldText, newText, note = "" } of edits) {
    const key = `${oldText} → ${newText}`;
    const line = lines.get(`${key} ${note}`) ?? { note, places: [] };
    lines.set(`${key} ${note}`, line);
    line.places.push(formatPosition(at));
  }
  return [...lines].map(([key, { note, places }]) => {
    const edit = note === "" ? key : key.slice(0, -note.length);
    return `  ${group} ${edit.trim()}: ${places.join(" ")}${note === "" ? "" : ` ${note}`}`;
  });
}

/** Places by text and sections of the docs. */
function formatRest({ textOnly, mentions }: RenamePlan): string {
  const lines: string[] = [];
  if (textOnly.total > 0) {
    const more = textOnly.total - textOnly.places.length;
    lines.push(`By text only (${textOnly.total}), not part of the edits:`);
    lines.push(...textOnly.places.map(formatTextPlace), ...(more > 0 ? [`  ${more} more`] : []));
  }
  if (mentions.total > 0) {
    const more = mentions.total - mentions.sections.length;
    lines.push(`Sections of the docs that name it (${mentions.total}):`);
    lines.push(...mentions.sections.map(({ nodeId, line, text }) => `  ${nodeId} line ${line} ${text}`));
    if (more > 0) lines.push(`  ${more} more`);
  }
  return lines.join("\n");
}

function formatTextPlace({ file, at, within, text, isOpen }: TextPlace): string {
  const kind = isOpen ? " perhaps" : within === undefined ? "" : ` ${within}`;
  return `  ${splitDocumentId(file).path} ${formatPosition(at)}${kind} ${foldLine(text, MAX_LINE_LENGTH)}`;
}

function head(
  { symbol, newName, files, declarations, conflicts, gaps, textOnly, mentions }: RenamePlan,
  listed: number,
) {
  const left = declarations.length - listed;
  return {
    symbol: symbol.id,
    oldName: symbol.record.name,
    newName,
    whole: gaps.length === 0,
    ...(gaps.length > 0 && { gaps }),
    ...countEdits(files),
    editedFiles: files.length,
    textOnlyPlaces: textOnly.total,
    mentioningSections: mentions.total,
    declarations: declarations.slice(0, listed).map(({ id }) => id),
    ...(left > 0 && { moreDeclarations: left }),
    conflicts: conflicts.map(({ message, file, at }) => ({
      message,
      ...(file !== undefined && { file }),
      ...(at !== undefined && { line: at.line, column: at.column }),
    })),
  };
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
    filePath: splitDocumentId(record.id).path,
    hash: record.hash,
    certain: certain.map(toEdit),
    likely: likely.map(toEdit),
  };
}

function toRows({ certain, likely }: ShownFile) {
  const row = (group: string, { at, oldText, newText }: RenameEdit) => ({
    group,
    line: at.line,
    column: at.column,
    oldText,
    newText,
  });
  return [...certain.map((edit) => row("certain", edit)), ...likely.map((edit) => row("likely", edit))];
}
