import { defineResource } from "../resource/index.ts";
import { diagnosticsRoutes, readLogs, readTaskDiagnostic } from "./routes.ts";

/** The log and what is stored of a task. */
export const diagnostics = defineResource({
  name: "diagnostics",
  feature: "diagnostics",
  definitions: [readLogs, readTaskDiagnostic],
  topics: [
    {
      topic: "log.written",
      when: "The log has lines that `GET /api/diagnostics/logs` did not return yet; once after each reading of it",
      data: "none",
    },
  ],
  routes: diagnosticsRoutes,
});
