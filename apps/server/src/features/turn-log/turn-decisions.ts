import type { CommittedEvent, DecisionFields, LogDecision, TaskEvent } from "@agent-service/agent-core/host";

/** The decision as a text, with its reason; undefined: the event is no decision. */
function decisionOf(event: TaskEvent): readonly [string, DecisionFields] | undefined {
  switch (event.kind) {
    case "task.accepted":
      return ["task accepted", { origin: event.origin, class: event.class, state: event.state }];
    case "task.started":
      return ["task begins after it waited", {}];
    case "task.resumed":
      return ["task goes on after a restart", {}];
    case "model.started":
      return ["model chosen", { step: event.step, model: event.model }];
    case "model.retried":
      return ["model call retried", { code: event.code, wait_ms: event.waitMs }];
    case "model.failed":
      return ["model call failed", { step: event.step, model: event.model, code: event.failure.code }];
    case "model.fallback":
      return ["another model takes over", { from: event.from, to: event.to, code: event.code }];
    case "approval.skipped":
      return ["call runs without asking", { call: event.call, by: event.by }];
    case "tool.finished":
      return ["call ended", { call: event.call, outcome: event.outcome, ms: event.ms }];
    case "delegation.finished":
      return ["delegated task ended", { call: event.call, delegated: event.task, state: event.state }];
    case "guard.noted":
      return ["guard stepped in", { guard: event.guard }];
    case "context.pruned":
      return ["older results shortened", { results: event.results, chars: event.chars }];
    case "context.compacted":
      return ["conversation summarised", { summarised: event.summarised, kept: event.kept, chars: event.chars }];
    case "context.recalled":
      return ["memory recalled", { shown: event.items.length, left_out: event.leftOut.length, ms: event.ms }];
    case "context.cut":
      return ["shown window cut", { left: event.left, kept: event.kept, out_of_sight: event.outOfSight }];
    case "prompt.answered":
      return ["person answered", { prompt: event.promptId, state: event.state }];
    case "prompt.rejected":
      return ["answer did not fit", { prompt: event.prompt.promptId }];
    case "prompt.withdrawn":
      return ["prompt withdrawn", { prompt: event.promptId }];
    default:
      return undefined;
  }
}

/** Logs the decisions among the events of a commit: names, codes and numbers, no content. */
export function logDecisions(task: string, events: readonly CommittedEvent[], debug: LogDecision): void {
  for (const { event } of events) {
    if (event.kind === "task.parked") {
      for (const { promptId, callId, reason, payload } of event.prompts)
        debug({ task, prompt: promptId, call: callId, reason, kind: payload.kind }, "call waits for a person");
    }
    const decision = decisionOf(event);
    if (decision !== undefined) debug({ task, ...decision[1] }, decision[0]);
  }
}
