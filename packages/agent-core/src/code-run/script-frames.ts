/**
 * What the service and the process of a script say to each other: a JSON text a line. Nothing of it is trusted on the
 * service's side: a line is checked, bounded and counted, whoever wrote it.
 */

/** The first line to the process. */
export interface ScriptStart {
  readonly code: string;
  /** Tools that exist for the script. */
  readonly names: readonly string[];
  /** Epoch milliseconds; the script's clock stands there. */
  readonly startedAt: number;
  /** Of the script's random numbers. */
  readonly seed: readonly number[];
}

/** The outcome of a call, to the process. */
export interface ScriptResult {
  readonly id: number;
  readonly ok: boolean;
  readonly text: string;
}

/** What the process says. `id` numbers its calls from 0; `args` is JSON text. */
export type ScriptFrame =
  | { readonly t: "call"; readonly id: number; readonly name: string; readonly args: string }
  | { readonly t: "print"; readonly text: string }
  | { readonly t: "done"; readonly text: string }
  | { readonly t: "failed"; readonly text: string };

/** Bytes of one line (F18). */
export const MAX_FRAME_BYTES = 1024 * 1024;
/** Characters of a call's arguments; as JSON in JSON they may take more. */
export const MAX_ARGUMENT_CHARS = 500_000;
/** Characters that a script may print; the rest is counted. */
export const MAX_PRINTED_CHARS = 256 * 1024;
/** Characters of a returned value or of an error. */
export const MAX_VALUE_CHARS = 128 * 1024;
/** Bytes of all that a script and its values may take. */
export const MAX_SCRIPT_BYTES = 64 * 1024 * 1024;

/** A line from the process; undefined: it is none of the known ones. */
export function readFrame(line: string): ScriptFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { t, id, name, args, text } = value as Record<string, unknown>;
  if (t === "call")
    return typeof id === "number" && Number.isSafeInteger(id) && typeof name === "string" && typeof args === "string"
      ? { t, id, name, args }
      : undefined;
  return (t === "print" || t === "done" || t === "failed") && typeof text === "string" ? { t, text } : undefined;
}
