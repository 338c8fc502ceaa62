import { spawn } from "node:child_process";
import type { Clock } from "../clock/index.ts";

/** A program that is started and left to itself. */
export interface DetachedProgram {
  /** An absolute path, and its arguments. No shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole of its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How it ended while it was waited for. */
export interface EarlyEnd {
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a program that is the user's and not the service's, such as an editor: in a group of its own, without input and
 * output, without a row and a marker (PR1 and PR2 are not for it). Nothing ends it, and it outlives the service. Resolves
 * with its end, or with undefined where it still runs after `waitMs` or the signal is aborted.
 * @throws Error where it cannot be started
 */
export function startDetached(
  { argv: [program, ...args], cwd, env }: DetachedProgram,
  { clock, waitMs, signal }: { readonly clock: Clock; readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<EarlyEnd | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: "ignore" });
    const leave = (): void => settle(() => resolve(undefined));
    const timer = clock.setTimeout(leave, waitMs, { background: true });
    const settle = (how: () => void): void => {
      timer.cancel();
      signal?.removeEventListener("abort", leave);
      // Neither its end nor its life keeps the service from stopping.
      child.unref();
      how();
    };
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code, by) => settle(() => resolve({ code, signal: by })));
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
  });
}
