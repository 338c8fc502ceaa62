/** The events of the process that report a crash; `process` fits. */
export interface CrashSource {
  on(event: "uncaughtException" | "unhandledRejection", listener: (reason: unknown) => void): unknown;
}

export interface CrashOptions {
  readonly source: CrashSource;
  readonly log: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** Writes out what the log still holds; bounded by itself. */
  readonly flush: () => Promise<void>;
  readonly exit: (code: number) => void;
}

/**
 * Ends the process with code 1 after an uncaught error, once it is logged. Nothing is repaired and nothing
 * saved: an unknown state must not be written, and the next start reconciles what was running
 * (A18).
 */
export function endOnCrash(options: CrashOptions): void {
  let crashed = false;
  const end = (kind: string) => (reason: unknown) => {
    if (crashed) return;
    crashed = true;
    try {
      options.log.error({ err: reason instanceof Error ? reason : new Error(String(reason)) }, `${kind}: ending`);
    } finally {
      void options.flush().then(
        () => options.exit(1),
        () => options.exit(1),
      );
    }
  };
  options.source.on("uncaughtException", end("uncaught exception"));
  options.source.on("unhandledRejection", end("unhandled rejection"));
}
