export type { PendingPrompt, PromptPayload, PromptReason } from "./prompt.ts";
export type { RecalledItem, RecalledMemory, RecallOmission, RecallRecord, TurnContext } from "./recall-record.ts";
export { roundDollars, taskCost } from "./task-cost.ts";
export type {
  AnswerPart,
  CallImage,
  CallOutcome,
  CommittedEvent,
  DelegationFinished,
  InputMessage,
  InputPart,
  ModelAccount,
  SkippedApproval,
  TaskEvent,
  TaskEventKind,
  TaskFailure,
  TaskOrigin,
  TaskParent,
  TaskProvenance,
  TaskState,
  TaskTotals,
  TaskUsage,
  ToolAccount,
} from "./task-event.ts";
export { isTerminalState } from "./task-event.ts";
export { createIdSource } from "./task-id.ts";
export type { HistoryEntry, ShownComponent, TaskView } from "./task-view.ts";
export { addUsage, applyEvent, delegatedUsage, emptyView, foldEvents, NO_USAGE } from "./task-view.ts";
