/** Requests about memory, over the operator API. */
import { askOperator } from "../ask-operator.ts";

export interface MemoryReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what was answered; the service holds each answer against its schema
  readonly body: any;
}

/** Asks the service. @throws LostError, BrokenServiceError */
export function askMemory(url: string, method: string, path: string, body?: object): Promise<MemoryReply> {
  return askOperator(url, { method, path, body });
}
