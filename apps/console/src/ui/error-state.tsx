import type { ReactElement, ReactNode } from "react";
import { isFinal } from "../api/index.ts";
import { Button } from "./button.tsx";

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
    return { message: "The service cannot be reached. It may be restarting." };
  }
  return { message: error.message, errorId };
}

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

/** A failure in one line, beside what it is about. */
export function InlineError({ error }: { readonly error: unknown }): ReactElement {
  const { message, errorId } = failureOf(error);
  return (
    <p role="alert" className="text-sm text-bad">
      {message}
      {errorId !== undefined && ` (error ${errorId})`}
    </p>
  );
}
