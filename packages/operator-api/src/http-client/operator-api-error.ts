import { problemText } from "../problem/index.ts";

/** An answer that is no success. `message` is what to show a person (B30). */
export class OperatorApiError extends Error {
  override readonly name = "OperatorApiError";
  readonly status: number;
  /** `detail` of the body: a text, a list or an object; undefined where the body was no error body. */
  readonly detail: unknown;
  /** Under which the server's log has the cause of a 500. */
  readonly errorId: string | undefined;
  /** Whole seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter: number | undefined) {
    super(problemText(body) ?? `The server answered ${status}.`);
    const { detail, error_id: errorId } = (body ?? {}) as { readonly detail?: unknown; readonly error_id?: unknown };
    this.status = status;
    this.detail = detail;
    this.errorId = typeof errorId === "string" ? errorId : undefined;
    this.retryAfter = retryAfter;
  }
}
