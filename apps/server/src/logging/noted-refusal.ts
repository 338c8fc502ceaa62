import type { EgressErrorCode, LogDecision } from "@agent-service/agent-core/host";

/** Logs what an egress guard refuses, by its code alone: the address may be a text of the model's. */
export function notedRefusal(
  debug: LogDecision | undefined,
  guard: string,
): ((code: EgressErrorCode) => void) | undefined {
  return debug && ((code) => debug({ guard, code }, "outgoing request refused"));
}
