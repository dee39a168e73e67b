/**
 * Sections of pages that name symbols, in inline code or a code block: exactly one exported symbol of that name, or a
 * member behind the name of its container (`Store.open`, `Store#open()`, `Store::open`).
 *
 * What names a member names its container as well, behind the member: `Store.open` has to change when `Store` does.
 *
 * A name whose container exists and does not have the member is reported: the page says what the code no longer has.
 * Containers with a base outside of the corpus are left out of that. Names in inline code of which the code has nothing are
 * noted (`gone-names.ts`).
 */
import type { MentionRecord } from "../../../src/core/format/code-model.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import type { CodeWorld, Entity } from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { isContainer, NOTHING } from "../../languages/base/world.ts";
import type { JoinedDeclarations } from "./declared-names.ts";
import { type FindInTexts, findGoneNames, type InlineName, isCommonGlobal } from "./gone-names.ts";
import type { Members } from "./references.ts";

/** A text that may name a symbol. */
export interface CodeWord {
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

/** A page with its words. */
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
  const inline: InlineName[] = [];
  for (const { collection, path, words } of pages) {
    const found = new Map<string, Mention>();
    const reported = new Set<string>();
    const examples = new Set(words.flatMap(({ text, isDeclared }) => (isDeclared === true ? [text] : [])));
    for (const [at, { nodeId, text, line, isInline }] of words.entries()) {
      const parts = partsOf(text);
      if (parts === undefined) continue;
      const { symbol, containers, lacking } = resolveParts(world, members, find, parts);
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
      if (lacking !== undefined && !isCommonGlobal(world.symbol(lacking.container).name)) {
        const message = describeMissing(world, lacking.container, lacking.name);
        if (!reported.has(message)) {
          diagnostics.push({ severity: "warning", code: "missing-symbol", message, path, line, collection });
        }
        reported.add(message);
      }
      if (isInline === true) {
        const isSettled = symbol >= 0 || lacking !== undefined;
        inline.push({ collection, path, line, text, parts, isSettled, isOfExample: examples.has(parts[0] as string) });
      }
    }
    mentions.push(...[...found.values()].sort((a, b) => a.at - b.at).map(({ record }) => record));
  }
  diagnostics.push(...findGoneNames(inline, world, exported, findInTexts));
  return mentions;
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
