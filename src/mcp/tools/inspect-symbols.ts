import { loadFiles, symbolsInFiles } from "../../core/code/load-files.ts";
import type { LoadedSymbol } from "../../core/code/model.ts";
import { readModules } from "../../core/code/packages.ts";
import { declaredTogether, isMember } from "../../core/code/rename-family.ts";
import { mainDeclarations, type NamedSymbols, resolveSymbol } from "../../core/code/resolve-symbol.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import { containerPath, isExported } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { quoteName } from "../../core/text/nearest.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import type { CardItem } from "../../surface/render/place-lists.ts";
import { formatLines } from "../../surface/render/text.ts";
import { expectCode } from "../find-named.ts";
import { headOf, type Inspected, readCard, readFileCard, type SymbolGroup, type SymbolRole } from "../symbol-card.ts";
import { defineTool } from "../tool.ts";
import { countOpenPlaces, type OpenPlaces } from "../word-places.ts";

/** Words behind a name that ask for one list alone, with what others call the same. */
const ROLE_WORDS: Readonly<Record<SymbolRole, string>> = {
  calls: "calls callers called caller incoming",
  callees: "callees outgoing",
  implements:
    "implements implementers implementations implemented implementors extends extended extenders subclasses subtypes heirs overrides overridden overriders",
  types: "types type typed",
  imports: "imports imported importers reexports",
  reads: "reads read readers writes written",
  uses: "uses used usages usage references refs users",
  docs: "docs doc pages mentions",
  files: "files rename",
};
const ROLES = new Map(
  Object.entries(ROLE_WORDS).flatMap(([role, words]) => words.split(" ").map((word) => [word, role as SymbolRole])),
);
/** Words around a name that say nothing: "who calls tryN", "callers of tryN", "class Shape". */
const FILLERS = new Set(
  "who what which of by is the symbol class function method interface enum struct trait const def".split(" "),
);
/** Symbols of one name that have a card at most, and characters of these cards behind the first. */
const MAX_CARDS = 6;
const MAX_LENGTH = 1_800;
/** Symbols of one name whose lists are read where a role is asked for. */
const MAX_LISTED = 12;
/** The same where all are in tests. */
const MAX_ASIDE = 2;
/** Further symbols of the name that are named. */
const MAX_NAMED = 12;

export const inspectSymbolsTool = defineTool({
  name: "inspect",
  title: "Inspect",
  description:
    "Symbols: place, signature, value, callers, implementers and other users (function and line), docs. Tests are counted. Whole unless it says 'not complete'.",
  parameters: {
    symbols: {
      kind: "texts",
      required: true,
      maxEntries: 20,
      description:
        "Name, Class.member, path#Name; with a role only that: 'tryN calls', 'Shape implements', 'tryN rename' (all files)",
      aliases: ["names"],
    },
    tests: { kind: "boolean", description: "list them" },
  },
  isSparing: true,
  example: { symbols: ["Store.open"] },
  isKept: true,
  quotes: true,
  async run({ symbols, tests = false }, { reader }) {
    expectCode(reader);
    const entries = readEntries(symbols, tests);
    const open = new Map<string, Promise<OpenPlaces>>();
    const parts = await Promise.all(entries.map((entry) => readParts(reader, entry, open)));
    const repeated = symbols.length - entries.length;
    const notes = repeated > 0 ? [`${repeated} asked for twice, answered once.`] : [];
    return answerInParts(parts.flat(), { notes });
  },
});

/** A name with what is asked of it. */
interface Entry extends Inspected {
  readonly name: string;
}

/** Names in the order asked, each once, with all roles that are asked of it. */
function readEntries(texts: readonly string[], tests: boolean): Entry[] {
  const entries = new Map<string, { name: string; roles: Set<SymbolRole>; isWhole: boolean; tests: boolean }>();
  for (const text of texts) {
    const words = text.trim().split(/\s+/);
    const names = words.filter((word) => !ROLES.has(word) && !FILLERS.has(word) && word !== "tests");
    // `reads` alone is a name, and `operator new` is one of two words.
    const written = names.length === 0 ? (words[0] as string) : names.join(" ");
    const name = written.replace(/(?<!\boperator)\(\)$/, "").replace(".prototype.", ".");
    const asked = words.slice(names.length === 0 ? 1 : 0);
    const roles = asked.flatMap((word) => ROLES.get(word) ?? []);
    const entry = entries.get(name) ?? { name, roles: new Set(), isWhole: false, tests };
    entry.isWhole ||= roles.length === 0;
    entry.tests ||= asked.includes("tests") || roles.includes("files");
    for (const role of roles) entry.roles.add(role);
    entries.set(name, entry);
  }
  return [...entries.values()];
}

