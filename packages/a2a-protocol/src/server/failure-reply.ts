/** The one place where errors become answers. */
import { A2AError, OverloadedError } from "../error/index.ts";
import { errorText, type Framing } from "./framing.ts";
import { restErrorText, restStatus } from "./rest-error.ts";

/** Hears of what the caller is not told. `errorId` is in the caller's `error.data.errorId`. */
export type OnError = (error: unknown, errorId: string) => void;

/** Turns errors into answers. */
export interface FailureReply {
  /** The answer to a request that failed. */
  reply(framing: Framing, error: unknown): Response;
  /** The error as the caller sees it; reports what the caller does not see. */
  describe(error: unknown): A2AError;
}

/** A mapping that reports unexpected errors to `onError`. */
export function createFailureReply(onError: OnError = reportToConsole): FailureReply {
  function describe(error: unknown): A2AError {
    if (error instanceof A2AError) return error;
    if (error instanceof OverloadedError) return new A2AError("INTERNAL_ERROR", error.message);
    const errorId = crypto.randomUUID();
    try {
      onError(error, errorId);
    } catch {
      // A broken log must not cost the caller the answer.
    }
    return new A2AError("INTERNAL_ERROR", undefined, { data: { errorId } });
  }
  return {
    describe,
    reply(framing, error) {
      const { idJson, dialect } = framing;
      const told = describe(error);
      const headers: Record<string, string> = { "content-type": "application/json" };
      let status = idJson === undefined ? restStatus(told) : 200;
      if (error instanceof OverloadedError) {
        status = error.status;
        headers["retry-after"] = String(error.retryAfterSeconds);
      }
      const text = idJson === undefined ? restErrorText(dialect, told, status) : errorText(framing, told);
      return new Response(text, { status, headers });
    },
  };
}

function reportToConsole(error: unknown, errorId: string): void {
  // biome-ignore lint/suspicious/noConsole: the default of a library used without a host's log; silence would hide faults
  console.error(`a2a: error ${errorId}`, error);
}
