import type { Part } from "../../parts/index.ts";

export const OBSERVE_PARTS: readonly Part[] = [
  { path: "/observe/telemetry", label: "Telemetry", feature: "telemetry" },
  { path: "/observe/prompts", label: "Prompts", feature: "prompts" },
  { path: "/observe/logs", label: "Logs", feature: "diagnostics" },
  // Without a limit of calls nothing waits.
  { path: "/observe/lanes", label: "Queue", feature: "model_lanes", whenEnabled: true },
];
