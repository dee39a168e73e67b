/**
 * Values in the code that a text speaks of, which a reader would look up next: of constants that it names, and of defaults that
 * it gives and the code sets otherwise.
 */
import { findSymbols } from "../core/code/find-symbols.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { readSourceLines } from "../core/docs/documents.ts";
import { pathOf } from "../core/docs/node-id.ts";
import { roleOf } from "../core/docs/roles.ts";
import { containerPath, type SymbolKind } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { foldLine } from "../surface/render/text.ts";

/** Names in upper case of several words: what all languages write constants as. */
const CONSTANT = /\b_?[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g;
const KINDS: readonly SymbolKind[] = ["constant", "variable", "field", "property", "enumMember", "macro"];
/** Constants of a text, and of all texts, that are looked up. */
const MAX_OF_TEXT = 2;
const MAX_IN_ALL = 12;
/** Lines of a definition that are read, and characters that are shown. */
const MAX_LINES = 8;
const MAX_LENGTH = 180;

export interface ConstantValue {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** The definition on one line. */
  readonly text: string;
}

/** For each text the constants that it names and does not define. Three waves where there are any. */
export async function findConstantValues(
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
export function defaultIn(heading: string, lines: readonly string[]): DocumentedDefault | undefined {
  const [, name] = /^`?(?:[\w.]*\.)?([A-Za-z_]\w{2,})`?$/.exec(heading.trim()) ?? [];
  const [, value] = /\bdefaults?\b[^`\n]{0,24}`([^`\n]{1,60})`/i.exec(lines.join("\n")) ?? [];
  return name === undefined || value === undefined || !LITERAL.test(value) ? undefined : { name, value };
}

/**
 * For each default of a page what the code sets in its place, where all places of the code that set one give another: values of
 * members of what is called configuration, options, settings or defaults.
 */
export async function findOtherDefaults(
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