/** A part for each of the best symbols of a name, and one line each for the others. */
async function readParts(
  reader: IndexReader,
  entry: Entry,
  open: Map<string, Promise<OpenPlaces>>,
): Promise<AnswerPart[]> {
  const { name } = entry;
  const { symbols, total, heir, nearest, isOther } = await resolveNear(reader, name);
  if (symbols.length === 0 || isOther) {
    const files = await readFileParts(reader, entry);
    if (files.length > 0) return files;
  }
  const groups = await groupDeclarations(reader, symbols);
  if (groups.length === 0) return [unknownPart(name, nearest)];
  const product = groups.filter(({ main }) => roleOf(reader, main.inFile.id) === "production");
  const wanted = entry.tests || product.length === 0 ? groups : product;
  const most = entry.isWhole ? MAX_CARDS : MAX_LISTED;
  const first = wanted.slice(0, product.length > 0 ? most : MAX_ASIDE);
  // Once for all of that name: which of them such a place means is not known.
  const member = wantsCalls(entry) ? first.findIndex(({ main }) => isMember(main)) : -1;
  const key = first[member]?.main.record.name ?? "";
  if (member >= 0 && !open.has(key)) open.set(key, countOpenPlaces(reader, (first[member] as SymbolGroup).main));
  const places = await open.get(key);
  const cards = await Promise.all(
    first.map(async (group, at) => ({
      group,
      items: await readCard(reader, group, entry, at === member ? places : undefined),
    })),
  );
  // Those that have nothing of what is asked for are counted.
  const filled = cards.filter(({ items }) => entry.isWhole || items.some(({ text }) => !text.endsWith(": none found")));
  // Of several only so many cards as there is room for: what is asked for is mostly the first.
  let length = 0;
  const shown = (filled.length > 0 ? filled : cards.slice(0, 1)).filter(({ items }, at) => {
    length += items.reduce((sum, { text }) => sum + text.length, 0);
    return at === 0 || length <= MAX_LENGTH;
  });
  const count = wanted.length + Math.max(0, total - symbols.length);
  const parts = shown.map(({ group: { main, declarations }, items }, at): AnswerPart => {
    const place = count > 1 ? ` [${at + 1} of ${count}]` : "";
    const inherited = heir === undefined ? "" : ` (inherited by ${heir.record.name})`;
    const isNamed = isOther || name.includes(":") || name.toLowerCase().endsWith(main.record.name.toLowerCase());
    const exported = isNamed ? "" : ` (exported as ${name})`;
    const other = isOther && at === 0 ? ` (there is no ${name})` : "";
    const { id, record } = main;
    const facts = { id, kind: record.kind, lines: formatLines(record.start.line, record.end.line) };
    return toPart(name, `## ${headOf(main, declarations)}${inherited}${exported}${other}${place}`, facts, items);
  });
  const empty = cards.filter((card) => !filled.includes(card) && !shown.includes(card));
  const told = new Set([...shown, ...empty].map(({ group }) => group));
  const others = wanted.flatMap((group) => (told.has(group) ? [] : [headOf(group.main, group.declarations)]));
  const counted = [
    ...(empty.length > 0 ? [`${empty.length} with none`] : []),
    ...(groups.length > wanted.length ? [`${groups.length - wanted.length} in tests and examples`] : []),
  ];
  if (others.length + counted.length === 0) return parts;
  return [...parts, othersPart(name, others, count - wanted.length, counted.join(", "))];
}

