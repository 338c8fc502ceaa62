/** Holds what live subscribers saw against a replay (EN2; A20). */
import type { Ledger, StreamRecord } from "./ledger.ts";
import { type Frame, stream } from "./wire.ts";

/** Reads a task's frames after number `after`, the Task as of it first. */
async function replay(url: string, taskId: string, after: number, frames: number): Promise<Frame[]> {
  const read: Frame[] = [];
  const asked = { method: "tasks/resubscribe", params: { id: taskId, metadata: { after } } };
  const refused = await stream(url, asked, (frame) => {
    read.push(frame);
    return read.length < frames;
  });
  if (refused?.kind === "error") throw new Error(`a replay was refused: ${refused.message}`);
  return read;
}

function problemOf(seen: readonly Frame[], recorded: readonly Frame[]): string | undefined {
  const [first, ...updates] = seen;
  const last = updates.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // A stream of a task at rest shows its final frame again, under the number it has (A7).
  const rested = recorded.some(({ id, json }) => id === first.id && json.includes('"final":true'));
  const from = rested && updates[0]?.id === first.id ? first.id - 1 : first.id;
  const expected = recorded.slice(1).filter((frame) => frame.id > from && frame.id <= last.id);
  const at = expected.findIndex((frame, i) => updates[i]?.id !== frame.id || updates[i].json !== frame.json);
  if (at < 0 && updates.length === expected.length) return undefined;
  const index = at < 0 ? expected.length : at;
  return `frame ${index + 1} after ${first.id} was ${show(updates[index])}, the replay has ${show(expected[index])}`;
}

function show(frame: Frame | undefined): string {
  return frame === undefined ? "nothing" : `${frame.id} ${frame.json}`;
}

/** Every stream that was read, frame by frame, against the replay from 1; every Task that began one, likewise. */
export async function checkReplays(url: string, ledger: Ledger): Promise<void> {
  const byTask = Map.groupBy(ledger.streams, (record: StreamRecord) => record.taskId);
  for (const [taskId, records] of byTask) {
    const recorded = await replay(url, taskId, 1, Number.POSITIVE_INFINITY);
    const snapshots = new Map<number, string>();
    for (const { frames, cursor } of records) {
      const first = frames[0];
      if (first === undefined) continue;
      if (cursor !== undefined && first.id !== cursor) {
        ledger.blame(`A20: a stream of ${taskId} from ${cursor} began at ${first.id}: shown events are missing`);
      }
      if (first.kind !== "task") ledger.blame(`A6: a stream of ${taskId} began with ${show(first)}`);
      const before = snapshots.get(first.id);
      if (before !== undefined && before !== first.json) {
        ledger.blame(`A20: ${taskId} as of ${first.id} was ${before} and ${first.json}`);
      }
      snapshots.set(first.id, first.json);
      const problem = problemOf(frames, recorded);
      if (problem !== undefined) ledger.blame(`EN2: task ${taskId}: ${problem}`);
    }
    for (const [id, json] of snapshots) {
      const [again] = await replay(url, taskId, id, 1);
      if (again?.json !== json) ledger.blame(`A20: ${taskId} as of ${id} was ${json}, the replay shows ${again?.json}`);
    }
  }
}
