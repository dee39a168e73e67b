/**
 * Tool `analyze_impact`: what may break when something changes, the nearest first, by package; behind it what only names its
 * types, then tests and the like, then pages. Over the budget names of symbols go first, then the end of the list, then files.
 */

import { namingIn, readsOfNaming } from "../../core/code/edges.ts";
import type { Reach, ReachPlace } from "../../core/code/reach.ts";
import { type Affected, findImpact } from "../../core/code/walks.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import { EDGE_KINDS } from "../../core/format/code-model.ts";
import { kindsOfMask, maskOf, TYPE_ONLY_MASK } from "../../core/format/reach-list.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { compareNames } from "../../core/text/names.ts";
import { type AnswerForm, listForms } from "../../surface/render/answer.ts";
import { cutList, formatCount, formatList, groupRuns } from "../../surface/render/text.ts";
import {
  asideFilesOf,
  describeTarget,
  findTargets,
  formatKinds,
  formatTarget,
  listFiles,
  type NamedFiles,
  nameFiles,
  placesOf,
  reachOf,
  TARGET_ALIASES,
  type Target,
} from "../find-target.ts";
import { defineTool, formatExample } from "../tool.ts";
import { openPlacesNotes } from "../word-places.ts";

const NAME = "analyze_impact";
/** Files of an answer, and files whose sections of pages are looked for. */
const MAX_FILES = 500;
const MAX_NAMING_FILES = 200;
/** Symbols of a file that are named in a line, and in JSON. */
const MAX_NAMED = 8;
const MAX_NAMED_JSON = 30;
/** Sections of pages that are listed, and that are named in text. */
const MAX_PAGES = 10;
const MAX_NAMED_PAGES = 3;
const TOP = "top of the file";

export const analyzeImpactTool = defineTool({
  name: NAME,
  description:
    "What may break when a symbol, file or package changes: what uses it, what uses that, and so on, the nearest first, by package; uses of types alone, tests and pages apart. Use before a change; next references or read.",
  parameters: {
    target: { kind: "text", required: true, aliases: TARGET_ALIASES },
    depth: { kind: "integer", default: 3, maximum: 10, aliases: ["max_depth"] },
    kinds: { kind: "choices", values: EDGE_KINDS, aliases: ["kind", "edge_kinds", "types"] },
    counts: { kind: "boolean", description: "numbers alone" },
  },
  example: { target: "Store.open" },
  isKept: true,
  usualTokens: 600,
  async run({ target: text, depth, kinds, counts: areCountsAsked = false }, { reader }) {
    const exampleOf = (target: string): string => formatExample(NAME, { target });
    const { targets, packages, notes } = await findTargets(reader, [text], exampleOf);
    const target = targets[0] as Target;
    const reach = await reachOf(reader, target);
    const changed = await placesOf(reader, target);
    const impact = findImpact(reach, changed, depth, kinds && maskOf(kinds));
    reader.countScored(impact.followed + impact.affected.length);
    const affected = impact.affected.filter((place) => !isOwnTop(target, place));
    const groups = groupRuns(affected, ({ file, level }) => `${file} ${level}`);
    const known = await listFiles(reader, reach.shard);
    const isAside = await asideFilesOf(reader, reach.shard);
    const isTest = (place: ReachPlace): boolean => isAside(place.file) || isInTest(reach, place);
    const ordered = orderGroups(groups, (file) => known[file] as (typeof known)[number], isTest);
    const own = [...new Set(changed.map(({ file }) => file))];
    const ids = own.slice(0, MAX_NAMING_FILES).flatMap((file) => known[file]?.id ?? []);
    const reads = readsOfNaming(reader, ids);
    const wanted = [...(target.kind === "symbol" ? own : []), ...ordered.map(({ file }) => file)];
    const names = await nameFiles(reader, reach.shard, wanted, reads);
    const described = describeTarget(target, packages, names);
    const naming = namingIn(reads, names.tables).filter(({ symbolId }) => isMeant(target, names, symbolId));
    // A section that names several members says so once for each line.
    const distinct = [...new Map(naming.map((page) => [`${page.nodeId} ${page.line}`, page])).values()];
    // What tells of older versions comes last.
    const isOfToday = ({ nodeId }: (typeof distinct)[number]): boolean => roleOf(reader, nodeId) === "production";
    const pages = distinct.sort((a, b) => Number(isOfToday(b)) - Number(isOfToday(a)));
    const code = ordered.filter(({ part }) => part === "affected");
    const impactOf = {
      target: described,
      depth,
      counts: countAll(ordered, code, names, pages.length),
      topsAlone: countTopsAlone(code),
      files: ordered.slice(0, MAX_FILES).map((group) => toFile(group, names)),
      pages: pages.slice(0, MAX_PAGES),
    };
    return {
      summary: summarize(impactOf),
      forms: areCountsAsked ? toForms(impactOf).slice(-1) : toForms(impactOf),
      notes: [
        ...notes,
        ...describeLimits(impact.guesses, ordered.length),
        ...(await openNotesOf(reader, target, names)),
      ],
    };
  },
});

