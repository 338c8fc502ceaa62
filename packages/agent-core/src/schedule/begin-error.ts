import { DatabaseError } from "../database/index.ts";
import { isDraining, isOverloaded } from "../trigger/index.ts";

/** Why a turn could not begin. */
export function reasonOf(error: unknown): string {
  return `it could not begin: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300).toWellFormed();
}

/** The turn may begin when it is tried again. */
export function isLater(error: unknown): boolean {
  return error instanceof DatabaseError || isOverloaded(error) || isDraining(error);
}
