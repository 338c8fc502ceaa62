import { A2AError } from "@agent-service/a2a-protocol";
import { ClientError } from "@agent-service/a2a-protocol/client";
import { OperatorApiError } from "@agent-service/operator-api/client";
import { type CommandError, StartupError } from "../cli/index.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** Why a command ends: one line for people, code and exit code for scripts. */
export interface CommandFailure extends CommandError {
  readonly exitCode: ExitCode;
}

/** The service's answer has no result for the command, for example of a feature that is switched off. */
export class CommandProblem extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A mistake in the command line: exit code 2. */
export function usage(message: string): StartupError {
  return new StartupError("usage", message);
}

/** The failure of an expected error; undefined for an unexpected one. */
export function failureOf(error: unknown, url: string): CommandFailure | undefined {
  if (error instanceof StartupError) return { code: error.code, exitCode: error.exitCode, message: error.message };
  if (error instanceof CommandProblem) return { code: error.code, exitCode: EXIT.failed, message: error.message };
  if (error instanceof OperatorApiError) {
    const { status, message, retryAfter, errorId } = error;
    const code = status >= 500 ? "service-failed" : "refused";
    return refused(status, message) ?? { code, exitCode: EXIT.failed, message, status, retryAfter, errorId };
  }
  if (error instanceof ClientError) {
    if (error.code === "network" || error.code === "timeout") return unreachable(url, error.cause);
    const { code, message, status, retryAfterSeconds: retryAfter } = error;
    return refused(status ?? 0, message) ?? { code, exitCode: EXIT.failed, message, status, retryAfter };
  }
  if (error instanceof A2AError) {
    const code = error.reason?.toLowerCase().replaceAll("_", "-") ?? "refused";
    return { code, exitCode: EXIT.failed, message: error.message };
  }
  if (error instanceof TypeError && /^(?:fetch failed|terminated)$/.test(error.message))
    return unreachable(url, error.cause);
  return undefined;
}

function refused(status: number, message: string): CommandFailure | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const why =
    status === 401
      ? "the service requires a token: set A2A_AUTH_TOKEN, or run this with its configuration (SVC_CONFIG_DIR)"
      : message;
  return { code: "unauthorized", exitCode: EXIT.unauthorized, message: why, status };
}

function unreachable(url: string, cause: unknown): CommandFailure {
  const code = codeOf(cause);
  return {
    code: "unreachable",
    exitCode: EXIT.unreachable,
    message: `no service answers at ${url}${code === "" ? "" : ` (${code})`}: start it with agent-service, or name it with --url or SVC_URL; agent-service doctor helps to find out why`,
  };
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === "string" ? code : codeOf(cause.cause);
}
