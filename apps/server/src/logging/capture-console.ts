import { format } from "node:util";

/** The part of a logger the console is led into. */
export interface ConsoleTarget {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Leads `console.*` into the log, so that what a dependency prints is redacted and formatted like everything else
 * (S5). Returns the function that puts the console back.
 */
export function captureConsole(target: ConsoleTarget, console: Console = globalThis.console): () => void {
  const original = { ...console };
  const into =
    (level: keyof ConsoleTarget) =>
    (...values: unknown[]) =>
      target[level](format(...values));
  console.log = into("info");
  console.info = into("info");
  console.debug = into("info");
  console.warn = into("warn");
  console.error = into("error");
  return () => void Object.assign(console, original);
}
