import { defineFeature, featureKey } from "../feature/index.ts";
import { traceIdOf, traceparentOf } from "./trace-context.ts";
import { type TracingEnvironment, traceTarget } from "./trace-target.ts";
import { Tracing } from "./tracing.ts";
import { tracingSection } from "./tracing-section.ts";

/** How traces name the service, and the variables of its environment about tracing. */
export interface TracingFeatureOptions {
  readonly agent: string;
  readonly version: string;
  readonly environment: () => TracingEnvironment;
}

/** What tracing opens. */
export interface Traces {
  /** Undefined while no traces are sent. */
  readonly reader: Tracing | undefined;
  /** The id of the trace a task is in; null: in none. Without tracing only a caller can put it in one. */
  traceOf(task: string, parent: string | undefined): string | null;
}

/** The feature `tracing` makes, for those that need it. */
export const traces = featureKey<"tracing", Traces>("tracing");

/** Traces of tasks over OTLP (B60 `tracing`). Decided at the start: a change of the section needs a restart. */
export function tracing({ agent, version, environment }: TracingFeatureOptions) {
  return defineFeature({
    name: traces.name,
    sections: [tracingSection],
    open({ redactor, clock, log }, { settings }): Traces {
      const { enabled } = settings.tracing;
      return {
        reader: enabled
          ? new Tracing({ ...traceTarget(settings.tracing, environment()), agent, version, redactor, clock, log })
          : undefined,
        traceOf: (task, parent) => (enabled || parent !== undefined ? traceIdOf(task, parent) : null),
      };
    },
    readers: ({ reader }) => (reader === undefined ? [] : [reader]),
    traceparent: ({ reader }) =>
      reader === undefined ? undefined : ({ id, trace }, call) => traceparentOf(id, call, trace),
  });
}
