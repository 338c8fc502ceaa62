/** The message of a turn, to be asked again. */
import type { Database } from "../database/index.ts";
import type { InputPart } from "../event/index.ts";
import { type Journal, storedEvents } from "../journal/index.ts";
import type { TaskOptions } from "../turn/index.ts";

/** What a turn was asked, with what was added to it, and how. */
export interface AskedMessage {
  readonly parts: readonly InputPart[];
  readonly options: TaskOptions;
  /** The role it ran in: asked again it may do no more than before. */
  readonly role?: string;
}

/** Undefined: the turn answers no message. */
export async function askedMessage(
  { db, journal }: { readonly db: Database; readonly journal: Journal },
  turn: string,
): Promise<AskedMessage | undefined> {
  const options = JSON.parse((await journal.optionsOf(turn)) ?? "{}") as TaskOptions;
  if (options.purpose !== undefined) return undefined;
  const parts: InputPart[] = [];
  let role: string | undefined;
  for await (const page of storedEvents({ db, statements: journal.statements }, turn)) {
    for (const { event } of page) {
      if (event.kind === "task.accepted") {
        parts.push(...event.input.parts);
        role = event.role;
      } else if (event.kind === "input.consumed") parts.push(...event.inputs.flatMap((input) => input.parts));
    }
  }
  return parts.length === 0 ? undefined : { parts, options, ...(role !== undefined && { role }) };
}
