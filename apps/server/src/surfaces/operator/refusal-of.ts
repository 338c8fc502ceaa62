import {
  DatabaseError,
  IncognitoSessionError,
  RemovalUnfinishedError,
  TaskError,
  TooManyPinnedError,
  TooManyVersionsError,
  UnknownFileError,
  UnknownSessionError,
  UnknownTurnError,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import { asSentence } from "./as-sentence.ts";

/**
 * The refusal for an expected error of the engine: a store that is temporarily unavailable (S7), a request
 * that the task service refuses, a session that does not exist. Undefined for every other error.
 */
export function refusalOf(error: unknown): Problem | undefined {
  if (error instanceof TaskError) return ofTaskError(error);
  if (error instanceof UnknownSessionError || error instanceof UnknownTurnError || error instanceof UnknownFileError) {
    return new Problem(404, { code: error.code, message: error.message }, { cause: error });
  }
  if (error instanceof IncognitoSessionError) return new Problem(409, error.message, { cause: error });
  if (error instanceof TooManyPinnedError || error instanceof TooManyVersionsError) {
    return new Problem(409, { code: error.code, message: error.message }, { cause: error });
  }
  if (error instanceof RemovalUnfinishedError) return new Problem(503, error.message, { retryAfter: 10, cause: error });
  if (!(error instanceof DatabaseError)) return undefined;
  switch (error.code) {
    case "full":
      return new Problem(503, "The store is full: nothing was accepted.", { retryAfter: 60, cause: error });
    case "overloaded":
      return new Problem(503, "The store is busy: nothing was accepted.", { retryAfter: 1, cause: error });
    case "unreachable":
      return new Problem(503, "The store's server does not answer: nothing was accepted.", {
        retryAfter: 5,
        cause: error,
      });
    case "lease_lost":
    case "file_lost":
      return new Problem(503, "The store is lost: nothing was accepted, and the service ends.", {
        retryAfter: 10,
        cause: error,
      });
    case "in_use":
    case "unwritable":
      // Another process has it, or a newer version wrote it: its message names the store and what to do.
      return new Problem(503, `A store cannot be used: ${error.message}`, { retryAfter: 10, cause: error });
    default:
      return undefined;
  }
}

function ofTaskError(error: TaskError): Problem {
  const { code, retryAfterSeconds: retryAfter } = error;
  const message = asSentence(error.message);
  switch (code) {
    case "overloaded":
      return new Problem(429, message, { retryAfter, cause: error });
    case "draining":
      return new Problem(503, message, { retryAfter, cause: error });
    case "unknown_command":
    case "unsupported_content":
      return new Problem(400, message, { cause: error });
    case "forbidden":
      return new Problem(403, message, { cause: error });
    case "unknown_task":
      return new Problem(404, message, { cause: error });
    case "key_conflict":
    case "not_waiting":
    case "prompt_gone":
    case "context_busy":
      return new Problem(409, message, { cause: error });
  }
}
