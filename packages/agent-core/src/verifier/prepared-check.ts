import type { VerifierSpec } from "./verifier-spec.ts";

/** A check that was found to be one that can be made: a JSON value, to be stored with what asks for it. */
export interface PreparedCheck {
  readonly spec: VerifierSpec;
  /** The project whose folder it is made in; blank for none. */
  readonly project: string;
  /** The SHA-256 of pinned files, by their path. */
  readonly pins: Readonly<Record<string, string>>;
}

/** Whose evidence is the agent's own. */
const OWN_CHECKS: ReadonlySet<string> = new Set(["core:board", "core:task"]);

/** Whether what a check finds may hold what others wrote (K8). What a judge says is of the conversation it read. */
export function holdsOutside({ spec }: PreparedCheck): boolean {
  return spec.type !== "llm" && !(spec.type === "plugin" && OWN_CHECKS.has(spec.check));
}

/** What a check found. */
export interface CheckVerdict {
  readonly met: boolean;
  /** One sentence. */
  readonly reason: string;
  /** Without secrets, at most 8 KiB. It may hold what others wrote: it is data. */
  readonly evidence: string;
  /** Stands for what was looked at: another one means that it changed. */
  readonly digest: string;
  /** What a judge found missing. */
  readonly unmet?: readonly string[];
  /** A judge found that the work should be given up, by the condition that says so. */
  readonly stop?: boolean;
}

/** A verdict before secrets are taken out of it. */
export interface RawVerdict extends Omit<CheckVerdict, "digest"> {
  /** What was looked at; undefined: reason and evidence stand for it. */
  readonly value?: unknown;
}

/** How a check is made. */
export interface CheckRun {
  readonly signal: AbortSignal;
  /** For whom, for example `watch:<id>`: stands beside the processes it starts. */
  readonly owner: string;
  /** Seconds of a check that names none. */
  readonly timeoutS: number;
  /** Asks a model for a verdict; only checks of type `llm` ask. */
  readonly judge?: (signal: AbortSignal) => Promise<RawVerdict>;
}
