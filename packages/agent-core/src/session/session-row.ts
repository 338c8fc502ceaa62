/** What a commit of a task says about its session. */
import type { CommittedEvent, InputMessage, TaskState, TaskView } from "../event/index.ts";

/** Characters of a message that are searched, and of which a title is made. */
export const SEARCHED_CHARS = 4_096;
/** Characters of a title made from the first message. */
const OPENING_CHARS = 80;

/** A task as its session's index holds it. Times are epoch milliseconds. */
export interface TurnEntry {
  /** The context. */
  readonly session: string;
  readonly task: string;
  readonly seq: number;
  readonly origin: string;
  readonly state: TaskState;
  readonly createdAt: number;
  /** Of its last change of state. */
  readonly updatedAt: number;
  /** What was said to the agent. */
  readonly text: string;
}

/** The texts of a message, at most `chars` characters. */
function textOf({ parts }: InputMessage, chars: number): string {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "text" || text.length >= chars) continue;
    text += text === "" ? part.text.slice(0, chars) : `\n${part.text.slice(0, chars)}`;
  }
  return text;
}

/** All that was said to the agent in a task. A copy: a slice would keep the whole message in memory. */
function saidIn(view: Readonly<TaskView>): string {
  let text = "";
  for (const entry of view.history) {
    if (entry.from !== "caller" || text.length >= SEARCHED_CHARS) continue;
    text += text === "" ? textOf(entry.message, SEARCHED_CHARS) : `\n${textOf(entry.message, SEARCHED_CHARS)}`;
  }
  return text.length < SEARCHED_CHARS ? text : Buffer.from(text.slice(0, SEARCHED_CHARS)).toString();
}

/** True when one of the events changes what its session shows: its state, or what was said in it. */
export function changesSession(events: readonly CommittedEvent[]): boolean {
  for (const { event } of events) {
    switch (event.kind) {
      case "task.accepted":
      case "prompt.answered":
      case "input.consumed":
      case "task.started":
      case "task.resumed":
      case "task.parked":
      case "task.completed":
      case "task.failed":
      case "task.canceled":
        return true;
      default:
    }
  }
  return false;
}

/** The entry of a task as it is now. */
export function entryOf(view: Readonly<TaskView>): TurnEntry {
  return {
    session: view.context,
    task: view.id,
    seq: view.seq,
    origin: view.origin,
    state: view.state,
    createdAt: view.createdAt,
    updatedAt: view.statusAt,
    text: saidIn(view),
  };
}

/** A title made of a session's first message. */
export function openingOf(text: string): string {
  const line = text
    .slice(0, OPENING_CHARS * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= OPENING_CHARS) return line;
  const cut = line.slice(0, OPENING_CHARS);
  const space = cut.lastIndexOf(" ");
  return `${(space > OPENING_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
