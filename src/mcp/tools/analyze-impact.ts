/**
 * Tool `analyze_impact`: what may break when something changes.
 */

import { namingIn, readsOfNaming } from "../../core/code/edges.ts";
import type { Reach } from "../../core/code/reach.ts";
import { type Affected, findImpact, type Impact } from "../../core/code/walks.ts";
import { kindsOfMask, TYPE_ONLY_MASK } from "../../core/format/reach-list.ts";
import { compareNames } from "../../core/text/names.ts";
import {
  type AffectedFile,
  type ImpactCounts,
  impactForms,
  type NamingPage,
  type ShownAffected,
  summarizeImpact,
} from "../../surface/render/impact.ts";
import { formatExample } from "../arguments.ts";
import {
  describeTarget,
  findTargets,
  isTestPlace,
  type KnownFile,
  listFiles,
  type NamedFiles,
  nameFiles,
  placesOf,
  reachOf,
  TARGET_ALIASES,
  type Target,
} from "../find-target.ts";
import { defineTool } from "../tool.ts";

const NAME = "analyze_impact";
/** Files of an answer, and files whose sections of pages are looked for. */
const MAX_FILES = 500;
const MAX_NAMING_FILES = 200;

export const analyzeImpactTool = defineTool({
  name: NAME,
  description:
    "What may break when a symbol, file or package changes: what uses it, what uses that, and so on, the nearest first, by package, with tests and pages apart. Use before a change; next references or read.",
  parameters: {
    target: { kind: "text", required: true, aliases: TARGET_ALIASES },
    depth: { kind: "integer", default: 3, maximum: 10, aliases: ["max_depth"] },
  },
  example: { target: "Store.open" },
  isKept: true,
  async run({ target: text, depth }, { reader }) {
    const exampleOf = (target: string): string => formatExample({ name: NAME, example: { target } });
    const { targets, packages, notes } = await findTargets(reader, [text], exampleOf);
    const target = targets[0] as Target;
    const reach = await reachOf(reader, target);
    const changed = await placesOf(reader, target);
    const impact = await findImpact(reach, changed, depth);
    reader.countScored(impact.followed + impact.affected.length);
    const groups = groupByFile(impact.affected.filter((place) => !isOwnTop(target, place)));
    const known = await listFiles(reader, reach.shard);
    const ordered = orderGroups(reach, groups, (file) => known?.[file]);
    const own = [...new Set(changed.map(({ file }) => file))];
    const ids = own.slice(0, MAX_NAMING_FILES).flatMap((file) => known?.[file]?.id ?? []);
    const reads = readsOfNaming(reader, ids);
    const wanted = [...(target.kind === "symbol" ? own : []), ...ordered.map(({ file }) => file)];
    const names = await nameFiles(reader, reach.shard, wanted, reads);
    const described = describeTarget(target, packages, names);
    const naming = namingIn(reads, names.tables).filter(({ symbolId }) => isMeant(target, names, symbolId));
    // A section that names several members says so once for each line.
    const pages = [...new Map(naming.map((page) => [`${page.nodeId} ${page.line}`, page])).values()];
    const shown = {
      target: described,
      depth,
      counts: countAll(ordered, names, pages),
      topsAlone: countTopsAlone(ordered),
      files: ordered.slice(0, MAX_FILES).flatMap((group) => toFile(group, names)),
      pages,
    };
    return {
      summary: summarizeImpact(shown),
      forms: impactForms(shown),
      notes: [...notes, ...describeLimits(impact, ordered.length)],
    };
  },
});

/** What of one file is so many steps away. */
interface Group {
  readonly level: number;
  readonly file: number;
  readonly isTest: boolean;
  readonly places: readonly Affected[];
}

/** Whether a place is the top of the file that a symbol stands in, and does no more than import: that file is what changes. */
function isOwnTop(target: Target, { file, symbol, mask }: Affected): boolean {
  if (target.kind !== "symbol" || file !== target.file || symbol >= 0) return false;
  return kindsOfMask(mask).every((kind) => kind === "imports" || kind === "reexports");
}

function groupByFile(affected: readonly Affected[]): Affected[][] {
  const groups: Affected[][] = [];
  for (const place of affected) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.file === place.file && last[0].level === place.level) last.push(place);
    else groups.push([place]);
  }
  return groups;
}

