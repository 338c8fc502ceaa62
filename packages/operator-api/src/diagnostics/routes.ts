import type { InspectedTask } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";
import { diagnosticOf, taskDiagnosticSchema } from "./task-diagnostic.ts";

const tag = "Diagnostics";
const MOST_LINES = 1_000;
const USUAL_LINES = 200;

const entrySchema = v.object({
  time: v.string(),
  level: v.picklist(["DEBUG", "INFO", "WARNING", "ERROR"]),
  message: v.string(),
  fields: v.pipe(v.record(v.string(), v.unknown()), v.description("What was logged beside the message.")),
});

export const readLogs = defineRoute({
  name: "diagnostics.logs",
  method: "GET",
  path: "/api/diagnostics/logs",
  tag,
  summary: "The newest log lines, oldest first",
  description: "From a ring in memory of `LOG_BUFFER_LINES` lines; 0 keeps none. Secrets are taken out.",
  query: v.object({
    lines: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(64),
        v.regex(/^-?\d+$/, "Expected a whole number."),
        v.description(`How many: clamped into 1 to ${MOST_LINES}, with a \`note\`.`),
        v.metadata({ type: "integer", pattern: undefined, maxLength: undefined }),
        v.transform(Number),
      ),
      String(USUAL_LINES),
    ),
  }),
  reply: json(
    v.object({
      enabled: v.pipe(v.boolean(), v.description("False: no lines are kept.")),
      entries: v.array(entrySchema),
      note: v.pipe(v.optional(v.string()), v.description("`lines` was adjusted.")),
      truncated: v.pipe(v.optional(v.array(v.string())), v.description("What was left out, because it is too long.")),
    }),
  ),
});

export const readTaskDiagnostic = defineRoute({
  name: "diagnostics.task",
  method: "GET",
  path: "/api/diagnostics/tasks/{task_id}",
  tag,
  summary: "What is stored of a task, also where it cannot be read",
  description: "Rows of its journal that cannot be read are named in `malformed`; the rest is returned.",
  reply: json(taskDiagnosticSchema),
  failures: { 404: "There is no such task." },
});

/** A log line, redacted. */
export interface LoggedLine {
  readonly time: string;
  readonly level: v.InferOutput<typeof entrySchema>["level"];
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Implemented by the service. */
export interface DiagnosticsService {
  /** The newest lines; undefined: the log keeps none. */
  logs(lines: number): { readonly records: readonly LoggedLine[]; readonly cut: boolean } | undefined;
  /** Undefined: there is no such task. */
  task(id: string): Promise<InspectedTask | undefined>;
  /** The value with its secrets taken out (S5). */
  redacted<T>(value: T): T;
}

export function diagnosticsRoutes(diagnostics: DiagnosticsService): readonly ServedRoute[] {
  return [
    serve(readLogs, ({ query: { lines } }) => {
      const count = Math.min(MOST_LINES, Math.max(1, lines));
      const logs = diagnostics.logs(count);
      if (logs === undefined) return { enabled: false, entries: [] };
      const entries = logs.records.map(({ time, level, msg, ...fields }) => ({ time, level, message: msg, fields }));
      return {
        enabled: true,
        entries,
        ...(count !== lines && { note: `lines was adjusted to ${count}: 1 to ${MOST_LINES} are returned.` }),
        ...(logs.cut && { truncated: [`entries: the newest ${entries.length} are returned`] }),
      };
    }),
    serve(readTaskDiagnostic, async ({ params: { task_id } }) => {
      const task = await diagnostics.task(task_id);
      if (task === undefined) throw new Problem(404, "There is no such task.");
      return diagnostics.redacted(diagnosticOf(task));
    }),
  ];
}
