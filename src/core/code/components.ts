/**
 * Strongly connected components: sets of nodes of which each leads to each. R. Tarjan, "Depth-first search and linear
 * graph algorithms" (1972), without recursion: time and memory grow with nodes and links.
 */

/** Links out of each node, one list behind the other: those of node `n` are `targets[starts[n]]` up to `starts[n + 1]`. */
export interface NodeLinks {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** Components of more than one node, each ascending, in the order of their first nodes. */
export function findComponents({ starts, targets }: NodeLinks): number[][] {
  const count = starts.length - 1;
  /** When a node was met, from 1 on; 0 before. */
  const met = new Int32Array(count);
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  /** Where the search stands in the links of a node. */
  const next = starts.slice(0, count);
  const path = new Int32Array(count);
  const stack = new Int32Array(count);
  let stacked = 0;
  let time = 0;
  const found: number[][] = [];
  for (let root = 0; root < count; root++) {
    if (met[root] !== 0) continue;
    let depth = 0;
    const enter = (node: number) => {
      met[node] = low[node] = ++time;
      isOpen[node] = 1;
      stack[stacked++] = node;
      path[depth++] = node;
    };
    enter(root);
    while (depth > 0) {
      const node = path[depth - 1] as number;
      const at = next[node] as number;
      if (at < (starts[node + 1] as number)) {
        next[node] = at + 1;
        const target = targets[at] as number;
        if (met[target] === 0) enter(target);
        else if (isOpen[target] === 1) low[node] = Math.min(low[node] as number, met[target] as number);
        continue;
      }
      depth--;
      const above = path[depth - 1] as number;
      if (depth > 0) low[above] = Math.min(low[above] as number, low[node] as number);
      if (low[node] !== met[node]) continue;
      const component: number[] = [];
      let member: number;
      do {
        member = stack[--stacked] as number;
        isOpen[member] = 0;
        component.push(member);
      } while (member !== node);
      if (component.length > 1) found.push(component.sort((a, b) => a - b));
    }
  }
  return found.sort((a, b) => (a[0] as number) - (b[0] as number));
}
