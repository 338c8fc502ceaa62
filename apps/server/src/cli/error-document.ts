/** Why a command that programs read ends, in fields. */
export interface CommandError {
  /** Stable: scripts compare it. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  /** HTTP status of the answer, where there is one. */
  readonly status?: number | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter?: number | undefined;
  /** Under which the service's log has the cause. */
  readonly errorId?: string | undefined;
}

/** The line that `--json` writes to standard error in place of one for people. */
export function errorDocument({ code, message, exitCode, status, retryAfter, errorId }: CommandError): string {
  const error = { code, message, exit_code: exitCode, status, retry_after: retryAfter, error_id: errorId };
  return `${JSON.stringify({ error })}\n`;
}
