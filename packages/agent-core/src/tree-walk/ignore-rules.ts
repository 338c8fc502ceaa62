import ignore, { type Ignore } from "ignore";

interface Level {
  /** The folder that its paths count from, below the project's root; blank for the root. */
  readonly base: string;
  readonly rules: Ignore;
}

/** The `.gitignore` files that count in a folder: the one of the deepest folder that says something decides. */
export class IgnoreRules {
  readonly #levels: readonly Level[];

  constructor(levels: readonly Level[] = []) {
    this.#levels = levels;
  }

  /** These and those of a `.gitignore` in a folder below. */
  with(base: string, text: string): IgnoreRules {
    return new IgnoreRules([{ base, rules: ignore({ allowRelativePaths: true }).add(text) }, ...this.#levels]);
  }

  /** Whether a path below the project's root is ignored, of which the folders above are not. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { base, rules } of this.#levels) {
      const below = base === "" ? path : path.slice(base.length + 1);
      const { ignored, unignored } = rules.test(isFolder ? `${below}/` : below);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}
