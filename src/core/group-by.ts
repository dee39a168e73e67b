/** Items by what they share. Pure. */

/** The items by key, keys in the order in which they come first, items in theirs. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

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
