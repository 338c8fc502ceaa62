import type { AnswerPart, HistoryEntry, InputPart, InspectedTask } from "@agent-service/agent-core/host";
import * as v from "valibot";
import type { Frozen } from "../route/index.ts";
import { a2aStateOf, taskStateSchema } from "../task-state/index.ts";

/** What is stored of a task (B47). */
export const taskDiagnosticSchema = v.object({
  task_id: v.string(),
  context_id: v.string(),
  class: v.string(),
  origin: v.string(),
  state: v.pipe(taskStateSchema, v.description("As the task's own row has it.")),
  status_message: v.pipe(v.nullable(v.string()), v.description("Why it failed, what it asks, or what limit cut it.")),
  created_at: v.string(),
  last_updated: v.string(),
  events: v.pipe(v.number(), v.description("Number of its last event.")),
  history: v.array(v.object({ role: v.picklist(["user", "agent"]), text: v.string() })),
  artifacts: v.array(v.object({ kind: v.picklist(["text", "data", "component"]), text: v.string() })),
  accumulated_text: v.pipe(v.string(), v.description("Text that was streamed and may still be the answer.")),
  malformed: v.pipe(v.optional(v.array(v.string())), v.description("Stored rows that cannot be read.")),
  truncated: v.pipe(v.optional(v.array(v.string())), v.description("What is longer than what is returned here.")),
});

const MOST_ENTRIES = 100;
const MOST_CHARS = 16_000;

export function diagnosticOf(task: InspectedTask): Frozen<v.InferInput<typeof taskDiagnosticSchema>> {
  const { view, malformed } = task;
  const truncated: string[] = task.complete ? [] : ["events: the oldest ones are returned"];
  const cut = (path: string, text: string): string => {
    if (text.length <= MOST_CHARS) return text;
    truncated.push(`${path}: the first ${MOST_CHARS} of ${text.length} characters are returned`);
    return text.slice(0, MOST_CHARS);
  };
  const newest = <T>(path: string, entries: readonly T[]): readonly T[] => {
    if (entries.length <= MOST_ENTRIES) return entries;
    truncated.push(`${path}: the newest ${MOST_ENTRIES} of ${entries.length} are returned`);
    return entries.slice(-MOST_ENTRIES);
  };
  const artifacts = [
    ...(view.answer ?? []).map(artifactOf),
    ...view.components.map(({ component }) => ({ kind: "component" as const, text: JSON.stringify(component) })),
  ];
  const diagnostic = {
    task_id: task.id,
    context_id: task.context,
    class: task.class,
    origin: task.origin,
    state: a2aStateOf(task.state),
    status_message: view.failure?.message ?? view.note ?? questionOf(view.prompts[0]?.payload) ?? null,
    created_at: new Date(task.createdAt).toISOString(),
    last_updated: new Date(task.updatedAt).toISOString(),
    events: task.seq,
    history: newest("history", view.history).map((entry, at) => {
      const { role, text } = messageOf(entry);
      return { role, text: cut(`history[${at}]`, text) };
    }),
    artifacts: newest("artifacts", artifacts).map(({ kind, text }, at) => ({
      kind,
      text: cut(`artifacts[${at}]`, text),
    })),
    accumulated_text: cut("accumulated_text", view.text),
  };
  return {
    ...diagnostic,
    ...(malformed.length > 0 && { malformed }),
    ...(truncated.length > 0 && { truncated }),
  };
}

function messageOf(entry: HistoryEntry): { readonly role: "user" | "agent"; readonly text: string } {
  if (entry.from === "agent") return { role: "agent", text: questionOf(entry.prompt.payload) ?? "" };
  return { role: "user", text: entry.message.parts.map(textOf).join("\n") };
}

function questionOf(payload: InspectedTask["view"]["prompts"][number]["payload"] | undefined): string | undefined {
  if (payload === undefined) return undefined;
  return payload.kind === "question" ? payload.question : payload.title;
}

function artifactOf(part: AnswerPart) {
  return { kind: part.kind, text: textOf(part) };
}

function textOf(part: InputPart | AnswerPart): string {
  if (part.kind === "text") return part.text;
  return part.kind === "data" ? JSON.stringify(part.data) : `[${part.name ?? part.mediaType}]`;
}
