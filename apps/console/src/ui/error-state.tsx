import { OperatorApiError } from "@agent-service/operator-api/client";
import type { ReactElement, ReactNode } from "react";
import { isFinal } from "../api/index.ts";
import { Button } from "./button.tsx";
import { duration } from "./format.ts";

/** An error for people: its message, and the id under which the server's log has the cause. */
export interface Failure {
  readonly message: string;
  readonly errorId?: string | undefined;
}

/** Reads a failure from any thrown value. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  const errorId = "errorId" in error && typeof error.errorId === "string" ? error.errorId : undefined;
  if (error instanceof TypeError && /fetch|network/i.test(error.message)) {
    return { message: "The service cannot be reached. It may be restarting: try again in a moment." };
  }
  if (error instanceof OperatorApiError) return { message: answered(error), errorId };
  return { message: error.message, errorId };
}

/** What the service said, and when or where to go on, where its status tells. */
function answered({ status, message, detail, retryAfter }: OperatorApiError): string {
  if (status === 401) return "The service refuses this browser's access token. Reload the page to enter another.";
  const what = detail === undefined ? (WITHOUT_TEXT[status] ?? "The service could not answer.") : message;
  // A 503 with a text and no time is of what is switched off here: it stays so.
  if (retryAfter !== undefined || status === 429 || (status === 503 && detail === undefined)) {
    const when = retryAfter === undefined ? "in a moment" : `in ${duration(retryAfter * 1_000)}`;
    return `${what.replace(/[^.!?]$/, "$&.")} Try again ${when}.`;
  }
  return what;
}

/** What happened, of answers that no text came with, as those of a proxy. */
const WITHOUT_TEXT: Readonly<Record<number, string>> = {
  404: "This does not exist here.",
  413: "This is larger than the service takes.",
  429: "The service got too many requests at once.",
  502: "The service cannot be reached through its proxy.",
  503: "The service cannot answer now.",
  504: "The service did not answer in time.",
};

/** An error with what to do next: retry where that can help, else a link elsewhere. */
export function ErrorState({
  title,
  error,
  onRetry,
  back,
}: {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** A link elsewhere, shown where a retry would fail again. */
  readonly back?: ReactNode;
}): ReactElement {
  const { message, errorId } = failureOf(error);
  const final = isFinal(error);
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-start gap-3 px-6 py-16">
      <h2 className="font-display text-lg font-semibold">{title}</h2>
      <p className="text-ink-soft">{message}</p>
      {errorId !== undefined && (
        <p className="text-sm text-ink-soft">
          The server's log has the cause: <code>{errorId}</code>.
        </p>
      )}
      {final && back}
      {!final && onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/**
 * A failure in one line, beside what it is about, with what to press: to reload where this browser's token is refused, to
 * try again where that can help. `onRetry` is for what is read; what a person did they do again where they did it.
 */
export function InlineError({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => unknown) | undefined;
}): ReactElement {
  const { message, errorId } = failureOf(error);
  const isRefused = error instanceof OperatorApiError && error.status === 401;
  return (
    <p role="alert" className="text-sm text-bad">
      {message}
      {errorId !== undefined && ` (error ${errorId})`}
      {isRefused && (
        <Button small className="ml-2" onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
      {!isFinal(error) && onRetry !== undefined && (
        <Button small className="ml-2" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </p>
  );
}