/** Tests behind the others; each by level, then by package, then by path. */
function orderGroups(
  reach: Reach,
  groups: readonly (readonly Affected[])[],
  fileOf: (file: number) => KnownFile | undefined,
): Group[] {
  const packageOf = ({ file }: Group): string => {
    const known = fileOf(file);
    return known === undefined ? "" : `${known.module}\n${known.package}`;
  };
  return groups
    .flatMap((places): Group[] => {
      const { file, level } = places[0] as Affected;
      const isTest = (place: Affected): boolean => isTestPlace(reach, fileOf(file), place);
      const parts = [places.filter((place) => !isTest(place)), places.filter(isTest)];
      return parts.flatMap((part, at) => (part.length > 0 ? [{ level, file, isTest: at === 1, places: part }] : []));
    })
    .sort(
      (a, b) =>
        Number(a.isTest) - Number(b.isTest) ||
        a.level - b.level ||
        compareNames(packageOf(a), packageOf(b)) ||
        a.file - b.file,
    );
}

function toFile({ level, file, isTest, places }: Group, names: NamedFiles): AffectedFile[] {
  const known = names.fileOf(file);
  if (known === undefined) return [];
  const record = names.recordOf(file);
  const symbols = places.map(({ symbol, mask }): ShownAffected => {
    const own = record?.symbols[symbol];
    return {
      symbol: own === undefined ? undefined : { path: own.path, kind: own.kind, line: own.at.line },
      kinds: kindsOfMask(mask),
      typeOnly: (mask & TYPE_ONLY_MASK) !== 0,
    };
  });
  const { id, module, package: name } = known;
  return [
    {
      level,
      isTest,
      module,
      package: name,
      file: id,
      count: countSymbols(places),
      symbols: record === undefined ? undefined : symbols,
    },
  ];
}

/** Without the top of the file. */
function countSymbols(places: readonly Affected[]): number {
  return places.filter(({ symbol }) => symbol >= 0).length;
}

function countAll(groups: readonly Group[], names: NamedFiles, pages: readonly NamingPage[]): ImpactCounts {
  const code = groups.filter(({ isTest }) => !isTest);
  const files = new Set(code.map(({ file }) => file));
  const packages = new Set(
    [...files].map((file) => {
      const known = names.fileOf(file);
      return known === undefined ? "" : `${known.module}\n${known.package}`;
    }),
  );
  return {
    symbols: code.reduce((sum, { places }) => sum + countSymbols(places), 0),
    files: files.size,
    packages: packages.size,
    testFiles: new Set(groups.flatMap(({ isTest, file }) => (isTest ? [file] : []))).size,
    pages: pages.length,
  };
}

/** Files, without tests, of which nothing but the top may break. */
function countTopsAlone(groups: readonly Group[]): number {
  const code = groups.filter(({ isTest }) => !isTest);
  const withSymbols = new Set(code.flatMap(({ file, places }) => (countSymbols(places) > 0 ? [file] : [])));
  return new Set(code.map(({ file }) => file)).size - withSymbols.size;
}

/** Whether what a page names is what changes: the symbol, one of its members, anything of a file or package. */
function isMeant(target: Target, names: NamedFiles, symbolId: string): boolean {
  if (target.kind !== "symbol") return true;
  const record = names.recordOf(target.file);
  return target.symbols.some((symbol) => {
    const id = `${record?.id}#${record?.symbols[symbol]?.path}`;
    return symbolId === id || symbolId.startsWith(`${id}.`);
  });
}

function describeLimits({ endedAt, guesses }: Impact, files: number): string[] {
  const guessed = guesses > 0 ? `${guesses} more may use it, by name alone; references shows them. ` : "";
  return [
    `${guessed}Not followed: guesses by name, calls through values of unknown type, other dynamic use.`,
    ...(endedAt === undefined
      ? []
      : [`The index is large: not all that is more than ${endedAt} steps away was read. Ask for a part of it.`]),
    ...(files > MAX_FILES ? [`Of ${files} files the first ${MAX_FILES} are listed; a smaller depth finds fewer.`] : []),
  ];
}
