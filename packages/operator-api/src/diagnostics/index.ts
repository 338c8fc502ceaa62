export { diagnostics } from "./resource.ts";
export type { DiagnosticsService, LoggedLine } from "./routes.ts";
