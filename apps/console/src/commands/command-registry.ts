/** Something a person can do from the palette, by a key, or both. */
export interface Command {
  readonly id: string;
  /** A verb first: "Go to chat", "Approve". */
  readonly label: string;
  /** Search terms besides its label. */
  readonly keywords?: string;
  /** Keys as the help sheet shows them: `g c`, `mod+k`, `?`. `mod` is ⌘ on a Mac, Ctrl elsewhere. */
  readonly keys?: string;
  readonly group: string;
  run(): void;
}

/** The commands of the page: each component adds its own while it is mounted. */
export interface CommandRegistry {
  list(): readonly Command[];
  /** Adds commands; returns a function that removes them. */
  add(commands: readonly Command[]): () => void;
  subscribe(listener: () => void): () => void;
}

/** Creates a registry. What was added last is listed first and wins a key that two commands claim. */
export function createCommandRegistry(): CommandRegistry {
  const groups = new Set<readonly Command[]>();
  const listeners = new Set<() => void>();
  let all: readonly Command[] = [];
  const changed = (): void => {
    all = [...groups].reverse().flat();
    for (const listener of listeners) listener();
  };
  return {
    list: () => all,
    add(commands) {
      groups.add(commands);
      changed();
      return () => {
        groups.delete(commands);
        changed();
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Commands that match all terms of a search, those whose label begins with the first term first. */
export function matching(commands: readonly Command[], search: string): readonly Command[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label, keywords = "", group }) => {
    const text = `${group} ${label} ${keywords}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
  const first = terms[0];
  if (first === undefined) return found;
  const rank = ({ label }: Command): number => (label.toLowerCase().includes(first) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
