import type { TaskOrigin } from "@agent-service/agent-core/host";

/** What a task comes from, as lists of tasks are filtered by it. */
export const TASK_ORIGINS = [
  ...[
    "a2a",
    "chat",
    "v1",
    "schedule",
    "watch",
    "inbox",
    "goal",
    "background",
    "subagent",
    "auxiliary",
    "embed",
    "board",
    "operator",
  ],
] as const satisfies readonly TaskOrigin[];
