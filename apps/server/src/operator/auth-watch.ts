import type { AgentCore, CommittedEvent } from "@agent-service/agent-core";
import type { RuntimeStatus } from "@agent-service/operator-api";

/** A provider that does not accept our credential. */
export interface AuthFailure {
  /** As the turn named the model. */
  readonly model: string;
  readonly message: string;
}

/**
 * Remembers, per model, that the last call was refused for its credential, so that the status can say so until a call
 * succeeds (reference-shapes.md section 2, `graph_auth_error`). One failure is kept: the newest.
 */
export function watchAuth(journal: Pick<AgentCore["journal"], "onCommit">): () => AuthFailure | undefined {
  let failure: AuthFailure | undefined;
  journal.onCommit((_, events: readonly CommittedEvent[]) => {
    for (const { event } of events) {
      if (event.kind === "model.finished" && event.model === failure?.model) failure = undefined;
      if (event.kind !== "model.failed" || event.failure.code !== "unauthorized") continue;
      failure = { model: event.model, message: event.failure.message };
    }
  });
  return () => failure;
}

/** A failure as the status tells it. `connections`: those there are; `fallback`: the lead's. */
export function authErrorOf(
  failure: AuthFailure | undefined,
  connections: readonly { readonly id: string; readonly type: string }[],
  lead: string,
): RuntimeStatus["graph_auth_error"] {
  if (failure === undefined) return null;
  const prefix = failure.model.split(":")[0];
  const id = connections.find((one) => one.id === prefix)?.id ?? lead;
  const type = connections.find((one) => one.id === id)?.type ?? "";
  return { provider: id, message: failure.message, relogin: type.startsWith("oauth-subscription") };
}
