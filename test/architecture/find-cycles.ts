/**
 * The circles of a directed graph: one closed path (`a → b → a`) per strongly connected group, so a fix shows progress
 * and the list stays short.
 */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const reported = new Set<string>();
  const cycles: string[][] = [];
  for (const start of [...edges.keys()].sort()) {
    if (reported.has(start)) continue;
    const path = shortestWayBack(edges, start);
    if (!path) continue;
    for (const name of path) reported.add(name);
    cycles.push(path);
  }
  return cycles;
}

/** Breadth-first from `start` back to `start`. */
function shortestWayBack(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of edges.get(name) ?? []) {
      if (next === start) {
        const path = [start];
        for (let at: string | undefined = name; at !== undefined && at !== start; at = cameFrom.get(at))
          path.unshift(at);
        return [start, ...path];
      }
      if (!cameFrom.has(next)) {
        cameFrom.set(next, name);
        queue.push(next);
      }
    }
  }
  return undefined;
}
