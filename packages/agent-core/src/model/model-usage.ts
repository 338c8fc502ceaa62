import type { ModelUsage } from "./model-port.ts";

export const NO_MODEL_USAGE: ModelUsage = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });

/** The sum of two usages, in tokens. */
export function addModelUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/** The sum of any number of usages; calls that reported none count as nothing. */
export function sumModelUsage(usages: Iterable<ModelUsage | undefined>): ModelUsage {
  let sum = NO_MODEL_USAGE;
  for (const usage of usages) if (usage !== undefined) sum = addModelUsage(sum, usage);
  return sum;
}
