/**
 * Names in inline code of pages that nothing in the code answers to: after a rename, pages that still say the old name.
 *
 * A page does not say of whose code it speaks, so these are notes, and only of pages whose other names are mostly those of
 * this code: most names of a page about another library are missing here. A name counts as missing where no source file
 * declares, imports or uses it, and no text of a source file holds it as a word. Globals of languages and names of
 * environment variables are left out.
 */

import { CODE_ENDINGS } from "../../../src/core/text/code-languages.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import type { CodeWorld, Entity } from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { addToList, baseName } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";

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
export function isCommonGlobal(name: string): boolean {
  return GLOBALS.has(name) || RAISED.test(name);
}

/** A name in inline code. */
export interface InlineName {
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
const FILE_ENDINGS = "mdx json json5 yml yaml toml xml html htm css scss less vue svelte md txt lock env gradle";
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
export function findGoneNames(
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
  let byPart: Map<string, string[]> | undefined;
  let byMember: Map<string, string[]> | undefined;
  return ({ parts, text }) => {
    const [first = "", second] = parts;
    if (second !== undefined) {
      byMember ??= groupByMember(world, exported);
      const [owner, other] = byMember.get(second) ?? [];
      if (owner === undefined) return undefined;
      const hint = other !== undefined ? "" : `; "${owner}" has "${second}"`;
      return `names "${parts.join(".")}", and no source file has "${first}"${hint}`;
    }
    byPart ??= groupByPart([...exported.keys(), ...world.files.map(({ path }) => baseName(path))]);
    const near = tellingParts(first).flatMap((part) => byPart?.get(part) ?? []);
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
