export { Telemetry, type TelemetryOptions } from "./telemetry.ts";
export { type TelemetrySectionValue, telemetrySection } from "./telemetry-section.ts";
export type { TurnModel, TurnRow } from "./turn-row.ts";
