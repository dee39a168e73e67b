/** Strongly connected components of a graph, by R. Tarjan's algorithm (1972), without recursion. Pure. */

/** Components of more than one node, each sorted, in the order of their first node. */
export function findComponents(edges: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const waiting = new Set<string>();
  const found: string[][] = [];
  for (const root of edges.keys()) {
    if (order.has(root)) continue;
    const path: { node: string; rest: Iterator<string> }[] = [];
    const enter = (node: string) => {
      order.set(node, order.size);
      low.set(node, order.size - 1);
      stack.push(node);
      waiting.add(node);
      path.push({ node, rest: (edges.get(node) ?? [])[Symbol.iterator]() });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node, rest } = top;
      const next = rest.next();
      if (next.done !== true) {
        if (!order.has(next.value)) enter(next.value);
        else if (waiting.has(next.value)) low.set(node, Math.min(low.get(node) ?? 0, order.get(next.value) ?? 0));
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== order.get(node)) continue;
      const component = stack.splice(stack.indexOf(node));
      for (const member of component) waiting.delete(member);
      if (component.length > 1) found.push(component.sort());
    }
  }
  return found.sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}
