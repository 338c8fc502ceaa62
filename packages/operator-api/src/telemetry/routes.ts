import type { SeriesRange, TurnPosition } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, media, type ServedRoute, serve, timeQuery } from "../route/index.ts";
import { bucketSchema, insightsSchema, summarySchema, turnSchema } from "./schema.ts";

const tag = "Telemetry";
const enabled = v.pipe(v.boolean(), v.description("False: telemetry is off, and nothing else is returned."));

const sinceQuery = timeQuery("Turns that ended then or later. Default: all that are kept.");
const since = v.object({ since: sinceQuery });

export const readTelemetrySummary = defineRoute({
  name: "telemetry.summary",
  method: "GET",
  path: "/api/telemetry/summary",
  tag,
  summary: "Totals of turns: tokens, cost, time, by model and by tool",
  query: v.object({ since: sinceQuery, until: timeQuery("Turns that ended before it. Default: up to now.") }),
  reply: json(v.object({ enabled, summary: v.optional(summarySchema) })),
});

export const listTurns = defineRoute({
  name: "telemetry.recent",
  method: "GET",
  path: "/api/telemetry/recent",
  tag,
  summary: "Turns, newest first",
  query: pageQuery(v.object({ at: v.number(), task: v.string() }), { maxLimit: 500 }),
  reply: json(v.object({ enabled, turns: v.array(turnSchema), ...pageFields })),
});

export const exportTurns = defineRoute({
  name: "telemetry.export",
  method: "GET",
  path: "/api/telemetry/export",
  tag,
  summary: "Turns as CSV, oldest first; the head alone when telemetry is off",
  query: since,
  reply: media("text/csv; charset=utf-8"),
});

export const readTelemetryInsights = defineRoute({
  name: "telemetry.insights",
  method: "GET",
  path: "/api/telemetry/insights",
  tag,
  summary: "What stands out among the newest 200 turns",
  reply: json(v.object({ enabled, insights: v.optional(insightsSchema) })),
});

const BUCKETS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const MAX_BUCKETS = 1_500;

export const readTelemetrySeries = defineRoute({
  name: "telemetry.series",
  method: "GET",
  path: "/api/telemetry/series",
  tag,
  summary: "Turns over time, in buckets of one length",
  description: `Buckets begin at whole minutes, hours or days (UTC); at most ${MAX_BUCKETS} at a time.`,
  query: v.object({
    since: timeQuery("Where it begins. Default: 24 buckets before `until`."),
    until: timeQuery("Where it ends. Default: now."),
    bucket: v.optional(v.picklist(["minute", "hour", "day"]), "hour"),
  }),
  reply: json(
    v.object({
      enabled,
      bucket: v.picklist(["minute", "hour", "day"]),
      since: v.optional(v.string()),
      until: v.optional(v.string()),
      series: v.array(bucketSchema),
    }),
  ),
});

/** Implemented by the service. Times are epoch milliseconds. */
export interface TelemetryService {
  /** Undefined while telemetry is off. */
  reports():
    | {
        summary(since: number, until?: number): Promise<Frozen<v.InferInput<typeof summarySchema>>>;
        recent(
          limit: number,
          after?: TurnPosition,
        ): Promise<{
          readonly turns: readonly Frozen<v.InferInput<typeof turnSchema>>[];
          readonly next: TurnPosition | undefined;
        }>;
        csv(since: number): AsyncIterable<string>;
        insights(): Promise<Frozen<v.InferInput<typeof insightsSchema>>>;
        series(range: SeriesRange): Promise<readonly Frozen<v.InferInput<typeof bucketSchema>>[]>;
      }
    | undefined;
  /** The first line of an export. */
  readonly csvHead: string;
  now(): number;
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of text) yield encoder.encode(piece);
}

function rangeOf(
  query: { readonly since?: number; readonly until?: number; readonly bucket: keyof typeof BUCKETS },
  now: number,
): SeriesRange {
  const bucketMs = BUCKETS[query.bucket];
  const until = Math.ceil((query.until ?? now + 1) / bucketMs) * bucketMs;
  const from = Math.floor((query.since ?? until - 24 * bucketMs) / bucketMs) * bucketMs;
  if (from > until) {
    throw new Problem(422, [{ loc: ["query", "since"], msg: "`since` lies after `until`.", type: "range" }]);
  }
  if ((until - from) / bucketMs > MAX_BUCKETS) {
    const msg = `More than ${MAX_BUCKETS} buckets: choose longer ones, or a shorter time.`;
    throw new Problem(422, [{ loc: ["query", "bucket"], msg, type: "range" }]);
  }
  return { since: from, until, bucketMs };
}

export function telemetryRoutes(telemetry: TelemetryService): readonly ServedRoute[] {
  return [
    serve(readTelemetrySummary, async ({ query }) => {
      const reports = telemetry.reports();
      if (reports === undefined) return { enabled: false };
      return { enabled: true, summary: await reports.summary(query.since ?? 0, query.until) };
    }),
    serve(listTurns, async ({ query: { limit, cursor } }) => {
      const reports = telemetry.reports();
      if (reports === undefined) return { enabled: false, turns: [], next_cursor: null };
      const { turns, next } = await reports.recent(limit, cursor);
      return { enabled: true, turns, next_cursor: cursorOf(next) };
    }),
    serve(exportTurns, ({ query }) => {
      const reports = telemetry.reports();
      const headers = { "content-disposition": 'attachment; filename="turns.csv"' };
      if (reports === undefined) return { body: telemetry.csvHead, headers };
      return { body: ReadableStream.from(bytesOf(reports.csv(query.since ?? 0))), headers };
    }),
    serve(readTelemetryInsights, async () => {
      const reports = telemetry.reports();
      return reports === undefined ? { enabled: false } : { enabled: true, insights: await reports.insights() };
    }),
    serve(readTelemetrySeries, async ({ query }) => {
      const range = rangeOf(query, telemetry.now());
      const reports = telemetry.reports();
      if (reports === undefined) return { enabled: false, bucket: query.bucket, series: [] };
      return {
        enabled: true,
        bucket: query.bucket,
        since: new Date(range.since).toISOString(),
        until: new Date(range.until).toISOString(),
        series: await reports.series(range),
      };
    }),
  ];
}
