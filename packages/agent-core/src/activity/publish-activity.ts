import type { EventBus } from "../bus/index.ts";
import type { AnswerPart, CommittedEvent, InputPart, TaskView } from "../event/index.ts";
import { withoutMarks } from "../verifier/index.ts";
import { feedOrigin, feedState, isActivity } from "./activity-context.ts";

/** Characters of a message. */
const TEXT_CHARS = 4_000;

/**
 * Publishes what a commit means for the feed, as `activity.message`: a turn got a message (role `user`), waits for a
 * person, or ended (role `assistant`). Nothing, for nearly every commit. `id`, `origin`, `priority` and `state` are
 * for everyone (S3).
 */
export function publishActivity(bus: EventBus, view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
  if (!isActivity({ ...view, isNotice: isNotice(view, events) })) return;
  const message = messageOf(view, events);
  if (message === undefined) return;
  bus.publish("activity.message", {
    id: view.id,
    task_id: view.id,
    context_id: view.context,
    origin: feedOrigin(view.origin),
    trigger: view.provenance?.trigger ?? null,
    priority: view.provenance?.priority ?? null,
    state: feedState(view.state),
    ...message,
  });
}

/** A notice is accepted and completed in one commit, and no person asked for it. */
function isNotice({ provenance }: Readonly<TaskView>, events: readonly CommittedEvent[]): boolean {
  if (provenance === undefined) return false;
  return events[0]?.event.kind === "task.accepted" && events.at(-1)?.event.kind === "task.completed";
}

function messageOf(view: Readonly<TaskView>, events: readonly CommittedEvent[]) {
  const last = events.at(-1)?.event;
  switch (last?.kind) {
    case "task.completed":
    case "task.canceled":
    case "task.failed": {
      const error = last.kind === "task.failed" ? last.failure.message.slice(0, TEXT_CHARS) : null;
      return { role: "assistant", text: textOf(view.answer ?? []), error };
    }
    case "task.parked":
      return { role: "assistant", text: "", error: null };
    default: {
      const first = events[0]?.event;
      return first?.kind === "task.accepted"
        ? { role: "user", text: textOf(first.input.parts), error: null }
        : undefined;
    }
  }
}

function textOf(parts: readonly (AnswerPart | InputPart)[]): string {
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text.slice(0, TEXT_CHARS)] : []));
  return withoutMarks(texts.join("\n").slice(0, TEXT_CHARS));
}
