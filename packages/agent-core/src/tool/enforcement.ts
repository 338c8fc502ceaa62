/**
 * Applies the operator's settings to a call before it runs (B54 `enforcement`; S8: at once, also in running turns and for
 * calls that a person approved before).
 */
import { nameMatcher } from "./name-patterns.ts";
import { RateWindow } from "./rate-window.ts";

/** The current settings `enforcement` (B58). */
export interface EnforcementSettings {
  /** Names or patterns of tools that are never run. */
  readonly disallowed: readonly string[];
  /** By name of a tool: at most `max` calls in any window of so many milliseconds, over all turns. */
  readonly rateLimits: { readonly [tool: string]: { readonly max: number; readonly windowMs: number } };
  /** Names or patterns of tools whose calls a person approves first. */
  readonly requireApproval: readonly string[];
}

export interface Enforcement {
  /** What the model reads when a call of this tool may not be made now; undefined: it may. `begun`: it was counted already. */
  refusal(tool: string, call?: { readonly begun: boolean }): string | undefined;
  /** As `refusal`, and counts the call when it may. */
  check(tool: string): string | undefined;
  /** Whether a person approves every call of this tool. */
  asksFirst(tool: string): boolean;
  /** Whether the tool is never run. */
  blocks(tool: string): boolean;
}

/**
 * Reads `settings` anew at each call of the function it returns, and makes something of them when they are another
 * object. Undefined while nothing is configured: then a call costs a comparison. Windows outlive a change of settings, not
 * a restart.
 */
export function enforcementOf(
  settings: () => EnforcementSettings,
  clock: { now(): number },
): () => Enforcement | undefined {
  let read: EnforcementSettings | undefined;
  let made: Enforcement | undefined;
  let windows = new Map<string, RateWindow>();
  return () => {
    const now = settings();
    if (now === read) return made;
    read = now;
    windows = windowsOf(now, windows);
    made = isEmpty(now) ? undefined : create(now, windows, clock);
    return made;
  };
}

function isEmpty({ disallowed, rateLimits, requireApproval }: EnforcementSettings): boolean {
  return disallowed.length === 0 && requireApproval.length === 0 && Object.keys(rateLimits).length === 0;
}

function windowsOf(
  { rateLimits }: EnforcementSettings,
  before: ReadonlyMap<string, RateWindow>,
): Map<string, RateWindow> {
  return new Map(
    Object.entries(rateLimits).map(([tool, limit]) => {
      const old = before.get(tool);
      const same = old?.max === limit.max && old.windowMs === limit.windowMs;
      return [tool, same ? old : new RateWindow(limit, old)];
    }),
  );
}

function create(
  { disallowed, requireApproval }: EnforcementSettings,
  windows: ReadonlyMap<string, RateWindow>,
  clock: { now(): number },
): Enforcement {
  const blocked = nameMatcher(disallowed);
  const asked = nameMatcher(requireApproval);
  const blocks = (tool: string): boolean => blocked?.(tool) === true;
  const refusal = (tool: string, { begun } = { begun: false }): string | undefined => {
    if (blocks(tool)) return `Blocked by policy: ${tool} is not allowed here. It was not run; do not call it again.`;
    const window = begun ? undefined : windows.get(tool);
    const wait = window?.waitMs(clock.now()) ?? 0;
    return window === undefined || wait === 0 ? undefined : limited(tool, window, wait);
  };
  return {
    refusal,
    check(tool) {
      const refused = refusal(tool);
      if (refused === undefined) windows.get(tool)?.take(clock.now());
      return refused;
    },
    asksFirst: (tool) => asked?.(tool) === true,
    blocks,
  };
}

function limited(tool: string, { max, windowMs }: RateWindow, waitMs: number): string {
  const rule = `${tool} may be called ${max === 1 ? "once" : `${max} times`} in ${windowMs / 1000} s`;
  const next = Number.isFinite(waitMs)
    ? `it can be called again in ${Math.ceil(waitMs / 1000)} s`
    : "do not call it again";
  return `Blocked by policy: ${rule}. It was not run; ${next}.`;
}
