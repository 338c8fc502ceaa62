export {
  exportTurns,
  listTurns,
  readTelemetryInsights,
  readTelemetrySeries,
  readTelemetrySummary,
  type TelemetryService,
  telemetryRoutes,
} from "./routes.ts";
