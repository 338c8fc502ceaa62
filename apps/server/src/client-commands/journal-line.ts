import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { skippedText } from "./skipped-text.ts";
import { dollars, type Look, oneLine, span } from "./terminal-text.ts";

type Journal = AnswerOf<Extract<OperatorDefinition, { readonly name: "a2a_tasks.journal" }>>;

/** One event of a task's journal, as the API returns it. */
export type JournalEvent = Journal["events"][number];

export interface JournalLineOptions {
  readonly width: number;
  readonly paint: (look: Look, text: string) => string;
}

/** An event of a journal on one line: `12:00:01.120  tool      calculator {"expression":"6*7"}`. */
export function journalLine(event: JournalEvent, { width, paint }: JournalLineOptions): string {
  const [name, text] = describe(event);
  const at = event.at.slice(11, 23);
  const look = LOOKS[event.kind];
  const label = name.padEnd(10);
  const line = oneLine(text, width - at.length - label.length - 3);
  return `${paint("dim", at)}  ${look === undefined ? label : paint(look, label)} ${line}`.trimEnd();
}

const LOOKS: { readonly [kind: string]: Look | undefined } = Object.freeze({
  completed: "green",
  failed: "red",
  canceled: "yellow",
  model_failed: "red",
  parked: "yellow",
});

function describe(event: JournalEvent): readonly [name: string, text: string] {
  switch (event.kind) {
    case "accepted": {
      const as = event.role === null ? "" : ` as ${event.role}`;
      return ["accepted", `${event.origin}${as}: ${event.text}`];
    }
    case "model_started":
      return ["model", `${event.model} is asked (call ${event.step})`];
    case "model_finished": {
      const { usage, tool_calls: calls } = event;
      const tokens = usage === null ? "" : `, ${usage.input_tokens} + ${usage.output_tokens} tokens`;
      const asks = calls.length === 0 ? "" : `, calls ${calls.map(({ tool }) => tool).join(", ")}`;
      return ["model", `${event.model} in ${span(event.duration_ms)}${tokens}, ${dollars(event.cost_usd)}${asks}`];
    }
    case "model_failed":
      return ["model", `${event.model} failed (${event.code}): ${event.message}`];
    case "model_retried":
      return ["model", `again in ${span(event.wait_ms)} (${event.code})`];
    case "model_fallback":
      return ["model", `${event.from} failed (${event.code}): on with ${event.to}`];
    case "tool_started":
      return ["tool", `${event.tool} ${event.args}`];
    case "approval_skipped":
      return ["unasked", `${event.tool} ${skippedText(event.by, event.rule)}`];
    case "tool_finished":
      return ["tool", `${event.tool} ${event.outcome} in ${span(event.duration_ms)}: ${event.result}`];
    case "delegation_finished":
      return ["subagent", `${event.state}: task ${event.task_id}`];
    case "component_shown":
      return ["shown", JSON.stringify(event.component)];
    case "steered":
      return ["steered", event.texts.join(" / ")];
    case "noted":
      return ["guard", `${event.guard}: ${event.text}`];
    default:
      return rest(event);
  }
}

/** A reply with data (A13), as text. */
function answerText(text: string): string {
  try {
    const reply = JSON.parse(text) as { readonly answer?: unknown; readonly note?: unknown; readonly args?: unknown };
    if (typeof reply !== "object" || reply === null || reply.answer === undefined) return text;
    const { answer, note, args } = reply;
    const decided =
      answer === true
        ? "approved"
        : answer === false
          ? "declined"
          : typeof answer === "string"
            ? answer
            : JSON.stringify(answer);
    const changed = args === undefined ? "" : `, with ${JSON.stringify(args)}`;
    return `${decided}${changed}${typeof note === "string" ? `: ${note}` : ""}`;
  } catch {
    return text;
  }
}

function recalledText({
  items,
  left_out,
  session_ids,
  in_sight_chunk_ids: inSight,
  late,
}: Extract<JournalEvent, { kind: "recalled" }>): string {
  const shown = items.length === 0 ? "nothing shown" : `shown ${items.map(({ chunk_id }) => `#${chunk_id}`).join(" ")}`;
  const left = left_out.length === 0 ? "" : `, ${left_out.length} left out`;
  const prior = session_ids.length === 0 ? "" : `, ${session_ids.length} earlier conversations`;
  const seen = inSight.length === 0 ? "" : `, ${inSight.length} in sight`;
  return `${shown}${seen}${prior}${left}${late ? ", some were late" : ""}`;
}

function rest(event: JournalEvent): readonly [name: string, text: string] {
  switch (event.kind) {
    case "pruned":
      return ["context", `${event.results} results shortened by ${event.chars} characters`];
    case "compacted":
      return ["context", `${event.summarised} messages summarised, ${event.kept} kept`];
    case "recalled":
      return ["memory", recalledText(event)];
    case "parked":
      return ["waits", event.prompts.map(({ kind, tool, question }) => `${kind} of ${tool}: ${question}`).join(" / ")];
    case "reply_rejected":
      return ["waits", event.message];
    case "answered":
      return ["answered", answerText(event.text)];
    case "withdrawn":
      return ["withdrawn", event.prompt_id];
    case "answer":
      return ["answer", event.text];
    case "completed":
    case "failed":
    case "canceled": {
      const { usage, code, message } = event;
      const why = [code, message].filter((one) => one !== null).join(": ");
      const sum = `${span(event.duration_ms)}, ${usage.input_tokens} + ${usage.output_tokens} tokens, ${dollars(event.cost_usd)}`;
      return [event.kind, why === "" ? sum : `${sum}; ${why}`];
    }
    case "other":
      return ["other", event.event];
    default:
      return [event.kind, ""];
  }
}
