import { StartupError } from "../cli/index.ts";

/**
 * Runs a phase of one feature.
 * @throws what it threw where that is the operator's to mend, or else an Error that names the feature and the phase
 */
export function inFeature<T>(feature: string, phase: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the feature ${feature} failed to ${phase}: ${reason}`, { cause: error });
  }
}
