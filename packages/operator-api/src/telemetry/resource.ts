import { defineResource } from "../resource/index.ts";
import {
  exportTurns,
  listTurns,
  readTelemetryInsights,
  readTelemetrySeries,
  readTelemetrySummary,
  telemetryRoutes,
} from "./routes.ts";

/** Tokens, cost and time of turns. */
export const telemetry = defineResource({
  name: "telemetry",
  feature: "telemetry",
  definitions: [readTelemetrySummary, listTurns, exportTurns, readTelemetryInsights, readTelemetrySeries],
  routes: telemetryRoutes,
});
