import { TaskError } from "../task/index.ts";

/** Too much waits already; what was refused may be tried again. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof TaskError && error.code === "overloaded";
}

/** The process starts nothing any more. */
export function isDraining(error: unknown): boolean {
  return error instanceof TaskError && error.code === "draining";
}
