/** Turns errors into responses. */
import { A2AError, ForbiddenError, OverloadedError } from "../../error/index.ts";
import { encodeSseEvent } from "../../stream/index.ts";
import { JSON_HEADERS, STREAM_HEADERS } from "./answer-headers.ts";
import { errorText, type Framing } from "./framing.ts";
import { refusal } from "./refusal.ts";
import { restErrorText, restStatus } from "./rest-error.ts";

/** Called for errors whose cause the caller does not see. `errorId` is in the caller's `error.data.errorId`. */
export type OnError = (error: unknown, errorId: string) => void;

export interface FailureReply {
  reply(framing: Framing, error: unknown): Response;
  /**
   * The answer to a JSON-RPC request of a streaming method that failed before its stream began: a stream of the error
   * alone. What is refused for lack of capacity keeps its HTTP status.
   */
  streamed(framing: Framing, error: unknown): Response;
  /**
   * The response to a notification that failed. JSON-RPC has no error for it, so a fault of the caller is answered like a
   * success; any other failure keeps its HTTP status, without a body.
   */
  unanswered(error: unknown): Response;
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
  function reply(framing: Framing, error: unknown): Response {
    if (error instanceof ForbiddenError) return refusal(403, error.message);
    const { idJson, dialect } = framing;
    const described = describe(error);
    const status = error instanceof OverloadedError ? error.status : idJson === undefined ? restStatus(described) : 200;
    const text = idJson === undefined ? restErrorText(dialect, described, status) : errorText(framing, described);
    return new Response(text, { status, headers: { ...JSON_HEADERS, ...retryHeaders(error) } });
  }
  return {
    describe,
    reply,
    streamed(framing, error) {
      if (error instanceof OverloadedError || error instanceof ForbiddenError) return reply(framing, error);
      const text = encodeSseEvent({ data: errorText(framing, describe(error)) });
      return new Response(text, { headers: STREAM_HEADERS });
    },
    unanswered(error) {
      if (error instanceof A2AError) return new Response(null, { status: 204 });
      if (error instanceof ForbiddenError) return refusal(403, error.message);
      const status = error instanceof OverloadedError ? error.status : 500;
      if (status === 500) describe(error);
      return new Response(null, { status, headers: retryHeaders(error) });
    },
  };
}

/** When to try again, of a refusal for lack of capacity. */
function retryHeaders(error: unknown): Record<string, string> {
  return error instanceof OverloadedError ? { "retry-after": String(error.retryAfterSeconds) } : {};
}

function reportToConsole(error: unknown, errorId: string): void {
  // biome-ignore lint/suspicious/noConsole: the default of a library used without a host's log; silence would hide faults
  console.error(`a2a: error ${errorId}`, error);
}
