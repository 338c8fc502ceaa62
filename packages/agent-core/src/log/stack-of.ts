/** The stack of an unexpected error for the log, or as much as there is. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
