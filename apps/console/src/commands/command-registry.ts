/** Something a person can do from the palette, by a key, or both. */
export interface Command {
  readonly id: string;
  /** A verb first: "Go to chat", "Approve". */
  readonly label: string;
  /** What people may call it besides its label. */
  readonly keywords?: string;
  /** Keys as the help sheet shows them: `g c`, `mod+k`, `?`. `mod` is ⌘ on a Mac, Ctrl elsewhere. */
  readonly keys?: string;
  readonly group: string;
  run(): void;
}

/** The commands of what is on the page: each part brings its own while it is there. */
export interface CommandRegistry {
  list(): readonly Command[];
  /** Adds commands; the function returned takes them away. */
  add(commands: readonly Command[]): () => void;
  subscribe(tell: () => void): () => void;
}

/** Makes a registry. What was added last stands first and wins a key that two want. */
export function createCommandRegistry(): CommandRegistry {
  const groups = new Set<readonly Command[]>();
  const listeners = new Set<() => void>();
  let all: readonly Command[] = [];
  const changed = (): void => {
    all = [...groups].reverse().flat();
    for (const tell of listeners) tell();
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
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
}

/** Commands that hold all words of a search, those whose label begins with it first. */
export function matching(commands: readonly Command[], search: string): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label, keywords = "", group }) => {
    const text = `${group} ${label} ${keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0];
  if (first === undefined) return found;
  const rank = ({ label }: Command): number => (label.toLowerCase().includes(first) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
