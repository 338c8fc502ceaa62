import { DatabaseError } from "@agent-service/agent-core/host";
import { StartupError } from "../cli/index.ts";

/** An error of the store as an operator reads it; any other unchanged. */
export function storeError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const code = error.code === "in_use" ? "store-owned" : "store-unavailable";
    return new StartupError(code, error.message, { cause: error });
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && typeof path === "string") {
    return new StartupError("store-unavailable", `${path}: cannot be used for the store (${code})`, { cause: error });
  }
  return error;
}
