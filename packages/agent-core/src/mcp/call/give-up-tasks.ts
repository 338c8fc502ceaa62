import type { RecordedCalls } from "./recorded-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

/**
 * Cancels the tasks that servers have for calls that were given up: those of a task of ours that has ended, else all that an
 * earlier process could not cancel any more. What a server knows of is forgotten; one that was not reached is asked again after
 * the next start.
 */
export async function giveUpTasks(
  calls: Pick<RecordedCalls, "dropNote" | "givenUp" | "notes">,
  callsOf: (server: string) => Pick<ServerCalls, "giveUp"> | undefined,
  taskId?: string,
): Promise<void> {
  const found = await (taskId === undefined ? calls.givenUp() : calls.notes(taskId));
  const giveUp = async ({ callId, server, note }: (typeof found)[number]): Promise<void> => {
    if ((await callsOf(server)?.giveUp(note)) === true) await calls.dropNote(callId);
  };
  await Promise.all(found.map(giveUp));
}
