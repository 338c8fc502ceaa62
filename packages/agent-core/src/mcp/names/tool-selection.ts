import type { Effect } from "@agent-service/plugin-sdk";
import { nameMatcher } from "../../tool/index.ts";

/** Which tools of a server are offered (M2). */
export interface ToolSelection {
  /** Patterns of the server's own names; empty: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Patterns of the names that the model is shown. */
  readonly denylist: readonly string[];
}

/** Decides about a tool by its own name and the name that the model is shown: `denylist` beats `include`, that `exclude`. */
export function toolFilter({ include, exclude, denylist }: ToolSelection): (tool: string, fullName: string) => boolean {
  const isIncluded = nameMatcher(include);
  const isExcluded = nameMatcher(exclude);
  const isDenied = nameMatcher(denylist);
  return (tool, fullName) => {
    if (isDenied?.(fullName) === true) return false;
    if (isIncluded !== undefined) return isIncluded(tool);
    return isExcluded?.(tool) !== true;
  };
}

/** The class that `effects` of the settings gives a tool of the server: an exact name's, else that of the first pattern. */
export function configuredEffect(effects: Readonly<Record<string, Effect>>): (tool: string) => Effect | undefined {
  const patterns = Object.entries(effects)
    .filter(([pattern]) => pattern.includes("*"))
    .map(([pattern, effect]) => ({ fits: nameMatcher([pattern]), effect }));
  return (tool) => {
    if (Object.hasOwn(effects, tool)) return effects[tool];
    return patterns.find(({ fits }) => fits?.(tool) === true)?.effect;
  };
}
