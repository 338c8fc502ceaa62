import { A2AError } from "@agent-service/a2a-protocol";
import { ClientError } from "@agent-service/a2a-protocol/client";
import { OperatorApiError } from "@agent-service/operator-api/client";
import { StartupError } from "../cli/index.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** Why a command ends: one line for people, the exit code for scripts. */
export interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly message: string;
  /** HTTP status of the answer, where there is one. */
  readonly status?: number;
  /** Seconds after which to try again. */
  readonly retryAfter?: number | undefined;
}

/** Of the command line. */
export function usage(message: string): StartupError {
  return new StartupError("usage", message);
}

/** A designed error as a failure; undefined for one that nobody designed. */
export function failureOf(error: unknown, url: string): CommandFailure | undefined {
  if (error instanceof StartupError) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof OperatorApiError) {
    const { status, message, retryAfter } = error;
    return refused(status, message) ?? { exitCode: EXIT.failed, message, status, retryAfter };
  }
  if (error instanceof ClientError) {
    if (error.code === "network" || error.code === "timeout") return unreachable(url, error.cause);
    const status = error.status ?? 0;
    return refused(status, error.message) ?? { exitCode: EXIT.failed, message: error.message };
  }
  if (error instanceof A2AError) return { exitCode: EXIT.failed, message: error.message };
  if (error instanceof TypeError && /^(?:fetch failed|terminated)$/.test(error.message))
    return unreachable(url, error.cause);
  return undefined;
}

function refused(status: number, message: string): CommandFailure | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const why =
    status === 401
      ? "the service wants a token: set A2A_AUTH_TOKEN, or run this where its configuration lies (SVC_CONFIG_DIR)"
      : message;
  return { exitCode: EXIT.unauthorized, message: why, status };
}

function unreachable(url: string, cause: unknown): CommandFailure {
  const code = codeOf(cause);
  return {
    exitCode: EXIT.unreachable,
    message: `no service answers at ${url}${code === "" ? "" : ` (${code})`}: start it with agent-service, or name it with --url or SVC_URL; agent-service doctor says more`,
  };
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === "string" ? code : codeOf(cause.cause);
}
