export {
  type DiagnosticsService,
  diagnosticsDefinitions,
  diagnosticsRoutes,
  type LoggedLine,
  readLogs,
  readTaskDiagnostic,
} from "./routes.ts";
