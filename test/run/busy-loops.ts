import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Computes for ever, and ends with whoever started it, even where that was killed: its standard input closes then. */
const LOOP = `
  process.stdin.on("close", () => process.exit()).resume();
  console.log("busy");
  (function compute() {
    for (const until = performance.now() + 100; performance.now() < until; );
    setImmediate(compute);
  })();`;

/** Processes that take what they can of the processors' time. */
export interface BusyLoops extends AsyncDisposable {
  /** Process ids. */
  readonly pids: readonly number[];
}

/** Starts so many busy loops; resolves once all of them compute. Disposing of them ends them. */
export async function startBusyLoops(count: number): Promise<BusyLoops> {
  const loops: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", LOOP], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const ended = loops.map((loop) => once(loop, "close"));
  await Promise.all(loops.map((loop) => once(loop.stdout!, "data")));
  return {
    pids: loops.map(({ pid }) => pid!),
    async [Symbol.asyncDispose]() {
      for (const loop of loops) loop.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
}