/** The note on places of which it is not known whether they mean the symbol; none for what is no symbol. */
async function openNotesOf(reader: IndexReader, target: Target, { recordOf }: NamedFiles): Promise<string[]> {
  const inFile = target.kind === "symbol" ? recordOf(target.file) : undefined;
  const record = target.kind === "symbol" ? inFile?.symbols[target.symbols[0]] : undefined;
  return inFile === undefined || record === undefined ? [] : openPlacesNotes(reader, { record, inFile });
}

interface ShownImpact {
  /** What changes, as the caller can name it. */
  readonly target: { readonly kind: string; readonly id: string };
  readonly depth: number;
  /** How much there is, whatever is shown; symbols, files and packages without tests. */
  readonly counts: ReturnType<typeof countAll>;
  /** Files of which nothing but the top may break. */
  readonly topsAlone: number;
  readonly files: readonly AffectedFile[];
  /** Sections of pages that name what changes. */
  readonly pages: ReturnType<typeof namingIn>;
}

/** Parts of an answer, in their order: what runs, what only names types of it, tests and the like. */
const PARTS = ["affected", "types", "tests"] as const;

interface Group {
  readonly level: number;
  readonly file: number;
  readonly part: (typeof PARTS)[number];
  readonly places: readonly Affected[];
}

/** Whether a place is the top of the file that a symbol stands in, and does no more than import: that file is what changes. */
function isOwnTop(target: Target, { file, symbol, mask }: Affected): boolean {
  if (target.kind !== "symbol" || file !== target.file || symbol >= 0) return false;
  return kindsOfMask(mask).every((kind) => kind === "imports" || kind === "reexports");
}

/** By part, then by level, then by package, then by path. */
function orderGroups(
  groups: readonly (readonly Affected[])[],
  fileOf: NamedFiles["fileOf"],
  isTest: (place: ReachPlace) => boolean,
): Group[] {
  const partOf = (place: Affected): Group["part"] => (isTest(place) ? "tests" : place.isOfTypes ? "types" : "affected");
  return groups
    .flatMap((places): Group[] => {
      const { file, level } = places[0] as Affected;
      return [...Map.groupBy(places, partOf)].map(([part, own]) => ({ level, file, part, places: own }));
    })
    .sort(
      (a, b) =>
        PARTS.indexOf(a.part) - PARTS.indexOf(b.part) ||
        a.level - b.level ||
        compareNames(packageOf(fileOf, a.file), packageOf(fileOf, b.file)) ||
        a.file - b.file,
    );
}

/** Module and package of a file. */
function packageOf(fileOf: NamedFiles["fileOf"], file: number): string {
  const { module, package: name } = fileOf(file);
  return `${module}\n${name}`;
}

/** Whether a place is a test, or stands in one. */
function isInTest(reach: Reach, place: ReachPlace): boolean {
  for (let at = place.symbol; at >= 0; at = reach.containerOf(place.file, at)) {
    if (reach.natureOf(place.file, at) === "test") return true;
  }
  return false;
}

function toFile({ level, file, part, places }: Group, names: NamedFiles) {
  const record = names.recordOf(file);
  const symbols = places.map(({ symbol, mask }) => {
    const own = record?.symbols[symbol];
    return {
      symbol: own === undefined ? undefined : { path: own.path, kind: own.kind, line: own.at.line },
      kinds: kindsOfMask(mask),
      typeOnly: (mask & TYPE_ONLY_MASK) !== 0,
    };
  });
  const { id, module, package: name } = names.fileOf(file);
  const path = pathOf(id);
  const shown = record === undefined ? undefined : symbols;
  return { level, part, module, package: name, file: id, path, count: countSymbols(places), symbols: shown };
}

