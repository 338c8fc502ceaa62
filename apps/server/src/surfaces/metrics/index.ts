export { createMetrics, type Metrics, type ModelCallMeasure, metricPrefix } from "./create-metrics.ts";
export { feedMetrics } from "./feed-metrics.ts";
export { metricsRoute } from "./metrics-route.ts";
export { addProcessMetrics } from "./process-metrics.ts";
export {
  type Counter,
  createRegistry,
  type Gauge,
  type Histogram,
  type MetricInfo,
  MetricNameError,
  type Registry,
} from "./registry.ts";
export type { Labels } from "./series-table.ts";
