/**
 * The category that somebody names: by its name, then without case, then by an alias, then by its id. Pure.
 */
import { nearestNames } from "../text/nearest.ts";
import { foldCategory } from "./category-name.ts";
import type { Category } from "./taxonomy-model.ts";

/** Names that are offered in place of an unknown one. */
const MAX_NEAREST = 5;

/** The category of a text; undefined where none is called so. */
export function findCategory(categories: readonly Category[], text: string): Category | undefined {
  const wanted = text.trim();
  const lower = wanted.toLowerCase();
  const folded = foldCategory(wanted);
  const tests: readonly ((category: Category) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ name }) => name.toLowerCase() === lower,
    ({ aliases }) => aliases.some((alias) => alias.toLowerCase() === lower),
    ({ id }) => id === wanted,
    ({ name, aliases, id }) => [name, ...aliases, id].some((own) => foldCategory(own) === folded),
  ];
  for (const test of tests) {
    const found = categories.find(test);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of categories that an unknown one may have meant, the nearest first. */
export function nearestCategories(categories: readonly Category[], text: string): string[] {
  const owners = new Map<string, string[]>();
  for (const { name, aliases } of categories) {
    // The last segment of a longer name is what a folder is called.
    for (const own of new Set([name, ...aliases, name.slice(name.lastIndexOf("/") + 1)])) {
      owners.set(own, [...(owners.get(own) ?? []), name]);
    }
  }
  const near = nearestNames(text, owners.keys(), MAX_NEAREST).flatMap((own) => owners.get(own) ?? []);
  return [...new Set(near)].slice(0, MAX_NEAREST);
}
