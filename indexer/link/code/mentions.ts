/**
 * Sections of pages that name symbols, in inline code or a code block: exactly one exported symbol of that name, or a
 * member behind the name of its container (`Store.open`, `Store#open()`, `Store::open`).
 *
 * A name whose container exists and does not have the member is reported: the page says what the code no longer has.
 * Containers with a base outside of the corpus are left out of that. A plain name in inline code that the code does not
 * have, and that is like one that it has, is noted. Pure.
 */
import type { MentionRecord } from "../../../src/core/format/code-records.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { addToList } from "./add-to-list.ts";
import { type CodeWorld, type Entity, isContainer, NOTHING } from "./code-world.ts";
import type { JoinedDeclarations } from "./join-declarations.ts";
import type { LinkDiagnostic } from "./manifests.ts";
import type { Members } from "./members.ts";

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
  diagnostics: LinkDiagnostic[],
): MentionRecord[] {
  const mentions: MentionRecord[] = [];
  const exported = readExported(world, joined);
  const find = (name: string): Entity => exported.get(name) ?? NOTHING;
  const gone = createGoneNames(world, exported);
  for (const { collection, path, words } of pages) {
    const seen = new Set<string>();
    for (const { nodeId, text, line, isInline } of words) {
      const parts = partsOf(text);
      if (parts === undefined) continue;
      const found = resolveParts(world, members, find, parts);
      if (found.symbol >= 0) {
        const symbol = joined.mainOf(found.symbol);
        const key = `${nodeId} ${symbol}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const file = world.fileOf(symbol);
        mentions.push({ nodeId, text, line, file, symbol: symbol - (world.first[file] as number) });
      } else if (found.lacking !== undefined) {
        const message = describeMissing(world, found.lacking.container, found.lacking.name);
        const key = `missing ${message}`;
        if (seen.has(key)) continue;
        seen.add(key);
        diagnostics.push({ severity: "warning", code: "missing-symbol", message, path, line, collection });
      } else if (isInline === true && parts.length === 1) {
        const message = gone(parts[0] as string);
        if (message === undefined || seen.has(message)) continue;
        seen.add(message);
        diagnostics.push({ severity: "info", code: "unknown-name", message, path, line, collection });
      }
    }
  }
  return mentions;
}

interface Found {
  readonly symbol: Entity;
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
    if (rest.length === 0) return { symbol: isNamed(world, start, parts) ? start : NOTHING };
    return walkMembers(world, members, start, rest);
  }
  return { symbol: NOTHING };
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
  for (const name of names) {
    const isTyped = isContainer(world.symbol(symbol));
    const member = isTyped
      ? members.find(symbol, name, false)
      : (world.names(world.fileOf(symbol)).members.get(symbol)?.get(name)?.[0] ?? NOTHING);
    if (member === NOTHING) {
      const isKnown =
        isTyped && world.names(world.fileOf(symbol)).members.has(symbol) && !members.hasForeignBase(symbol);
      return isKnown ? { symbol: NOTHING, lacking: { container: symbol, name } } : { symbol: NOTHING };
    }
    symbol = member;
  }
  return { symbol };
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

/** Letters that a part of a name has at least to say what the name is about. */
const TELLING_PART = 4;
/** Names of several parts are names of code; a single word may be anything. */
const SEVERAL_PARTS = /^(?=.{5,})(?:[A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)$/;

/**
 * Says of a plain name that no source file declares or imports what it may have been: it shares a part with names that are
 * exported (`formatLamp` where there is `showLamp`). Undefined for all other names. A page does not say of whose code it
 * speaks, so this is a note and not a fault.
 */
function createGoneNames(
  world: CodeWorld,
  exported: ReadonlyMap<string, Entity>,
): (name: string) => string | undefined {
  let known: Set<string> | undefined;
  let byPart: Map<string, string[]> | undefined;
  return (name) => {
    if (!SEVERAL_PARTS.test(name)) return undefined;
    known ??= new Set(
      world.files.flatMap(({ code }) => [
        ...code.symbols.map((symbol) => symbol.name),
        ...code.imports.flatMap(({ imported, local }) => [imported, local]),
      ]),
    );
    if (known.has(name)) return undefined;
    byPart ??= groupByPart(exported.keys());
    const near = tellingParts(name).flatMap((part) => byPart?.get(part) ?? []);
    if (near.length === 0) return undefined;
    const [best = near[0]] = nearestNames(name, near, 1);
    return `names "${name}", which no source file declares; there is "${best}"`;
  };
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
  return [...new Set(parts.map((part) => part.toLowerCase()))].filter((part) => part.length >= TELLING_PART);
}
