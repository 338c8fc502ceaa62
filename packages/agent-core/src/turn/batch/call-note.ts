/**
 * What a tool keeps for a call while it runs, so that the call continues after a restart instead of being in doubt (R3).
 * The row of the call is stored before its note, or in the same commit; an outcome other than
 * `unknown` and `aborted` removes the note.
 */
import { callNoteJson, keepNothing, type ToolContext } from "@agent-service/plugin-sdk";
import type { CallBatch } from "./call-batch.ts";

/** Stores the JSON of a note with a call that runs. Resolves once it is durable. */
export type KeepNote = (callId: string, json: string) => Promise<void>;

/** `keep` of a call that runs. */
export function noteKeeper(
  { openCalls, notes }: Pick<CallBatch, "openCalls" | "notes">,
  callId: string,
  store: KeepNote,
): ToolContext["keep"] {
  return async (note) => {
    if (!openCalls.has(callId)) return keepNothing();
    const json = callNoteJson(note);
    await store(callId, json);
    // The call may have ended meanwhile, and its note with it.
    if (openCalls.has(callId)) notes.set(callId, json);
  };
}

/** The value of a note; undefined: none was kept. Another copy at each time. */
export function noteValue(json: string | undefined): unknown {
  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}
