import type { AgentEvent } from "@agent-service/a2a-protocol/client";
import type { CommandContext } from "./command.ts";
import { skippedText } from "./skipped-text.ts";
import { clean, dollars, oneLine, span } from "./terminal-text.ts";

/** Shows what happens in a turn. */
export interface TurnWriter {
  event(event: AgentEvent): void;
  /** A line outside the answer, for the person, not for a program that reads the answer. */
  aside(text: string): void;
  /** The turn is over. */
  end(): Promise<void>;
}

/**
 * For programs each event as a line of JSON; on a terminal text as it comes, with the tool calls; elsewhere the answer
 * alone, once it is final.
 */
export function createTurnWriter(context: CommandContext): TurnWriter {
  if (context.json) return jsonWriter(context);
  return context.io.stdout.terminal ? terminalWriter(context) : answerWriter(context);
}

function jsonWriter({ writeJson }: CommandContext): TurnWriter {
  return { event: (event) => writeJson(event), aside: () => {}, end: async () => {} };
}

function answerWriter({ io, note, write }: CommandContext): TurnWriter {
  const texts: string[] = [];
  return {
    event(event) {
      if (event.kind === "artifact") texts.push(textOf(event.artifact.parts));
      if (event.kind === "message") texts.push(event.text);
      if (event.kind === "tool" && io.stderr.terminal) note(`${toolText(event)}\n`);
      if (event.kind === "status" && event.final && event.text !== "") note(`${clean(event.text)}\n`);
    },
    aside: (text) => note(`${text}\n`),
    async end() {
      const answer = texts.filter((text) => text !== "").join("\n");
      if (answer !== "") write(`${clean(answer)}\n`);
    },
  };
}

function terminalWriter({ api, paint, write }: CommandContext): TurnWriter {
  let midLine = false;
  let task: string | undefined;
  // Text of an output that was streamed; one that arrives whole is written at its end.
  const streamed = new Set<string>();
  const line = (text: string): void => {
    write(`${midLine ? "\n" : ""}${text}\n`);
    midLine = false;
  };
  return {
    event(event) {
      switch (event.kind) {
        case "task":
          task = event.task.id;
          return;
        case "text":
          streamed.add(event.artifactId);
          write(clean(event.delta));
          midLine = !event.delta.endsWith("\n");
          return;
        case "text-reset":
          if (streamed.delete(event.artifactId)) line(paint("dim", "\n(that was not the answer yet)"));
          return;
        case "artifact": {
          const text = textOf(event.artifact.parts);
          if (!streamed.has(event.artifact.artifactId) && text !== "") line(clean(text));
          return;
        }
        case "tool":
          line(paint(event.phase === "failed" ? "red" : "dim", toolText(event)));
          return;
        case "message":
          line(clean(event.text));
          return;
        case "status":
          if (event.final && event.text !== "") line(paint("red", clean(event.text)));
          return;
        default:
      }
    },
    aside: line,
    async end() {
      if (midLine) write("\n");
      if (task === undefined) return;
      const { task: row } = await api.get("/api/a2a/tasks/{id}/journal", { params: { id: task }, query: { limit: 1 } });
      const { input_tokens: input, output_tokens: output } = row.usage;
      const sum = `${span(row.duration_ms)}, ${input} + ${output} tokens, ${dollars(row.cost_usd)}`;
      write(`${paint("dim", `${row.state} · ${sum} · task ${row.task_id}`)}\n`);
    },
  };
}

function toolText(event: Extract<AgentEvent, { kind: "tool" }>): string {
  const under = event.parentToolCallId === undefined ? "" : "  ";
  if (event.approvalSkipped !== undefined)
    return oneLine(`${under}! ${event.name} ${skippedText(event.approvalSkipped, event.rule)}`, 160);
  if (event.phase === "started") return oneLine(`${under}· ${event.name} ${event.args ?? ""}`, 160);
  const mark = event.phase === "completed" ? "✓" : "✗";
  return oneLine(`${under}${mark} ${event.name} ${event.result ?? ""}`, 160);
}

function textOf(parts: readonly object[]): string {
  return parts.flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : [])).join("");
}
