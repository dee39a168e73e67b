/**
 * Paths of symbols: the part of a symbol's id behind `#`. The one place that makes them; sections of source files and
 * records of symbols both ask here. Pure.
 */
import type { CodeSymbol } from "./code-file.ts";

/**
 * How many symbols stand in one another at most. What is nested deeper becomes a member of the last that counts: paths
 * hold the names of all containers, so without a bound their size grows by the square.
 */
export const MAX_SYMBOL_DEPTH = 100;

type Named = Pick<CodeSymbol, "name" | "parent" | "start" | "memberOf">;

/**
 * Path of each symbol, unique in the file: the names of its containers and its own with `.` between them. The second
 * of that path in the order of the source gets `~2`, the third `~3`. Numbers of containers are not repeated in their
 * members: `Store.open` stays as it is when another `Store` appears above. A member of a type that another file
 * declares stands behind the name of that type as it is written here.
 */
export function symbolPaths(symbols: readonly Named[]): string[] {
  const names: string[] = [];
  for (const { name, parent, memberOf } of symbols) {
    const around = [names[parent], memberOf?.replaceAll("::", ".")].filter((it) => it !== undefined && it !== "");
    names.push([...around, name].join("."));
  }
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const paths = [...names];
  for (const symbol of inSourceOrder(symbols)) {
    const name = names[symbol] as string;
    let count = (counts.get(name) ?? 0) + 1;
    // A name can itself end like a number of ours: quoted keys may hold anything.
    while (taken.has(pathWith(name, count))) count++;
    counts.set(name, count);
    taken.add(pathWith(name, count));
    paths[symbol] = pathWith(name, count);
  }
  return paths;
}

function pathWith(name: string, count: number): string {
  return count === 1 ? name : `${name}~${count}`;
}

/** Members stand behind their container even where the source has them elsewhere. */
function inSourceOrder(symbols: readonly Named[]): number[] {
  const order = [...symbols.keys()];
  return order.sort((a, b) => {
    const { line, column } = (symbols[a] as Named).start;
    const other = (symbols[b] as Named).start;
    return line - other.line || column - other.column || a - b;
  });
}
