/** Requests for jobs, over the operator API. */

import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { setDeadline } from "../deadline.ts";
import { BrokenServiceError, LostError } from "../wire.ts";

export interface JobReply {
  readonly status: number;
  readonly body: {
    readonly detail?: unknown;
    readonly job?: JobBody;
    readonly run?: { readonly slot: string; readonly attempt: number };
  };
}

export interface JobBody {
  readonly id: string;
  readonly enabled: boolean;
  readonly schedule: string;
  readonly pause_reason: string | null;
  readonly kind: string;
}

/** Asks for a job below `/api/scheduler/jobs`. @throws LostError, BrokenServiceError */
export async function askFor(
  url: string,
  { method, path = "", body, key }: { method: string; path?: string; body?: object; key?: string },
): Promise<JobReply> {
  const deadline = setDeadline(WAIT_LIMIT_MS);
  try {
    const response = await fetch(`${url}/api/scheduler/jobs${path}`, {
      method,
      headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: deadline.signal,
    });
    return { status: response.status, body: JSON.parse(await response.text()) as JobReply["body"] };
  } catch (error) {
    if (error instanceof SyntaxError) throw new BrokenServiceError(`${method} ${path} was answered with no JSON`);
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new BrokenServiceError(`${method} ${path} had no answer`);
    throw new LostError(`${method} ${path}: ${String(error)}`);
  } finally {
    deadline.clear();
  }
}
