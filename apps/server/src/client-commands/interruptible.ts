import type { CommandIo } from "./command-io.ts";

/** Runs a function until Ctrl-C, which aborts the signal. */
export async function interruptible<T>(io: CommandIo, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const release = io.onInterrupt(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    release();
    controller.abort();
  }
}
