/** Spans of a task as OTLP's JSON has them, with the names of OpenTelemetry's GenAI semantic conventions. */
import { type CommittedEvent, isTerminalState, type TaskUsage, type TaskView } from "../event/index.ts";
import { parseTraceparent, spanIdOf, traceIdOf } from "./trace-context.ts";

type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

/** A span (opentelemetry-proto, JSON mapping: ids in hex, times in nanoseconds as text). */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: 1 | 2 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: AttributeValue }[];
  /** 0 unset, 2 error. */
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

type Attributes = { readonly [key: string]: string | number | readonly string[] | undefined };

function attributeValue(value: string | number | readonly string[]): AttributeValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function attributesOf(values: Attributes): OtlpSpan["attributes"] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: attributeValue(value) }],
  );
}

const nanos = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`;

function usageOf(usage: TaskUsage | undefined): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage?.input,
    "gen_ai.usage.output_tokens": usage?.output,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWrite,
  };
}

/** What of a span is not the same in all of them. */
interface SpanParts {
  readonly call: string;
  readonly name: string;
  readonly kind: 1 | 3;
  readonly ms: number;
  readonly at: number;
  readonly attributes: Attributes;
  readonly error: string | undefined;
}

function childSpan(view: Readonly<TaskView>, { call, name, kind, ms, at, attributes, error }: SpanParts): OtlpSpan {
  return {
    traceId: traceIdOf(view.id, view.trace),
    spanId: spanIdOf(view.id, call),
    parentSpanId: spanIdOf(view.id),
    name,
    kind,
    startTimeUnixNano: nanos(at - ms),
    endTimeUnixNano: nanos(at),
    attributes: attributesOf({ ...attributes, "gen_ai.conversation.id": view.context, "error.type": error }),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
  };
}

function rootSpan(view: Readonly<TaskView>, agent: string): OtlpSpan {
  const parent = parseTraceparent(view.trace);
  const error = view.state === "failed" ? (view.failure?.code ?? "failed") : undefined;
  const name = view.role ?? agent;
  return {
    traceId: traceIdOf(view.id, view.trace),
    spanId: spanIdOf(view.id),
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name: `invoke_agent ${name}`,
    kind: view.role === undefined ? 2 : 1,
    startTimeUnixNano: nanos(view.createdAt),
    endTimeUnixNano: nanos(view.statusAt),
    attributes: attributesOf({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": view.context,
      // What Langfuse groups by.
      "session.id": view.context,
      "agent.task.id": view.id,
      "agent.task.origin": view.origin,
      "agent.task.state": view.state,
      ...usageOf(view.usage),
      "error.type": error,
    }),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
  };
}

function spanOf(view: Readonly<TaskView>, { at, event }: CommittedEvent): OtlpSpan | undefined {
  switch (event.kind) {
    case "model.finished":
    case "model.failed": {
      const failed = event.kind === "model.failed";
      const attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": event.model,
        "gen_ai.response.finish_reasons": failed ? undefined : [event.finish],
        ...usageOf(event.usage),
        "agent.cost.usd": event.costUsd,
      };
      const error = failed ? event.failure.code : undefined;
      return childSpan(view, {
        call: event.call,
        name: `chat ${event.model}`,
        kind: 3,
        ms: event.ms,
        at,
        attributes,
        error,
      });
    }
    case "tool.finished": {
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": event.name,
        "gen_ai.tool.call.id": event.call,
      };
      const error = event.outcome === "ok" ? undefined : event.outcome;
      const name = `execute_tool ${event.name}`;
      return childSpan(view, { call: event.call, name, kind: 1, ms: event.ms, at, attributes, error });
    }
    default:
      return undefined;
  }
}

/** The spans that these events of a task complete; with its end, the task's own. Texts of the conversation are in none. */
export function spansOf(view: Readonly<TaskView>, events: readonly CommittedEvent[], agent: string): OtlpSpan[] {
  const spans: OtlpSpan[] = [];
  let ended = false;
  for (const committed of events) {
    const span = spanOf(view, committed);
    if (span !== undefined) spans.push(span);
    ended ||= committed.event.kind.startsWith("task.") && isTerminalState(view.state);
  }
  if (ended) spans.push(rootSpan(view, agent));
  return spans;
}
