/**
 * Tool `describe_package`: what can be imported from a package, module by module, what it depends on, what depends on it. A
 * package is named as imports name it (`zod`, `zod/mini`), or by its folder.
 */

import {
  type LoadedExport,
  loadExports,
  modulesBelow,
  neighboursOf,
  type PlacedPackage,
  readGiven,
  readModules,
  readPackageNames,
  readPackages,
  readsOfPackages,
} from "../../core/code/packages.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import type { Bounded, PackageEntry } from "../../core/format/package-entry.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { type AnswerForm, listForms } from "../../surface/render/answer.ts";
import { exportBlocks, exportRows, formatPart } from "../../surface/render/symbols.ts";
import { cutList, formatCount } from "../../surface/render/text.ts";
import { expectCode } from "../find-named.ts";
import { asideNotes, findPackage, nameOfPackage, TESTS } from "../find-target.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "describe_package";
/** Neighbours of a line. */
const MAX_NAMED = 4;
const MAX_MODULES = 12;
/** Further names that are shown without their signatures. */
const MAX_FURTHER = 12;

export const describePackageTool = defineTool({
  name: NAME,
  description:
    "What a package or module (zod, zod/mini) gives to importers, with signatures; what it depends on, what depends on it.",
  parameters: {
    package: { kind: "text", required: true, aliases: ["name", "target", "package_name", "id", "query", "q"] },
    tests: TESTS,
    limit: { kind: "integer", default: 8, maximum: 200 },
  },
  pages: true,
  example: { package: "store" },
  isKept: true,
  async run({ package: text, tests = false, limit }, { reader, offset }) {
    expectCode(reader);
    const all = await readModules(reader, readsOfPackages(reader));
    const packages = await readPackages(reader);
    const wanted = text.trim();
    const named = modulesBelow(all, wanted);
    const names = all.map(({ name }) => name);
    const example = (name: string): string => formatExample(NAME, { package: name });
    const own =
      named.length > 0 ? packagesOf(packages, named, wanted) : [findPackage(packages, wanted, example, names)];
    const [entry] = own as [PlacedPackage];
    const modules = named.length > 0 ? named : all.filter(({ name }) => entry.modules.list.includes(name));
    const page = await readPage(reader, entry, modules, offset, limit);
    const name = named.length > 0 ? wanted : entry.name;
    const described = {
      ...{ name, module: entry.module, modules, total: page.total },
      packages: own.length > 1 ? own.map((one) => nameOfPackage(packages, one)) : [],
      files: own.reduce((sum, { files }) => sum + files, 0),
      symbols: own.reduce((sum, { symbols }) => sum + symbols, 0),
    };
    // Those of several packages lie between them for the most part.
    const { aside, ...lists } = own.length > 1 ? NO_NEIGHBOURS : neighboursOf(entry, tests);
    const neighbours = {
      imports: nameNeighbours(packages, lists.imports),
      importedBy: nameNeighbours(packages, lists.importedBy),
      external: lists.external,
    };
    const counts = [
      formatCount(described.files, "file"),
      formatCount(described.symbols, "symbol"),
      `${formatCount(page.total, "export")}${modules.length > 1 ? ` of ${modules.length} modules` : ""}`,
    ];
    const of = entry.module === name ? "" : ` of ${entry.module}`;
    return {
      summary: `Package ${name}${of}: ${counts.join(", ")}${formatPart(offset, page.items.length, page.total)}`,
      forms: toForms(described, neighbours, page),
      notes: asideNotes(aside, "import"),
      page: { offset, total: page.total, items: "exports" },
    };
  },
});

const NONE = { total: 0, list: [] };
const NO_NEIGHBOURS = { aside: 0, imports: NONE, importedBy: NONE, external: NONE };

type Modules = ReturnType<typeof modulesBelow>;

/** The packages that hold a module or what its name stands in front of: of that name, of a manifest of that name, else theirs. */
function packagesOf(packages: readonly PlacedPackage[], modules: Modules, text: string): readonly PlacedPackage[] {
  const byName = packages.filter(({ name }) => name === text);
  const byModule = packages.filter(({ module }) => module === text);
  const holding = packages.filter((one) => modules.some(({ name }) => one.modules.list.includes(name)));
  return [byName, byModule, holding].find(({ length }) => length > 0) ?? packages.slice(0, 1);
}

/** An exported name with the module that gives it; `""` of a package that nothing says how to import. */
interface GivenExport extends LoadedExport {
  readonly from: string;
}

