import { messageBody } from "../../context/index.ts";
import type { Statement } from "../../database/index.ts";
import type { TurnDeps } from "../../turn/index.ts";
import type { AcceptedTask, StartTask } from "../start-task.ts";
import type { TaskHandle } from "../task-handle.ts";
import { recordTask } from "./recorded-task.ts";

/** A message to a conversation that no model is asked about: a task that is complete from the start. */
export interface Notice extends Pick<StartTask, "class" | "origin" | "provenance" | "alongside"> {
  readonly context: string;
  /** What it is about, in a few words. */
  readonly subject: string;
  /** The message: people read it as the task's answer, the model as a note before its next turn there. */
  readonly text: string;
  /** Who wrote some of it, where that was from outside: the conversation is marked by that. */
  readonly wordsFrom?: string | undefined;
}

/** Stores a notice, with what `accompany` brings, in one command. @throws DatabaseError */
export function recordNotice(
  { subject, text, wordsFrom, ...of }: Notice,
  deps: TurnDeps,
  accompany: ((task: AcceptedTask, at: number) => readonly Statement[]) | undefined,
): Promise<TaskHandle> {
  const { class: callerClass, context, origin } = of;
  const id = deps.newId();
  const at = deps.clock.now();
  const row = (kind: "note" | "tainted", body: string): Statement =>
    deps.journal.statements.insertMessage.bind({ class: callerClass, context, task: id, kind, body, at });
  const marks = wordsFrom === undefined ? [] : [row("tainted", messageBody({ kind: "tainted", by: wordsFrom }))];
  const input = { messageId: id, parts: [{ kind: "text" as const, text: subject }] };
  return recordTask(
    {
      start: { ...of, id, input, options: { unattended: true } },
      ...{ text, purpose: "notice", label: "task.notice" },
      statements: [
        row("note", messageBody({ kind: "note", text })),
        ...marks,
        ...(accompany?.({ id, class: callerClass, context, origin, isNotice: true }, at) ?? []),
      ],
    },
    deps,
  );
}