/** What of one file is so many steps away, by name where its symbols were read. */
type AffectedFile = ReturnType<typeof toFile>;

/** Without the top of the file. */
function countSymbols(places: readonly Affected[]): number {
  return places.filter(({ symbol }) => symbol >= 0).length;
}

function countAll(groups: readonly Group[], code: readonly Group[], names: NamedFiles, pages: number) {
  const files = new Set(code.map(({ file }) => file));
  const packages = new Set([...files].map((file) => packageOf(names.fileOf, file)));
  const ofTypes = groups.filter(({ part }) => part === "types");
  return {
    symbols: code.reduce((sum, { places }) => sum + countSymbols(places), 0),
    files: files.size,
    packages: packages.size,
    typeSymbols: ofTypes.reduce((sum, { places }) => sum + countSymbols(places), 0),
    typeFiles: new Set(ofTypes.map(({ file }) => file)).size,
    testFiles: new Set(groups.flatMap(({ part, file }) => (part === "tests" ? [file] : []))).size,
    pages,
  };
}

/** Files of which nothing but the top may break. */
function countTopsAlone(code: readonly Group[]): number {
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

function describeLimits(guesses: number, files: number): string[] {
  const guessed = guesses > 0 ? `${guesses} more may use it, by name alone; references shows them. ` : "";
  return [
    `${guessed}Not followed: guesses by name, calls through values of unknown type, other dynamic use.`,
    ...(files > MAX_FILES ? [`Of ${files} files the first ${MAX_FILES} are listed; a smaller depth finds fewer.`] : []),
  ];
}

/** `A change of main may break 5 symbols in 3 files of 2 packages …`. */
function summarize({ target, depth, counts, topsAlone }: ShownImpact): string {
  const { symbols, files, packages, typeSymbols, typeFiles, testFiles, pages } = counts;
  const name = formatTarget(target);
  const within = `within ${formatCount(depth, "step")}`;
  const ofTypes = `${formatCount(typeSymbols, "symbol")} in ${formatCount(typeFiles, "file")} by types alone`;
  const rest = [
    ...(typeFiles > 0 && files > 0 ? [ofTypes] : []),
    ...(testFiles > 0 ? [formatCount(testFiles, "test file")] : []),
    ...(pages > 0 ? [`${formatCount(pages, "section")} of pages`] : []),
  ];
  const beside = rest.length > 0 ? `; beside that ${rest.join(", ")}` : "";
  if (files === 0 && typeFiles > 0) return `A change of ${name} may break ${ofTypes} ${within}${beside}`;
  if (files === 0) return `Nothing was found that a change of ${name} may break ${within}${beside}`;
  const of = `of ${formatCount(packages, "package")}`;
  const inFiles = `${formatCount(symbols, "symbol")} in ${formatCount(files - topsAlone, "file")}`;
  const tops = `the top of ${formatCount(topsAlone, symbols > 0 ? "more file" : "file")}`;
  const what =
    topsAlone === 0 ? `${inFiles} ${of}` : symbols === 0 ? `${tops} ${of}` : `${inFiles} and ${tops}, ${of},`;
  return `A change of ${name} may break ${what} ${within}${beside}`;
}

/** Forms from symbols by name to counts of packages. */
function toForms(impact: ShownImpact): AnswerForm[] {
  const { files, target, depth, counts, pages } = impact;
  const head = { target, depth, counts };
  const named = pages.slice(0, MAX_NAMED_PAGES).map(({ nodeId, line }) => `${nodeId} line ${line}`);
  const packages = packagesOf(files);
  const split = <Row>(shown: readonly AffectedFile[], toRow: (file: AffectedFile) => Row) =>
    Object.fromEntries(PARTS.map((part) => [part, shown.filter((file) => file.part === part).map(toRow)]));
  // What is cut first are tests.
  const { length } = files.filter(({ part }) => part !== "tests");
  const lists = listForms(files, [["symbols", true, Math.max(1, length)] as const, ["files", false, 5] as const], {
    blocks: (shown, isNamed) =>
      groupRuns(shown, headOfBlock).map((own) =>
        formatList(
          headOfBlock(own[0] as AffectedFile),
          own.map((file) => lineOf(file, isNamed)),
        ),
      ),
    toJson: (shown, isNamed) => ({ ...head, ...split(shown, (file) => fileToJson(file, isNamed)), pages }),
    toToon: (shown, isNamed) => ({
      target: target.id,
      depth,
      ...counts,
      ...split(shown, ({ level, package: name, path, count, symbols }) => ({
        level,
        package: name,
        file: path,
        symbols: isNamed && symbols !== undefined ? listSymbols(symbols) : count,
      })),
      namedIn: pages.map(({ nodeId, line }) => ({ section: nodeId, line })),
    }),
    tail: pages.length === 0 ? "" : formatList("pages that name it", named, counts.pages - named.length),
  });
  const byPackage: AnswerForm = {
    detail: "counts by package",
    blocks: () => packages.map(formatPackage),
    joined: true,
    perItem: false,
    json: (shown) => ({ ...head, packages: packages.slice(0, shown) }),
    more: "A smaller depth shows less.",
  };
  return [...lists, byPackage];
}

/** One block for each level and package, one for the tests. */
function headOfBlock({ level, part, module, package: name }: AffectedFile): string {
  const away = `${formatCount(level, "step")} away`;
  if (part === "tests") return `tests, ${away}`;
  return part === "types" ? `types alone, ${away}` : `${away}, package ${name} of ${module}`;
}

function lineOf({ path, symbols, count }: AffectedFile, isNamed: boolean): string {
  if (isNamed && symbols !== undefined) return `${path}: ${listSymbols(symbols)}`;
  return `${path} (${count === 0 ? TOP : formatCount(count, "symbol")})`;
}

/** That the top of the file imports what others use goes without saying. */
function listSymbols(symbols: NonNullable<AffectedFile["symbols"]>): string {
  const [{ symbol: first, kinds: ofFirst } = { symbol: undefined, kinds: [] }, ...others] = symbols;
  const isImport = first === undefined && others.length > 0 && ofFirst.every((kind) => kind === "imports");
  const names = (isImport ? others : symbols).map(({ symbol, kinds, typeOnly }) => {
    const name = symbol === undefined ? TOP : `${symbol.path} @${symbol.line}`;
    return `${name} (${formatKinds(kinds, typeOnly)})`;
  });
  return cutList(names, MAX_NAMED).join(", ");
}

/** Packages with their numbers of files and the steps to the nearest one, the nearest first. */
function packagesOf(files: readonly AffectedFile[]) {
  const groups = Map.groupBy(files, ({ module, package: name }) => JSON.stringify([module, name]));
  return [...groups.values()].map((own) => {
    const { module, package: name, level } = own[0] as AffectedFile;
    // Of a file that is so many steps away in several ways the nearest counts.
    const nearest = [...new Map(own.toReversed().map((one) => [one.file, one])).values()];
    const testFiles = nearest.filter(({ part }) => part === "tests").length;
    return { module, package: name, level, files: nearest.length - testFiles, testFiles };
  });
}

function formatPackage({
  module,
  package: name,
  level,
  files,
  testFiles,
}: ReturnType<typeof packagesOf>[number]): string {
  const tests = testFiles > 0 ? `, ${formatCount(testFiles, "test file")}` : "";
  return `package ${name} of ${module}: ${formatCount(files, "file")}${tests}, ${formatCount(level, "step")} away`;
}

function fileToJson({ level, module, package: name, file, path, count, symbols }: AffectedFile, isNamed: boolean) {
  return {
    level,
    module,
    package: name,
    file,
    filePath: path,
    count,
    ...(isNamed &&
      symbols !== undefined && {
        symbols: symbols.slice(0, MAX_NAMED_JSON).map(({ symbol, kinds, typeOnly }) => ({
          id: symbol === undefined ? file : `${file}#${symbol.path}`,
          ...(symbol !== undefined && { kind: symbol.kind, line: symbol.line }),
          uses: kinds,
          typeOnly,
        })),
      }),
  };
}
