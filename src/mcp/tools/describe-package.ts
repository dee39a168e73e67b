/**
 * Tool `describe_package`: what a package exports, what it depends on, what depends on it. Over the budget signatures go first,
 * then the end of the exports.
 */

import { neighboursOf, type PlacedPackage, readExports, readPackages } from "../../core/code/packages.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { SYMBOL_KIND_NAMES } from "../../core/format/code-model.ts";
import type { Bounded, ExternalNeighbour, PackageExport, PackageNeighbour } from "../../core/format/package-entry.ts";
import { type AnswerForm, listForms } from "../../surface/render/answer.ts";
import { cutList, formatCount } from "../../surface/render/numbers.ts";
import { formatPosition, previewSignature, quoteSignature } from "../../surface/render/symbols.ts";
import { formatList } from "../../surface/render/text.ts";
import { formatExample } from "../arguments.ts";
import { expectCode } from "../find-named.ts";
import { asideNotes, findPackage, nameOfPackage, TESTS } from "../find-target.ts";
import { defineTool } from "../tool.ts";

const NAME = "describe_package";
/** Neighbours of a line. */
const MAX_NAMED = 30;

export const describePackageTool = defineTool({
  name: NAME,
  description:
    "One package: its API surface (exports with signatures), what it depends on and what depends on it, external packages, files, symbols. Use to learn what a part offers; next get_dependencies or inspect.",
  parameters: {
    package: { kind: "text", required: true, aliases: ["name", "target", "package_name", "id", "query", "q"] },
    tests: TESTS,
  },
  example: { package: "store" },
  isKept: true,
  async run({ package: text, tests = false }, { reader }) {
    expectCode(reader);
    const packages = await readPackages(reader);
    const exampleOf = (name: string): string => formatExample(NAME, { package: name });
    const entry = findPackage(packages, text, exampleOf);
    const exports = await readExports(reader, entry);
    const { module, name, files, symbols } = entry;
    const { imports, importedBy, external, aside } = neighboursOf(entry, tests);
    const neighbours = {
      imports: nameNeighbours(packages, imports),
      importedBy: nameNeighbours(packages, importedBy),
      external,
    };
    const counts = [formatCount(files, "file"), formatCount(symbols, "symbol"), formatCount(exports.total, "export")];
    return {
      summary: `Package ${name} of ${module}: ${counts.join(", ")}`,
      forms: toForms({ module, name, files, symbols }, neighbours, exports),
      notes: [
        ...(exports.list.length < exports.total
          ? [`Of ${exports.total} exports the ${exports.list.length} that most of the code leads to are listed.`]
          : []),
        ...asideNotes(aside, "import"),
      ],
    };
  },
});

/** Neighbours by the names that callers give. */
function nameNeighbours(
  packages: readonly PlacedPackage[],
  { total, list }: Bounded<PackageNeighbour>,
): Bounded<ExternalNeighbour> {
  return { total, list: list.map((other) => ({ name: nameOfPackage(packages, other), weight: other.weight })) };
}

/** Exports with signatures, then without, under the neighbours. */
function toForms(
  { module, name, files, symbols }: Pick<PlacedPackage, "module" | "name" | "files" | "symbols">,
  { imports, importedBy, external }: Record<"imports" | "importedBy" | "external", Bounded<ExternalNeighbour>>,
  exports: Bounded<PackageExport>,
): AnswerForm[] {
  const names = ({ list, total }: Bounded<ExternalNeighbour>): string[] =>
    cutList(
      list.map((one) => one.name),
      MAX_NAMED,
      total,
    );
  const neighbours = [
    `depends on ${formatNeighbours(imports)}`,
    `depended on by ${formatNeighbours(importedBy)}`,
    `external ${formatNeighbours(external)}`,
  ].join("\n");
  return listForms(exports.list, [["signatures", true] as const, ["names", false] as const], {
    blocks: (shown, withSignature) => [neighbours, ...exportBlocks(shown, withSignature)],
    toJson: (shown, withSignature) => ({
      name,
      module,
      files,
      symbols,
      imports: [...imports.list, ...external.list].map((one) => one.name),
      dependsOn: imports.list,
      dependsOnTotal: imports.total,
      dependedOnBy: importedBy.list,
      dependedOnByTotal: importedBy.total,
      external: external.list,
      externalTotal: external.total,
      exportTotal: exports.total,
      exports: shown.map(({ file, path, kind, at, signature }) => ({
        id: `${file}#${path}`,
        kind,
        name: path,
        filePath: pathOf(file),
        line: at.line,
        column: at.column,
        ...(withSignature && { signature: previewSignature(signature) }),
      })),
    }),
    toToon: (shown, withSignature) => ({
      module,
      package: name,
      depends: names(imports),
      imports: names({ total: imports.total + external.total, list: [...imports.list, ...external.list] }),
      dependedOnBy: names(importedBy),
      external: names(external),
      files,
      symbols,
      exportCount: exports.total,
      exports: shown.map(({ file, path, kind, at, signature }) => ({
        kind,
        symbol: path,
        file: pathOf(file),
        line: at.line,
        ...(withSignature && { signature: previewSignature(signature) }),
      })),
    }),
    more: "find_symbol with the path of its folder lists the others.",
  });
}

/** `util (3 imports), main (1 import), +2`. */
function formatNeighbours({ total, list }: Bounded<ExternalNeighbour>): string {
  const names = list.map(({ name, weight }) => `${name} (${formatCount(weight, "import")})`);
  return total === 0 ? "nothing" : cutList(names, MAX_NAMED, total).join(", ");
}

/** One block a file, files in the order of their best export. */
function exportBlocks(exports: readonly PackageExport[], withSignature: boolean): string[] {
  return [...Map.groupBy(exports, ({ file }) => file)].map(([file, own]) => {
    const lines = own.flatMap(({ kind, path, at, signature }) => {
      const preview = withSignature ? quoteSignature(signature) : "";
      const line = `${formatPosition(at)} ${SYMBOL_KIND_NAMES[kind].label} - ${path}`;
      return preview === "" ? [line] : [line, `  ${preview}`];
    });
    return formatList(`${pathOf(file)} exports`, lines);
  });
}
