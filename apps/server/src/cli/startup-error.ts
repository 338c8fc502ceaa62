import type { ConfigProblem } from "@agent-service/config";

/** Reasons that stop a start. Stable: scripts and tests compare the code, people read `message`. */
export type StartupErrorCode =
  | "usage"
  | "config-invalid"
  | "config-unreadable"
  | "auth-incomplete"
  | "bind-refused"
  | "address-in-use"
  | "address-unavailable"
  | "store-unavailable"
  | "store-owned"
  | "secrets-unavailable"
  | "setup-incomplete"
  | "card-unroutable"
  | "unsupported-node";

/**
 * A reason to refuse a start that an operator can fix: `message` is one line for stderr, with
 * no stack and no secret in it. Terminal: starting again without a change ends the same way. The process exits 2 for
 * `usage` (a wrong command line), 1 for everything else (S8).
 */
export class StartupError extends Error {
  readonly code: StartupErrorCode;
  /** What is wrong with the configuration, where that is the reason. */
  readonly problem: ConfigProblem | undefined;

  constructor(
    code: StartupErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly problem?: ConfigProblem },
  ) {
    super(message.replace(/\s*\n\s*/g, " "), options);
    this.name = "StartupError";
    this.code = code;
    this.problem = options?.problem;
  }

  get exitCode(): 1 | 2 {
    return this.code === "usage" ? 2 : 1;
  }
}
