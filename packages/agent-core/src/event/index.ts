export type { PendingPrompt, PromptPayload, PromptReason } from "./prompt.ts";
export { taskCost } from "./task-cost.ts";
export type {
  AnswerPart,
  CallOutcome,
  CommittedEvent,
  InputMessage,
  InputPart,
  TaskEvent,
  TaskEventKind,
  TaskFailure,
  TaskOrigin,
  TaskState,
  TaskTotals,
  TaskUsage,
} from "./task-event.ts";
export { isTerminalState } from "./task-event.ts";
export { createIdSource } from "./task-id.ts";
export type { HistoryEntry, ModelAccount, ShownComponent, TaskView, ToolAccount } from "./task-view.ts";
export { addUsage, applyEvent, emptyView, foldEvents, NO_USAGE } from "./task-view.ts";
