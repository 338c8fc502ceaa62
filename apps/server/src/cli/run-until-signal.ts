export interface RunningService {
  /** Takes no new connections and no new work from now on. */
  stopAccepting(): void;
  /** Lets running turns finish, at most `ms`; resolves earlier when nothing runs. */
  drain(ms: number): Promise<void>;
  /** Ends connections, closes the store, flushes. */
  close(): Promise<void>;
}

/** The parts of the process a service needs; `process` fits. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

/** Times in milliseconds. */
export interface ShutdownOptions {
  readonly signals: SignalSource;
  /** Ends the process at once; called for the second signal. */
  readonly exit: (code: number) => void;
  readonly log: {
    info(message: string): void;
    error(fields: Readonly<Record<string, unknown>>, message: string): void;
  };
  /** Time for running turns; default 10,000. */
  readonly drainMs?: number;
  /** Further time for closing before the process ends anyway; default 5,000. */
  readonly closeMs?: number;
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Waits for SIGTERM or SIGINT, then stops accepting, drains, closes, and resolves with the exit code: 0 when everything
 * ended in order, 1 when something failed or took too long (the next start reconciles what was cut off, A18).
 * A second signal ends the process at once, with 128 plus its number.
 */
export async function runUntilSignal(service: RunningService, options: ShutdownOptions): Promise<number> {
  const { signals, log, drainMs = 10_000, closeMs = 5_000 } = options;
  const first = Promise.withResolvers<"SIGINT" | "SIGTERM">();
  let stopping = false;
  const listenerOf = (signal: "SIGINT" | "SIGTERM") => () => {
    if (stopping) options.exit(128 + signalNumbers[signal]);
    stopping = true;
    first.resolve(signal);
  };
  const listeners = { SIGINT: listenerOf("SIGINT"), SIGTERM: listenerOf("SIGTERM") };
  signals.on("SIGINT", listeners.SIGINT);
  signals.on("SIGTERM", listeners.SIGTERM);

  const signal = await first.promise;
  log.info(`${signal}: stopping; running turns get ${drainMs / 1_000} s, a second signal ends at once`);
  let code = 0;
  const attempt = async (step: string, ms: number, work: () => void | Promise<void>): Promise<void> => {
    try {
      await within(ms, step, work);
    } catch (error) {
      code = 1;
      log.error({ err: error }, `stopping: ${step} failed`);
    }
  };
  await attempt("stop accepting", closeMs, () => service.stopAccepting());
  // Drain has its own bound; the extra time is for a drain that hangs.
  await attempt("drain", drainMs + closeMs, () => service.drain(drainMs));
  await attempt("close", closeMs, () => service.close());
  signals.off("SIGINT", listeners.SIGINT);
  signals.off("SIGTERM", listeners.SIGTERM);
  return code;
}

async function within(ms: number, step: string, work: () => void | Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} took longer than ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work(), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
