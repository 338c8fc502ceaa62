export { type TelemetryFeatureOptions, telemetry } from "./feature.ts";
export { observation, observationStore } from "./observation-store.ts";
export { Telemetry, type TelemetryOptions } from "./telemetry.ts";
export {
  type SeriesRange,
  TelemetryReports,
  type TurnBucket,
  type TurnPosition,
} from "./telemetry-reports.ts";
export { type TelemetrySectionValue, telemetrySection } from "./telemetry-section.ts";
export type { TurnInsights } from "./turn-insights.ts";
export { CSV_HEAD, type TurnReport } from "./turn-report.ts";
export { type TurnModel, type TurnRow, turnRow } from "./turn-row.ts";
export type { Percentiles, TurnSummary } from "./turn-summary.ts";
