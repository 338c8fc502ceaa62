/** Has another instance run a slot, over A2A (G2). */
import type { RunElsewhere, RunOutcome } from "@agent-service/agent-core/host";
import * as v from "valibot";

export interface InvokeTarget {
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent over https, or to loopback, alone. */
  readonly token: () => string | undefined;
  /** Milliseconds until there is no answer. */
  readonly timeoutMs: number;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

const replySchema = v.object({
  result: v.optional(
    v.object({
      kind: v.optional(v.string()),
      id: v.optional(v.string()),
      status: v.optional(v.object({ state: v.string() })),
    }),
  ),
  error: v.optional(v.object({ code: v.number(), message: v.string() })),
});

export function runElsewhere({ url, token, timeoutMs }: InvokeTarget): RunElsewhere {
  return async ({ key, text, context, outside }, signal) => {
    const target = new URL(`${url}/a2a`);
    const secret = target.protocol === "https:" || isLoopback(target) ? token() : undefined;
    const message = {
      kind: "message",
      role: "user",
      messageId: key,
      contextId: context,
      parts: [{ kind: "text", text }],
      ...(outside && { metadata: { from_outside: true } }),
    };
    const params = { message, configuration: { blocking: true } };
    const response = await fetch(target, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        ...{ "content-type": "application/json", "idempotency-key": key },
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: key, method: "message/send", params }),
    });
    if (response.status >= 500 || response.status === 429)
      throw new Error(`the other service answered ${response.status}`);
    const reply = v.safeParse(replySchema, await response.json().catch(() => undefined));
    if (!reply.success)
      return { state: "failed", reason: `the other service answered ${response.status}, not as A2A does` };
    return outcomeOf(reply.output, response.status);
  };
}

function outcomeOf({ result, error }: v.InferOutput<typeof replySchema>, status: number): RunOutcome {
  if (error !== undefined)
    return { state: "failed", reason: `the other service refused it: ${error.message.slice(0, 200)}` };
  if (result === undefined) return { state: "failed", reason: `the other service answered ${status}` };
  const state = result.status?.state ?? "completed";
  const task = result.id;
  if (state === "completed" || state === "canceled") return { state, reason: undefined, task };
  if (state === "failed" || state === "rejected")
    return { state: "failed", reason: "it failed there, and may have had effects", task, mayHaveActed: true };
  return { state: "unconfirmed", reason: `it is ${state} there`, task };
}
