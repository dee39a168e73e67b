/**
 * Tool `describe_package`: what a package exports, what it depends on, what depends on it.
 */

import { type PlacedPackage, readExports, readPackages } from "../../core/code/packages.ts";
import type { Bounded, ExternalNeighbour, PackageNeighbour } from "../../core/format/package-entry.ts";
import { packageForms, summarizePackage } from "../../surface/render/package-card.ts";
import { formatExample } from "../arguments.ts";
import { expectCode } from "../find-code.ts";
import { findPackage, nameOfPackage } from "../packages.ts";
import { defineTool } from "../tool.ts";

const NAME = "describe_package";

export const describePackageTool = defineTool({
  name: NAME,
  description:
    "One package: its API surface (exports with signatures), what it depends on and what depends on it, external packages, files, symbols. Use to learn what a part offers; next get_dependencies or inspect.",
  parameters: {
    package: { kind: "text", required: true, aliases: ["name", "target", "package_name", "id", "query", "q"] },
  },
  example: { package: "store" },
  isKept: true,
  async run({ package: text }, { reader }) {
    expectCode(reader);
    const packages = await readPackages(reader);
    const exampleOf = (name: string): string => formatExample({ name: NAME, example: { package: name } });
    const entry = findPackage(packages, text, exampleOf);
    const exports = await readExports(reader, entry);
    const shown = {
      ...entry,
      imports: nameNeighbours(packages, entry.imports),
      importedBy: nameNeighbours(packages, entry.importedBy),
      exports,
    };
    return {
      summary: summarizePackage(shown),
      forms: packageForms(shown),
      notes:
        exports.list.length < exports.total
          ? [`Of ${exports.total} exports the ${exports.list.length} that most of the code leads to are listed.`]
          : [],
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
