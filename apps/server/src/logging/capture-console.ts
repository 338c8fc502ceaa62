import { format } from "node:util";

/** The part of a logger that console output goes to. */
export interface ConsoleTarget {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Redirects `console.*` into the log, so that the output of dependencies is redacted and formatted like everything else
 * (S5). Returns a function that restores the console.
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
