import type { WaitingPrompt } from "../../prompts/index.ts";

/** The prompts of one run, in the order of its calls. */
export interface PromptGroup<TPrompt> {
  readonly task: string;
  readonly prompts: readonly TPrompt[];
  /** Those that only have to be approved. */
  readonly approvals: readonly TPrompt[];
}

type Grouped = Pick<WaitingPrompt, "id" | "task_id" | "position" | "kind">;

/** Groups prompts by the run that asks; the run with the newest one first. */
export function groupPrompts<TPrompt extends Grouped>(prompts: readonly TPrompt[]): readonly PromptGroup<TPrompt>[] {
  return [...Map.groupBy(prompts, ({ task_id: task }) => task)].map(([task, members]) => {
    const ordered = members.toSorted((one, other) => one.position - other.position);
    return { task, prompts: ordered, approvals: ordered.filter(({ kind }) => kind === "approval") };
  });
}
