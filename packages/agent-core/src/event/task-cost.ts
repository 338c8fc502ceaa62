import type { ModelAccount, TaskEvent } from "./task-event.ts";

/** An amount of US dollars without the dust of floating-point sums: to a billionth, which is less than any listed price of a token. */
export function roundDollars(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9;
}

/**
 * What the calls of a task cost, in US dollars, estimated (A11): the accounts of its models, and calls whose
 * events are not folded into them yet. Undefined where tokens were used whose price is not known, and where no call
 * reported its tokens.
 */
export function taskCost(models: readonly ModelAccount[], pending: readonly TaskEvent[] = []): number | undefined {
  let dollars = 0;
  let tokens = 0;
  const delegated = pending.flatMap((event) => (event.kind === "delegation.finished" ? event.models : []));
  for (const { usage, costUsd } of [...models, ...delegated]) {
    if (costUsd === null) return undefined;
    dollars += costUsd;
    tokens += usage.input + usage.output;
  }
  for (const event of pending) {
    if ((event.kind !== "model.finished" && event.kind !== "model.failed") || event.usage === undefined) continue;
    if (event.costUsd === undefined) return undefined;
    dollars += event.costUsd;
    tokens += event.usage.input + event.usage.output;
  }
  return tokens === 0 ? undefined : roundDollars(dollars);
}