/** Names from one place on in those of all modules, one module after the other. Two waves. */
async function readPage(reader: IndexReader, entry: PlacedPackage, modules: Modules, offset: number, limit: number) {
  const files = modules.map(({ file }) => file);
  const given =
    modules.length === 0 ? [{ names: await readPackageNames(reader, entry) }] : await readGiven(reader, files);
  const all = given.flatMap(({ names }, at) => names.map((one) => ({ ...one, from: modules[at]?.name ?? "" })));
  const behind = all.slice(offset);
  const loaded = await loadExports(reader, behind.slice(0, limit));
  const items = loaded.map((one, at): GivenExport => ({ ...one, from: behind[at]?.from ?? "" }));
  /** Names of the last module that are not on the page. */
  const further = behind.slice(limit).flatMap(({ from, name }) => (from === items.at(-1)?.from ? [name] : []));
  return { items, further, total: all.length };
}

type Neighbour = Bounded<{ readonly name: string; readonly weight: number }>;

/** Neighbours by the names that callers give. */
function nameNeighbours(
  packages: readonly PlacedPackage[],
  { total, list }: Bounded<Omit<PackageEntry["imports"]["list"][number], "aside">>,
): Neighbour {
  return { total, list: list.map((other) => ({ name: nameOfPackage(packages, other), weight: other.weight })) };
}

interface Described {
  readonly name: string;
  readonly module: string;
  readonly modules: Modules;
  /** Where several make it up. */
  readonly packages: readonly string[];
  readonly files: number;
  readonly symbols: number;
  readonly total: number;
}

/** Exports with signatures, then without, under the neighbours. */
function toForms(
  { name, module, modules, packages, files, symbols, total }: Described,
  { imports, importedBy, external }: Record<"imports" | "importedBy" | "external", Neighbour>,
  { items, further }: Awaited<ReturnType<typeof readPage>>,
): AnswerForm[] {
  const names = (list: Neighbour): string[] =>
    cutList(
      list.list.map((one) => one.name),
      MAX_NAMED,
      list.total,
    );
  const counted = modules.map((one) => `${one.name} (${one.total})`);
  const around = [
    ...(modules.length > 1 ? [`modules ${cutList(counted, MAX_MODULES).join(", ")}`] : []),
    ...(packages.length > 0
      ? [`packages ${packages.join(", ")}`]
      : [
          `depends on ${formatNeighbours(imports)}`,
          `depended on by ${formatNeighbours(importedBy)}`,
          `external ${formatNeighbours(external)}`,
        ]),
  ].join("\n");
  return listForms(items, [["signatures", true] as const, ["names", false] as const], {
    blocks: (shown, withSignature) => [
      around,
      ...[...Map.groupBy(shown, ({ from }) => from)].flatMap(([from, own]) => {
        const file = modules.find((one) => one.name === from)?.file;
        return exportBlocks(file === undefined ? "" : `${from} (${pathOf(file)})`, own, withSignature);
      }),
    ],
    ...(further.length > 0 && { tail: `then ${cutList(further, MAX_FURTHER).join(", ")}` }),
    toJson: (shown, withSignature) => ({
      name,
      module,
      files,
      symbols,
      ...(packages.length > 0 && { packages }),
      modules: modules.map((one) => ({ name: one.name, filePath: pathOf(one.file), exports: one.total })),
      imports: [...imports.list, ...external.list].map((one) => one.name),
      dependsOn: imports.list,
      dependsOnTotal: imports.total,
      dependedOnBy: importedBy.list,
      dependedOnByTotal: importedBy.total,
      external: external.list,
      externalTotal: external.total,
      exportTotal: total,
      exports: exportRows(shown, withSignature).map((row, at) => ({
        id: shown[at]?.symbol?.id ?? shown[at]?.target,
        ...row,
        from: shown[at]?.from,
      })),
    }),
    toToon: (shown, withSignature) => ({
      module,
      package: name,
      ...(modules.length > 1 && { modules: cutList(counted, MAX_MODULES) }),
      depends: names(imports),
      imports: names({ total: imports.total + external.total, list: [...imports.list, ...external.list] }),
      dependedOnBy: names(importedBy),
      external: names(external),
      files,
      symbols,
      exportCount: total,
      exports: exportRows(shown, withSignature).map((row, at) => ({
        ...(modules.length > 1 && { from: shown[at]?.from }),
        ...row,
      })),
    }),
    more: "inspect shows one of them, get_tree a file.",
  });
}

/** `util (3 imports), main (1 import), +2`. */
function formatNeighbours({ total, list }: Neighbour): string {
  const names = list.map(({ name, weight }) => `${name} (${formatCount(weight, "import")})`);
  return total === 0 ? "nothing" : cutList(names, MAX_NAMED, total).join(", ");
}
