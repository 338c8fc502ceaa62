export { type Traces, type TracingFeatureOptions, traces, tracing } from "./feature.ts";
export { formatTraceparent, parseTraceparent, type TraceParent, traceIdOf, traceparentOf } from "./trace-context.ts";
export { type TraceTarget, type TracingEnvironment, traceTarget } from "./trace-target.ts";
export { Tracing, type TracingOptions } from "./tracing.ts";
export { type TracingSectionValue, tracingSection } from "./tracing-section.ts";
