/**
 * Sections of pages that name symbols, in inline code or a code block: exactly one exported symbol of that name, or a
 * member behind the name of its container (`Store.open`, `Store#open()`, `Store::open`).
 *
 * What names a member names its container as well, behind the member: `Store.open` has to change when `Store` does.
 *
 * A name whose container exists and does not have the member is reported: the page says what the code no longer has.
 * Containers with a base outside of the corpus are left out of that. Names in inline code of which the code has nothing are
 * noted.
 */

import { roleOfPath } from "../../../src/core/docs/roles.ts";
import type { MentionRecord } from "../../../src/core/format/code-model.ts";
import { CODE_ENDINGS, codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import type { CodeWorld, Entity } from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { addToList, baseName, isContainer, NOTHING } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import type { JoinedDeclarations, Members } from "./references.ts";

/** A text that may name a symbol. */
interface CodeWord {
  /** Id of the section that it stands in. */
  readonly nodeId: string;
  /** Inline code as it is written, or an identifier of a code block with the names before it. */
  readonly text: string;
  /** 1-based line of the page. */
  readonly line: number;
  /** Whether it is inline code: what stands there names something. */
  readonly isInline?: true;
  /** Whether a block of code declares or imports it there: a name of the example. */
  readonly isDeclared?: true;
}

export interface PageWords {
  readonly collection: string;
  readonly path: string;
  readonly words: readonly CodeWord[];
}

const NAMES = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|->)[\p{L}_$~#][\p{L}\p{N}_$]*)*[!?]?$/u;
/** A name alone says little when it is as short as a variable. */
const MIN_NAME = 3;
const SEVERAL = -2;

/** Mentions in the order of pages and words, each symbol once a section; names that are missing go to `diagnostics`. */
export function findMentions(
  pages: Iterable<PageWords>,
  world: CodeWorld,
  members: Members,
  joined: JoinedDeclarations,
  findInTexts: FindInTexts,
  diagnostics: LinkDiagnostic[],
): MentionRecord[] {
  const mentions: MentionRecord[] = [];
  const exported = readExported(world, joined);
  const find = (name: string): Entity => exported.get(name) ?? NOTHING;
  const fileNames = new Set(world.files.map(({ path }) => baseName(path)));
  const inline: InlineName[] = [];
  for (const { collection, path, words } of pages) {
    const found = new Map<string, Mention>();
    const reported = new Set<string>();
    // A changelog names what is no longer there by its nature.
    const isHistory = roleOfPath(path) === "history";
    const examples = new Set(words.flatMap(({ text, isDeclared }) => (isDeclared === true ? [text] : [])));
    for (const [at, { nodeId, text, line, isInline }] of words.entries()) {
      const parts = partsOf(text);
      if (parts === undefined) continue;
      const { symbol, containers, lacking } = resolveParts(world, members, find, parts);
      // `Store.ts` is a file, not a member of `Store`.
      if (symbol < 0 && isFileName(text, fileNames)) continue;
      const add = (declared: number, order: number): void => {
        const named = joined.mainOf(declared);
        const key = `${nodeId} ${named}`;
        const known = found.get(key);
        // Where a section names the symbol itself, that says more than a name of a member.
        if (known !== undefined && (known.isWhole || order > 0)) return;
        const file = world.fileOf(named);
        const record = { nodeId, text, line, file, symbol: named - (world.first[file] as number) };
        found.set(key, { record, at: at + order / 100, isWhole: order === 0 });
      };
      if (symbol >= 0) add(symbol, 0);
      for (const [index, container] of containers.entries()) add(container, index + 1);
      // Where the code has a `Headers` of its own, pages may speak of the platform's all the same.
      if (lacking !== undefined && !isHistory && !isCommonGlobal(world.symbol(lacking.container).name)) {
        const message = describeMissing(world, lacking.container, lacking.name);
        if (!reported.has(message)) {
          diagnostics.push({ severity: "warning", code: "missing-symbol", message, path, line, collection });
        }
        reported.add(message);
      }
      if (isInline === true && !isHistory) {
        const isSettled = symbol >= 0 || lacking !== undefined;
        inline.push({ collection, path, line, text, parts, isSettled, isOfExample: examples.has(parts[0] as string) });
      }
    }
    mentions.push(...[...found.values()].sort((a, b) => a.at - b.at).map(({ record }) => record));
  }
  diagnostics.push(...findGoneNames(inline, world, exported, findInTexts));
  return mentions;
}

/** Whether a name is that of a file: of one of the corpus, or one with an ending of sources. */
function isFileName(text: string, fileNames: ReadonlySet<string>): boolean {
  return fileNames.has(text) || (codeLanguageOf(text) !== undefined && /^[\w-]+(?:\.[\w-]+)+$/.test(text));
}

interface Mention {
  readonly record: MentionRecord;
  /** Its place among the words of the page; containers of a member behind it. */
  readonly at: number;
  /** Whether the text names the symbol, and not only a member of it. */
  readonly isWhole: boolean;
}

interface Found {
  readonly symbol: Entity;
  /** What it is named as a member of, the innermost first. */
  readonly containers: readonly number[];
  readonly lacking?: { readonly container: number; readonly name: string };
}

function partsOf(text: string): string[] | undefined {
  const bare = text.trim().replace(/\s*\([^()]*\)$|;$/g, "");
  return bare.length > 200 || !NAMES.test(bare) ? undefined : bare.split(/\.#?|#|::|->/);
}

function resolveParts(
  world: CodeWorld,
  members: Members,
  find: (name: string) => Entity,
  parts: readonly string[],
): Found {
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const start = find(parts[dropped] as string);
    if (start < 0) continue;
    const rest = parts.slice(dropped + 1);
    if (rest.length === 0) return { symbol: isNamed(world, start, parts) ? start : NOTHING, containers: [] };
    return walkMembers(world, members, start, rest);
  }
  return { symbol: NOTHING, containers: [] };
}

/** Whether a name is enough: alone when it is long enough, behind others when those are the way to its file. */
function isNamed(world: CodeWorld, symbol: number, parts: readonly string[]): boolean {
  const before = parts.at(-2);
  if (before === undefined) return (parts[0] as string).length >= MIN_NAME;
  const place = world.places[world.fileOf(symbol)] as string;
  return place.split(/[/.]/).includes(before);
}

function walkMembers(world: CodeWorld, members: Members, start: number, names: readonly string[]): Found {
  let symbol = start;
  const containers: number[] = [];
  for (const name of names) {
    const isTyped = isContainer(world.symbol(symbol));
    const member = isTyped
      ? members.find(symbol, name, false)
      : (world.names(world.fileOf(symbol)).members.get(symbol)?.get(name)?.[0] ?? NOTHING);
    if (member === NOTHING) {
      const isKnown =
        isTyped && world.names(world.fileOf(symbol)).members.has(symbol) && !members.hasForeignBase(symbol);
      const around = isTyped ? [symbol, ...containers] : containers;
      return { symbol: NOTHING, containers: around, ...(isKnown && { lacking: { container: symbol, name } }) };
    }
    containers.unshift(symbol);
    symbol = member;
  }
  return { symbol, containers };
}

function describeMissing(world: CodeWorld, container: number, name: string): string {
  const known = world.names(world.fileOf(container)).members.get(container)?.keys() ?? [];
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? "" : `; the nearest is "${near}"`;
  return `names "${world.symbol(container).name}.${name}", which the code does not have${hint}`;
}

/** Exported symbols at the top of files, by name; parts and overloads in one file are one. */
function readExported(world: CodeWorld, { mainOf }: JoinedDeclarations): Map<string, Entity> {
  const exported = new Map<string, Entity>();
  for (const [file, { code }] of world.files.entries()) {
    const first = world.first[file] as number;
    for (const [index, { name, parent, flags }] of code.symbols.entries()) {
      if (parent >= 0 || !flags.includes("exported") || flags.includes("test")) continue;
      const known = exported.get(name);
      const main = mainOf(first + index);
      if (known === undefined) exported.set(name, main);
      else if (known !== main && known < first) exported.set(name, SEVERAL);
    }
  }
  return exported;
}

/** Names that languages and their platforms give to every program, and what pages call things in general. */
const GLOBALS: ReadonlySet<string> = new Set(
  [
    ...LANGUAGES.flatMap(({ globals = [] }) => globals),
    "camelCase PascalCase snake_case kebab_case DurableObject Foo Bar Baz Class Container Parent Child Sub Super",
    "GitHub GitLab GraphQL PostgreSQL MySQL MongoDB OpenAPI",
  ].flatMap((line) => line.split(" ")),
);
/** Errors and warnings of languages: `TypeError`, `ValueError`, `DeprecationWarning`. */
const RAISED =
  /^(?:Aggregate|Arithmetic|Assertion|Attribute|Connection|Deprecation|Encoding|Eval|FileNotFound|IO|Import|Index|Key|Lookup|Memory|ModuleNotFound|Name|NotImplemented|OS|Overflow|Permission|Range|Recursion|Reference|Resource|Runtime|Syntax|System|Timeout|Type|UR[IL]|Unicode|User|Value|ZeroDivision)?(?:Error|Exception|Warning)$/;

/** Whether a name is such a one. */
function isCommonGlobal(name: string): boolean {
  return GLOBALS.has(name) || RAISED.test(name);
}

interface InlineName {
  readonly collection: string;
  readonly path: string;
  readonly line: number;
  /** As written. */
  readonly text: string;
  /** The names of its chain. */
  readonly parts: readonly string[];
  /** Whether it leads to a symbol, or a finding says already that it does not. */
  readonly isSettled: boolean;
  /** Whether code blocks of the page declare or import it. */
  readonly isOfExample: boolean;
}

/** Those of some words that texts of source files hold. */
export type FindInTexts = (words: ReadonlySet<string>) => ReadonlySet<string>;

/** So many missing names more than there are others do not say that a page or collection is about other code. */
const SLACK = 5;
/** Names of several parts are names of code; a single word may be anything. */
const SEVERAL_PARTS = /^(?=.{5,})(?:[A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)$/;
const CALLED = /^[A-Za-z_$][\w$]{3,}\s*\([^()]*\)$/;
/** A type or class; a small letter begins a value, whose name is the page's own. */
const TYPE_NAME = /^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/;
/** Names of environment variables and error codes. */
const CAPITALS = /^[A-Z0-9_]+$/;
const FILE_ENDINGS = "mdx json json5 yml yaml toml xml html htm css scss less md txt lock env gradle";
const FILE_NAMES: ReadonlySet<string> = new Set([...CODE_ENDINGS, ...FILE_ENDINGS.split(" ")]);
/** Letters that a part of a name has at least to say what the name is about. */
const TELLING_PART = 4;
/** Parts that names of any code have. */
const VAGUE_PARTS: ReadonlySet<string> = new Set(
  "data error errors file item items list message name names number object string test tests time type types value values".split(
    " ",
  ),
);

/** Notes of the names that are missing, each once a page. */
function findGoneNames(
  names: readonly InlineName[],
  world: CodeWorld,
  exported: ReadonlyMap<string, Entity>,
  findInTexts: FindInTexts,
): LinkDiagnostic[] {
  const meant = names.filter(isNameOfCode);
  if (meant.every(({ isSettled }) => isSettled)) return [];
  const known = readIdentifiers(world);
  const isKnown = ({ parts, isSettled }: InlineName): boolean => isSettled || known.has(parts[0] as string);
  const unknown = meant.filter((name) => !isKnown(name));
  const inTexts = findInTexts(
    new Set(unknown.filter(({ parts }) => parts.length === 1).map(({ parts }) => parts[0] as string)),
  );
  const gone = new Set(unknown.filter(({ parts }) => parts.length > 1 || !inTexts.has(parts[0] as string)));
  const words = names.filter(({ parts, isSettled }) => isSettled || known.has(parts[0] as string));
  const isAboutThis = createBalance([...words, ...meant], gone);
  const describe = createDescriptions(world, exported);
  const seen = new Set<string>();
  return [...gone].flatMap((name): LinkDiagnostic[] => {
    const { collection, path, line } = name;
    const message = describe(name);
    const key = `${collection}:${path} ${message}`;
    if (message === undefined || seen.has(key) || name.isOfExample || !isAboutThis(name)) return [];
    seen.add(key);
    return [{ severity: "info", code: "unknown-name", message, path, line, collection }];
  });
}

/** Whether inline code is written like a name of code that is worth looking for. */
function isNameOfCode({ parts, text }: InlineName): boolean {
  const [first = ""] = parts;
  if (FILE_NAMES.has(parts.at(-1) as string) || CAPITALS.test(first) || isCommonGlobal(first)) return false;
  return parts.length > 1 ? TYPE_NAME.test(first) : SEVERAL_PARTS.test(first) || CALLED.test(text);
}

/** Names that sources declare, import or use without declaring them, members included. */
function readIdentifiers(world: CodeWorld): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { code } of world.files) {
    for (const { name } of code.symbols) known.add(name);
    for (const { imported, local } of code.imports) known.add(imported).add(local);
    for (const { target } of code.uses) {
      if (target.root.kind === "free") known.add(target.root.name);
      for (const member of target.members) known.add(member);
    }
  }
  return known;
}

