import { createHash } from "node:crypto";
import { type CommittedEvent, type TaskView, type TurnRow, turnRow } from "@agent-service/agent-core/host";
import type { PlainLogger } from "../../logging/index.ts";

/** Events with which a turn ends or waits, the last of their commits. */
const ENDS: ReadonlySet<string> = new Set(["task.completed", "task.failed", "task.canceled", "task.parked"]);

/**
 * Writes one line for a turn that ends: its numbers, never its content. A turn that waits for a person is
 * one at DEBUG.
 */
export function logTurn(view: Readonly<TaskView>, events: readonly CommittedEvent[], logger: PlainLogger): void {
  if (!ENDS.has(events.at(-1)?.event.kind ?? "")) return;
  const row = turnRow(view, { persona: null, trace: () => null });
  if (row === undefined) return;
  if (row.success === null) logger.debug(fieldsOf(row), "turn waits for a person");
  else logger.info({ ...fieldsOf(row), ...(view.failure && { code: view.failure.code }) }, "turn ended");
}

function fieldsOf(row: TurnRow) {
  return {
    task: row.task,
    origin: row.origin,
    class: row.class,
    session: sessionOf(row.context),
    model: row.model,
    calls: row.modelCalls,
    tool_calls: row.toolCalls,
    input_tokens: row.input,
    output_tokens: row.output,
    cost_usd: row.costUsd,
    duration_ms: row.durationMs,
    outcome: row.state,
  };
}

/** A caller chooses a session's name, which may be personal: only a name without spaces or punctuation is logged. */
function sessionOf(context: string): string {
  return /^[\w:.-]{1,100}$/.test(context)
    ? context
    : `sha256:${createHash("sha256").update(context).digest("hex").slice(0, 12)}`;
}
