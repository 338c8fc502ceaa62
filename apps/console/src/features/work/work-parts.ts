import type { Part } from "../../parts/index.ts";

export const WORK_PARTS: readonly Part[] = [
  { path: "/work/jobs", label: "Jobs", feature: "background" },
  { path: "/work/board", label: "Board", feature: "tasks" },
  { path: "/work/goals", label: "Goals", feature: "goals" },
  { path: "/work/schedules", label: "Schedules", feature: "scheduler" },
  { path: "/work/watches", label: "Watches", feature: "watches" },
  { path: "/work/inbox", label: "Inbox", feature: "inbox" },
  { path: "/work/activity", label: "Activity", feature: "activity" },
];
