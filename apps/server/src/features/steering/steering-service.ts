/** Steering of sessions over the task service (document 2, chat; ruling R8). */
import { createHash } from "node:crypto";
import { type AgentCore, contextKey, type InputMessage, namedStatement } from "@agent-service/agent-core";
import type { SteeringService } from "@agent-service/operator-api";

const CLASS = "operator";
/** Characters of an unread message that a list tells. */
const MAX_LISTED = 2_000;

const hasMessages = namedStatement(
  "SELECT 1 FROM message WHERE class = :class AND context = :context ORDER BY id LIMIT 1",
);

function textOf({ parts }: InputMessage): string {
  const texts = parts.map((part) => (part.kind === "text" ? part.text : `(${part.kind})`));
  const text = texts.join("\n");
  return text.length > MAX_LISTED ? `${text.slice(0, MAX_LISTED)}…` : text;
}

/** Steering of the operator's sessions. `redact` takes secrets out of what is told (ruling S5). */
export function steeringService({
  core: { service, db },
  newId,
  redact,
}: {
  readonly core: Pick<AgentCore, "service" | "db">;
  readonly newId: () => string;
  readonly redact: (text: string) => string;
}): SteeringService {
  const isKnown = async (of: { class: string; context: string }): Promise<boolean> =>
    service.runner.queue.held(contextKey(of)) ||
    service.unread(of).length > 0 ||
    (await db.read(hasMessages.bind(of))).length > 0;
  return {
    async add(session, { text, id: name }, requestKey) {
      const of = { class: CLASS, context: session };
      if (!(await isKnown(of))) return undefined;
      // Without a name the request's own key is one: a repetition after a crash is the same message.
      const id = name ?? (requestKey === undefined ? newId() : `steer-${requestKey.key}`);
      const digest = createHash("sha256").update(text).digest("hex");
      const named = name !== undefined || requestKey !== undefined;
      const key = named ? { class: CLASS, key: `steer ${session} ${id}`, digest, task: id } : undefined;
      const input: InputMessage = { messageId: id, parts: [{ kind: "text", text }] };
      const started = await service.steer({ ...of, origin: "chat", input, ...(key && { key }) });
      return { id, pending: service.unread(of).length, task: started?.id };
    },
    async list(session) {
      const of = { class: CLASS, context: session };
      if (!(await isKnown(of))) return undefined;
      return service.unread(of).map(({ id, input }) => ({ id, text: redact(textOf(input)) }));
    },
    async remove(session, id) {
      const of = { class: CLASS, context: session };
      if (!(await isKnown(of))) return undefined;
      const removed = await service.withdraw(of, id);
      return { removed, pending: service.unread(of).length };
    },
  };
}
