/** A goal as a person enters it. */

const KINDS = {
  judge: "The model judges it",
  test: "Tests pass",
  command: "A command ends without an error",
  data: "A file holds what it should",
  ci: "The code host's checks pass",
  named: "A check with a name",
} as const;
export type CheckKind = keyof typeof KINDS;

export const CHECK_KINDS = Object.entries(KINDS).map(([value, label]) => ({ value: value as CheckKind, label }));

/** What a person has entered of a check; what belongs to another kind stays while they choose. */
export interface CheckDraft {
  readonly kind: CheckKind;
  readonly command: string;
  /** Files that must not change, one on each line. */
  readonly pins: string;
  readonly path: string;
  readonly contains: string;
  readonly expr: string;
  /** A number of a pull request, or the name of a branch. */
  readonly of: string;
  readonly repo: string;
  readonly project: string;
  readonly named: string;
}

export interface GoalDraft {
  /** Blank: a new chat. */
  readonly session: string;
  readonly condition: string;
  readonly maxIterations: string;
  readonly noProgressLimit: string;
  readonly outcome: string;
  /** One on each line, as the boundaries. */
  readonly constraints: string;
  readonly boundaries: string;
  readonly stopWhen: string;
  readonly fresh: boolean;
  readonly begins: boolean;
}

export const NO_CHECK: CheckDraft = {
  ...{ kind: "judge", command: "", pins: "", path: "", contains: "", expr: "" },
  ...{ of: "", repo: "", project: "", named: "" },
};

export const NO_GOAL: GoalDraft = {
  ...{ session: "", condition: "", maxIterations: "", noProgressLimit: "", outcome: "" },
  ...{ constraints: "", boundaries: "", stopWhen: "", fresh: false, begins: true },
};

type Verifier = { readonly [key: string]: unknown };

/** The check that is sent; undefined: it is not whole yet. `args` are those of a check with a name. */
export function verifierOf(draft: CheckDraft, args: Verifier): Verifier | undefined {
  const { kind, command, path, contains, expr, of, repo, named } = draft;
  const pins = linesOf(draft.pins);
  const pin = pins.length === 0 ? {} : { pin: pins };
  switch (kind) {
    case "judge":
      return { type: "llm" };
    case "test":
    case "command":
      return command.trim() === "" ? undefined : { type: kind, command, ...pin };
    case "data": {
      const looks = contains !== "" ? { contains } : { expr };
      const isWhole = path.trim() !== "" && (contains !== "") !== (expr.trim() !== "");
      return isWhole ? { type: "data", path: path.trim(), ...looks, ...pin } : undefined;
    }
    case "ci": {
      if (of.trim() === "") return undefined;
      const about = /^#?\d+$/.test(of.trim()) ? { pr: Number(of.trim().replace("#", "")) } : { branch: of.trim() };
      return { type: "ci", ...about, ...(repo.trim() !== "" && { repo: repo.trim() }) };
    }
    case "named":
      return named === "" ? undefined : { type: "plugin", check: named, args };
  }
}

/** What a goal is set with, without its session and its check. */
export function bodyOf(draft: GoalDraft, { kind, project }: Pick<CheckDraft, "kind" | "project">) {
  const { condition, maxIterations, noProgressLimit, outcome, stopWhen, fresh, begins } = draft;
  const [constraints, boundaries] = [linesOf(draft.constraints), linesOf(draft.boundaries)];
  const inFolder = kind !== "judge" && kind !== "named";
  return {
    ...{ condition, kick: begins, fresh_context: fresh },
    ...(maxIterations !== "" && { max_iterations: Number(maxIterations) }),
    ...(noProgressLimit !== "" && { no_progress_limit: Number(noProgressLimit) }),
    ...(outcome.trim() !== "" && { outcome }),
    ...(stopWhen.trim() !== "" && { stop_when: stopWhen }),
    ...(constraints.length > 0 && { constraints }),
    ...(boundaries.length > 0 && { boundaries }),
    ...(inFolder && project !== "" && { project }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
