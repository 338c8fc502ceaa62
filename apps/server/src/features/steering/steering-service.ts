import type { InputMessage, SessionSteering } from "@agent-service/agent-core/host";
import type { SteeringService } from "@agent-service/operator-api";

/** Maximum characters of an unread message in a list. */
const MAX_LISTED = 2_000;

/** Steering of the operator's sessions (R8). `redact` takes secrets out of a text (S5). */
export function steeringService(steering: SessionSteering, redact: (text: string) => string): SteeringService {
  return {
    add: (session, message, requestKey) => steering.add(session, message, requestKey),
    list: async (session) =>
      (await steering.list(session)).map(({ id, input }) => ({ id, text: redact(textOf(input)) })),
    remove: (session, id) => steering.withdraw(session, id),
  };
}

function textOf({ parts }: InputMessage): string {
  const text = parts.map((part) => (part.kind === "text" ? part.text : `(${part.kind})`)).join("\n");
  return text.length > MAX_LISTED ? `${text.slice(0, MAX_LISTED)}…` : text;
}
