/** Targets as answers name them. */
import type { PlacedPackage } from "../core/code/packages.ts";
import { nameOfPackage } from "./find-package.ts";
import type { Target } from "./find-target.ts";
import type { NamedFiles } from "./name-places.ts";

/** What a target is, for answers. */
export type DescribedTarget = {
  readonly kind: "file" | "package" | "symbol";
  /** Document id, id of a symbol, or name of a package. */
  readonly id: string;
};

/** A target by its id. A file that was not read is named by its number only where nothing else is known. */
export function describeTarget(
  target: Target,
  packages: readonly PlacedPackage[],
  { fileOf, recordOf }: Pick<NamedFiles, "fileOf" | "recordOf">,
): DescribedTarget {
  if (target.kind === "package") return { kind: "package", id: nameOfPackage(packages, target.entry) };
  const id = fileOf(target.file)?.id ?? `file ${target.file}`;
  if (target.kind === "file") return { kind: "file", id };
  return { kind: "symbol", id: `${id}#${recordOf(target.file)?.symbols[target.symbols[0]]?.path}` };
}
