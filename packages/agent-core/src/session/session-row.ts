/** Derives a session's searched text and title from a task. */
import type { CommittedEvent, InputMessage, TaskView } from "../event/index.ts";

/** Characters of a message that are searched, and of which a title is made. */
export const SEARCHED_CHARS = 4_096;
/** Characters of the first message that a session keeps. */
export const OPENING_CHARS = 320;
/** Characters of a title made of them. */
const TITLE_CHARS = 80;

/** The texts of a message, at most `chars` characters. */
function textOf({ parts }: InputMessage, chars: number): string {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "text" || text.length >= chars) continue;
    text += text === "" ? part.text.slice(0, chars) : `\n${part.text.slice(0, chars)}`;
  }
  return text;
}

/** What stands for a message that the service worded itself: what a person asked for in it. Others may send such metadata; it is theirs. */
function askedText({ origin, history: [first] }: Readonly<TaskView>): string | undefined {
  if ((origin !== "schedule" && origin !== "goal") || first?.from !== "caller") return undefined;
  const asked = first.message.metadata?.asked;
  return typeof asked === "string" ? asked : undefined;
}

/** The caller's messages of a task as one text; empty for an incognito one. A copy: a slice would keep the whole message in memory. */
export function callerText(view: Readonly<TaskView>): string {
  const [first, ...later] = view.history;
  if (first?.from === "caller" && first.message.metadata?.incognito === true) return "";
  const asked = askedText(view);
  let text = asked?.slice(0, SEARCHED_CHARS) ?? "";
  for (const entry of asked === undefined ? view.history : later) {
    if (entry.from !== "caller" || text.length >= SEARCHED_CHARS) continue;
    text += text === "" ? textOf(entry.message, SEARCHED_CHARS) : `\n${textOf(entry.message, SEARCHED_CHARS)}`;
  }
  return text.length < SEARCHED_CHARS ? text : Buffer.from(text.slice(0, SEARCHED_CHARS)).toString();
}

/** True when the caller's messages of a task are one text of its first event, as nearly always: the store can then be asked for it. */
export function isShortText(view: Readonly<TaskView>): boolean {
  const [first, second] = view.history;
  if (askedText(view) !== undefined) return false;
  if (first?.from !== "caller" || second !== undefined) return false;
  if (first.message.metadata?.incognito === true) return false;
  const [part, other] = first.message.parts;
  return part?.kind === "text" && other === undefined && part.text.length <= SEARCHED_CHARS;
}

/** True when one of the events changes what its session shows: its state or its messages. */
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

/** A title made of a session's first message. */
export function openingOf(text: string): string {
  const line = text.slice(0, OPENING_CHARS).replaceAll(/\s+/g, " ").trim();
  if (line.length <= TITLE_CHARS) return line;
  const cut = line.slice(0, TITLE_CHARS);
  const space = cut.lastIndexOf(" ");
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