/** Symbols of a name; where a type or file does not have it, those of its last part. */
async function resolveNear(reader: IndexReader, name: string): Promise<NamedSymbols & { readonly isOther: boolean }> {
  const found = await resolveSymbol(reader, name);
  const last = name.split(/[.#:]+/).at(-1) ?? "";
  const isPath = name.includes("/") && !name.includes("#");
  if (found.symbols.length > 0 || last === name || isPath || /^\d*$/.test(last)) return { ...found, isOther: false };
  const others = await resolveSymbol(reader, last);
  return others.symbols.length === 0 ? { ...found, isOther: false } : { ...others, isOther: true };
}

/** The source files that a name is the path of, else those of the module that is imported by it. */
async function readFileParts(reader: IndexReader, entry: Entry): Promise<AnswerPart[]> {
  const { name } = entry;
  const ofPath = (await symbolsInFiles(reader, `${name.replace(/:\d+.*$/, "")}#`))?.files;
  const modules = ofPath === undefined ? (await readModules(reader)).filter((one) => one.name === name) : [];
  const ofModules = await loadFiles(
    reader,
    modules.map(({ file }) => file),
  );
  const files = ofPath ?? ofModules.filter((file) => file !== undefined);
  const cards = await Promise.all(files.map((file) => readFileCard(reader, file, entry)));
  return files.map(({ record: { id } }, at) =>
    toPart(name, `## ${pathOf(id)} file`, { id, kind: "file" }, cards[at] as CardItem[]),
  );
}

/** Whether lists are asked for that lack places whose receiver is unknown. */
function wantsCalls({ roles, isWhole }: Entry): boolean {
  return isWhole || ["calls", "reads", "uses"].some((role) => roles.has(role as SymbolRole));
}

function toPart(asked: string, head: string, facts: JsonObject, items: readonly CardItem[]): AnswerPart {
  const left = (count: number): CardItem[] => items.slice(items.length - count);
  return {
    head,
    items: items.map(({ text }) => text),
    rest: (count) => {
      const places = left(count).reduce((sum, item) => sum + item.places, 0);
      return `not complete: ${places > 0 ? `${places} more places` : `${count} more lines`}; raise max_tokens`;
    },
    json: (shown) => ({
      asked,
      ...facts,
      ...mergeFields(items.slice(0, shown)),
      ...(shown < items.length && { notComplete: items.length - shown }),
    }),
  };
}

/** What items say, with the lists that several of them hold joined. */
function mergeFields(items: readonly CardItem[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const { field, value } of items) {
    const before = merged[field];
    merged[field] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return merged;
}

/** One line each. */
function othersPart(asked: string, lines: readonly string[], unread: number, counted: string): AnswerPart {
  const items = lines.slice(0, MAX_NAMED);
  return {
    head: `also ${asked}: ${counted}`.trimEnd(),
    items,
    further: lines.length - items.length + unread,
    rest: (left) => `not complete: ${left} more of this name; give path#${asked}`,
    json: (shown) => ({ asked, others: items.slice(0, shown) }),
  };
}

function unknownPart(asked: string, nearest: readonly string[]): AnswerPart {
  const others = asked.includes("/") ? "read and map take paths of any file" : "grep finds text";
  const offered = nearest.length === 0 ? others : `nearest: ${nearest.map(pathOf).join(", ")}`;
  const head = `## no symbol or source file ${quoteName(asked)}; ${offered}`;
  return { head, items: [], rest: () => "", json: () => ({ asked, error: "no symbol of this name", nearest }) };
}

/** The symbols that some declarations are of, production and exported ones first. Two waves where some stand apart. */
async function groupDeclarations(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<SymbolGroup[]> {
  const mains = await mainDeclarations(reader, symbols);
  const ordered = [...mains].sort((a, b) => compareKeys(orderOf(reader, a), orderOf(reader, b)));
  const seen = new Set<string>();
  return ordered.flatMap((symbol): SymbolGroup[] => {
    if (seen.has(symbol.id)) return [];
    const declarations = declaredTogether(symbol).sort((a, b) => a.symbol - b.symbol);
    for (const { id } of declarations) seen.add(id);
    const main = declarations.reduce((best, one) => (linesOf(one) > linesOf(best) ? one : best));
    return [{ main, declarations }];
  });
}

function linesOf({ record: { start, end } }: LoadedSymbol): number {
  return end.line - start.line;
}

/** Numbers that order symbols, the first that differs decides. */
function orderOf(reader: IndexReader, { record, inFile }: LoadedSymbol): readonly number[] {
  return [
    Number(roleOf(reader, inFile.id) !== "production"),
    Number(record.flags.includes("inner")),
    // A member may stand in another file than its type.
    Number(containerPath(record) !== ""),
    Number(!isExported(inFile.language, inFile.symbols, record)),
    Number(!record.flags.includes("public")),
    -record.rank,
  ];
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
