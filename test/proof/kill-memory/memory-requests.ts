/** Requests about memory, over the operator API. */
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { setDeadline } from "../deadline.ts";
import { BrokenServiceError, LostError } from "../wire.ts";

export interface MemoryReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what was answered; the service holds each answer against its schema
  readonly body: any;
}

/** Asks the service. @throws LostError, BrokenServiceError */
export async function askMemory(url: string, method: string, path: string, body?: object): Promise<MemoryReply> {
  const deadline = setDeadline(WAIT_LIMIT_MS);
  try {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      signal: deadline.signal,
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  } catch (error) {
    if (error instanceof SyntaxError) throw new BrokenServiceError(`${method} ${path} was answered with no JSON`);
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new BrokenServiceError(`${method} ${path} had no answer`);
    throw new LostError(`${method} ${path}: ${String(error)}`);
  } finally {
    deadline.clear();
  }
}
