/** Items in a row that share something. Pure. */

/** The items cut into runs: each as long as the key stays the same. */
export function groupRuns<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Item[][] {
  const runs: Item[][] = [];
  let last: Key | undefined;
  for (const item of items) {
    const key = keyOf(item);
    const run = runs.at(-1);
    if (run === undefined || key !== last) runs.push([item]);
    else run.push(item);
    last = key;
  }
  return runs;
}
