import { childEnvironment, type PlaceholderSource, type ResolvedTarget, resolveTarget } from "./placeholder/index.ts";
import type { ServerTarget } from "./server-target.ts";

/** What of the machine programs of servers are started with. */
export interface ProgramSurroundings {
  /** Folders that the agent may write to: no program is found by its name there. */
  writable(): readonly string[];
}

/** The target as it is connected to: without placeholders, and for a program with the whole of its environment (M3). */
export function connectTarget(
  target: ServerTarget,
  placeholders: PlaceholderSource,
  { writable }: ProgramSurroundings,
): ResolvedTarget {
  const resolved = resolveTarget(target, placeholders);
  if (!resolved.ok || resolved.target.transport !== "stdio") return resolved;
  const { inheritEnv, environment, isForbidden } = placeholders;
  const { env } = resolved.target;
  const whole = childEnvironment({ inherited: environment, inheritEnv, env, isForbidden, writable: writable() });
  return { ok: true, target: { ...resolved.target, env: whole } };
}