/** Says of a name whether its page and its collection have enough others that are there. */
function createBalance(
  names: readonly InlineName[],
  gone: ReadonlySet<InlineName>,
): (name: Pick<InlineName, "collection" | "path">) => boolean {
  const balances = new Map<string, Map<string, boolean>>();
  const placesOf = ({ collection, path }: Pick<InlineName, "collection" | "path">): readonly string[] => [
    collection,
    `${collection}:${path}`,
  ];
  for (const name of names) {
    for (const place of placesOf(name)) {
      const own = balances.get(place) ?? new Map<string, boolean>();
      own.set(name.parts.join("."), gone.has(name));
      balances.set(place, own);
    }
  }
  const balanced = new Set(
    [...balances].flatMap(([place, own]) => {
      const missing = [...own.values()].filter((isGone) => isGone).length;
      const there = own.size - missing;
      return there > 0 && missing <= there + SLACK ? [place] : [];
    }),
  );
  return (name) => placesOf(name).every((place) => balanced.has(place));
}

/**
 * What a note says: the name, and what it may be now; undefined where nothing in the code is like it. A call is a name of
 * code whatever it is like.
 */
function createDescriptions(
  world: CodeWorld,
  exported: ReadonlyMap<string, Entity>,
): (name: InlineName) => string | undefined {
  const byPart = groupByPart([...exported.keys(), ...world.files.map(({ path }) => baseName(path))]);
  const byMember = groupByMember(world, exported);
  return ({ parts, text }) => {
    const [first = "", second] = parts;
    if (second !== undefined) {
      const [owner, other] = byMember.get(second) ?? [];
      if (owner === undefined) return undefined;
      const hint = other !== undefined ? "" : `; "${owner}" has "${second}"`;
      return `names "${parts.join(".")}", and no source file has "${first}"${hint}`;
    }
    const near = tellingParts(first).flatMap((part) => byPart.get(part) ?? []);
    const [best = near[0]] = nearestNames(first, near, 1);
    if (best === undefined && !CALLED.test(text)) return undefined;
    return `names "${first}", which no source file has${best === undefined ? "" : `; there is "${best}"`}`;
  };
}

/** Names of exported containers by the names of their members. */
function groupByMember(world: CodeWorld, exported: ReadonlyMap<string, Entity>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, symbol] of exported) {
    if (symbol < 0) continue;
    const members = world.names(world.fileOf(symbol)).members.get(symbol)?.keys() ?? [];
    for (const member of members) addToList(groups, member, name);
  }
  return groups;
}

function groupByPart(names: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    for (const part of tellingParts(name)) addToList(groups, part, name);
  }
  return groups;
}

function tellingParts(name: string): string[] {
  const parts = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? [];
  return [...new Set(parts.map((part) => part.toLowerCase()))].filter(
    (part) => part.length >= TELLING_PART && !VAGUE_PARTS.has(part),
  );
}
