import { WAIT_LIMIT_MS } from "../run/limits.ts";
import { setDeadline } from "./deadline.ts";
import { BrokenServiceError, LostError } from "./wire.ts";

export interface OperatorRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** An idempotency key. */
  readonly key?: string | undefined;
}

/** Asks the operator API; the body is what the service says it is, which it holds against its schema. @throws LostError, BrokenServiceError */
export async function askOperator<Body>(
  url: string,
  { method, path, body, key }: OperatorRequest,
): Promise<{ readonly status: number; readonly body: Body }> {
  const deadline = setDeadline(WAIT_LIMIT_MS);
  try {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: deadline.signal,
    });
    return { status: response.status, body: JSON.parse(await response.text()) as Body };
  } catch (error) {
    if (error instanceof SyntaxError) throw new BrokenServiceError(`${method} ${path} was answered with no JSON`);
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new BrokenServiceError(`${method} ${path} had no answer`);
    throw new LostError(`${method} ${path}: ${String(error)}`);
  } finally {
    deadline.clear();
  }
}
