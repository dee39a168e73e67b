/**
 * Lines with the old name of a symbol that no edit of a rename covers, and which of them may mean it all the same.
 */

import { findWordPlaces, lineOf, type SourceText, toSourceText, type WordPlace } from "../core/graph/rename-edits.ts";
import { isCommentImport, mayNameMember } from "../core/graph/rename-extras.ts";
import type { TextPlace } from "../core/graph/rename-plan.ts";
import type { FileMatches } from "../core/search/grep.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { isScript } from "../core/text/identifiers.ts";
import { formatCount } from "../render/counts.ts";

/** Languages whose imports name types in a path to what is in them, which has no edge. */
const PATH_IMPORTS: ReadonlySet<string> = new Set(["java", "kotlin", "scala", "csharp"]);

/** A comment of JavaScript that imports a type. */
const COMMENT_IMPORT = /@[a-z]+\s*\{.*\bimport\(/;
const MAX_LOOK = 40;

/** A file with the places of the name in it. */
export interface ReadFile {
  /** Document id. */
  readonly id: string;
  /** Undefined where it was not read. */
  readonly source: SourceText | undefined;
  readonly words: readonly WordPlace[];
  /** Offsets that are dealt with. */
  readonly settled: ReadonlySet<number>;
}

/** Where the name stands and nothing is known of it, or that it is a text or a comment; first what may be meant. */
export function findLeft(
  files: readonly ReadFile[],
  matches: readonly FileMatches[],
  elsewhere: (id: string) => ReadonlySet<string>,
  oldName: string,
  mayUse: (id: string) => boolean,
): TextPlace[] {
  const left: TextPlace[] = [];
  for (const { id, source, words, settled } of files) {
    if (source === undefined) continue;
    const known = elsewhere(id);
    for (const word of words) {
      const { offset, at, within } = word;
      if (settled.has(offset) || known.has(`${at.line}:${at.column}`)) continue;
      const text = lineOf(source, offset);
      const isImport = isImportLine({ file: id, text }) || isCommentImport(source, offset) || isExport(source, offset);
      const isOpen = isImport || (mayUse(id) && mayNameMember(source, word, oldName));
      left.push({ file: id, at, within, text, isOpen });
    }
  }
  const read = new Set(files.flatMap(({ id, source }) => (source === undefined ? [] : [id])));
  for (const { id, matches: lines } of matches) {
    if (read.has(id)) continue;
    const known = elsewhere(id);
    for (const { line, text } of lines) {
      const source = toSourceText(text, codeLanguageOf(id) ?? "");
      for (const { offset, within, bracket } of findWordPlaces(source, oldName)) {
        const at = { line, column: offset + 1 };
        if (known.has(`${line}:${at.column}`)) continue;
        // Of the line alone it is not known whether a comment or a string begins before it.
        const isComment = /^\s*\*/.test(text);
        const isOpen =
          isImportLine({ file: id, text }) ||
          isCommentImport(source, offset) ||
          (mayUse(id) && !isComment && mayNameMember(source, { offset, at, within, bracket }, oldName));
        left.push({ file: id, at, within: undefined, text, isOpen });
      }
    }
  }
  return [...left.filter(({ isOpen }) => isOpen), ...left.filter(({ isOpen }) => !isOpen)];
}

/** What places that may be meant say of a plan. */
export function describeOpen(left: readonly TextPlace[], oldName: string): string[] {
  const open = left.filter(({ isOpen }) => isOpen);
  const imported = open.filter((place) => isImportLine(place) || COMMENT_IMPORT.test(place.text)).length;
  const others = open.length - imported;
  return [
    ...(imported > 0
      ? [`${formatCount(imported, "import")} with "${oldName}" in a path or a comment not followed`]
      : []),
    ...(others > 0
      ? [
          `${formatCount(others, "more place names", "more places name")} a member "${oldName}" of something whose type is not known`,
        ]
      : []),
  ];
}

/** Whether a line imports by a path of names, any of which may be that of a type. */
function isImportLine({ file, text }: Pick<TextPlace, "file" | "text">): boolean {
  return PATH_IMPORTS.has(codeLanguageOf(file) ?? "") && /^\s*(?:import|using)\s/.test(text);
}

/** Whether a file takes a name from what it exports itself: `exports.open()` in CommonJS. */
function isExport({ text, language }: SourceText, offset: number): boolean {
  return isScript(language) && /\bexports\s*\.\s*$/.test(text.slice(Math.max(0, offset - MAX_LOOK), offset));
}
