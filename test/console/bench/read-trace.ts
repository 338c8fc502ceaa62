/** Reads what a browser traced of itself. */

/** What has to be traced for `readTrace`. */
export const TRACE_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"] as const;

/** How a page answered and drew while it was traced; milliseconds. */
export interface FrameFindings {
  /** Keys that were pressed. */
  readonly keys: number;
  /** The longest a key waited until the page began to handle it. */
  readonly inputDelayMs: number;
  /** The longest from a key to the frame that shows what came of it. */
  readonly inputToFrameMs: number;
  /** From each key to the frame that shows what came of it. */
  readonly keyToFrameMs: readonly number[];
  /** Of it the page's own part: until its main thread has handed the frame over, which the browser then draws and shows. */
  readonly keyToCommitMs: readonly number[];
  readonly frames: number;
  /** The longest from one frame to the next. */
  readonly longestFrameMs: number;
  /** The longest task of the page's main thread. */
  readonly longestTaskMs: number;
  /** The most processor time of one task of that thread, which other programs on the machine hardly change. */
  readonly longestTaskCpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly data?: EventTiming; readonly name?: string };
}

interface EventTiming {
  readonly type?: string;
  readonly timeStamp?: number;
  readonly processingStart?: number;
  readonly duration?: number;
}

/** Reads the trace of one page. Throws where it holds no frame: then nothing was measured. */
export function readTrace(trace: Buffer): FrameFindings {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const frames = traceEvents.filter(({ name }) => name === "FireAnimationFrame");
  const thread = frames[0];
  if (thread === undefined) throw new Error("the trace holds no frame");
  const times = frames.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid).map(({ ts }) => ts / 1_000);
  const gaps = times.toSorted((a, b) => a - b).map((time, at, all) => time - (all[at - 1] ?? time));
  const onThread = traceEvents.filter(({ pid, tid }) => pid === thread.pid && tid === thread.tid);
  const tasks = onThread.filter(({ name }) => /RunTask$/.test(name));
  const keys = traceEvents
    .filter(({ name, ph, args }) => name === "EventTiming" && ph === "b" && args?.data?.type === "keydown")
    .map(({ args }) => args?.data ?? {});
  return {
    keys: keys.length,
    inputDelayMs: most(keys.map(({ timeStamp = 0, processingStart = 0 }) => processingStart - timeStamp)),
    inputToFrameMs: most(keys.map(({ duration = 0 }) => duration)),
    keyToFrameMs: keys.map(({ duration = 0 }) => duration),
    keyToCommitMs: keyToCommit(onThread),
    frames: times.length,
    longestFrameMs: most(gaps),
    longestTaskMs: most(tasks.map(({ dur = 0 }) => dur / 1_000)),
    longestTaskCpuMs: most(tasks.map(({ tdur = 0 }) => tdur / 1_000)),
  };
}

/** Milliseconds from each key until the page handed over the first frame behind the `input` event that the key led to. */
function keyToCommit(onThread: readonly TraceEvent[]): readonly number[] {
  const ended = ({ ts, dur = 0 }: TraceEvent): number => ts + dur;
  const inOrder = onThread.toSorted((a, b) => a.ts - b.ts);
  const inputs = inOrder.filter(({ name, args }) => name === "EventDispatch" && args?.data?.type === "input");
  const commits = inOrder.filter(({ name }) => name === "Commit");
  return inOrder
    .filter(({ name, ph, args }) => name === "EventTiming" && ph === "b" && args?.data?.type === "keydown")
    .flatMap((key) => {
      const input = inputs.find(({ ts }) => ts >= key.ts);
      const commit = input && commits.find(({ ts }) => ts >= ended(input));
      return commit === undefined ? [] : [(ended(commit) - key.ts) / 1_000];
    });
}

function most(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), 0);
}
