export { telemetry } from "./resource.ts";
export type { TelemetryService } from "./routes.ts";
