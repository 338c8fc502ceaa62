import type { EventBus } from "../bus/index.ts";
import type { CommittedEvent, TaskView } from "../event/index.ts";

/**
 * Publishes the approvals that a commit opened, decided or withdrew (O7): `approval.requested`,
 * `approval.answered` and `approval.withdrawn`, each with the prompt's `id`, `task_id` and `session_id`.
 */
export function publishApprovals(bus: EventBus, view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
  let answered = false;
  for (const { event } of events) {
    switch (event.kind) {
      case "prompt.answered":
        answered = true;
        bus.publish("approval.answered", about(view, event.promptId));
        break;
      case "prompt.withdrawn":
        bus.publish("approval.withdrawn", about(view, event.promptId));
        break;
      case "task.parked":
        // After an answer the event lists the prompts that were open before, too: nothing new to publish.
        if (answered) break;
        for (const { promptId, payload } of event.prompts)
          bus.publish("approval.requested", { ...about(view, promptId), kind: payload.kind, origin: view.origin });
        break;
      default:
        break;
    }
  }
}

function about({ id, context }: Readonly<TaskView>, prompt: string) {
  return { id: prompt, task_id: id, session_id: context };
}
