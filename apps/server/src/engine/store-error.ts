import { DatabaseError, FeatureError } from "@agent-service/agent-core/host";
import { StartupError } from "../cli/index.ts";

/** An error of the store as an operator reads it, also where a feature met it; any other unchanged. */
export function storeError(error: unknown): unknown {
  const reason = error instanceof FeatureError ? error.cause : error;
  if (error instanceof Error && reason instanceof DatabaseError) {
    const code = reason.code === "in_use" ? "store-owned" : "store-unavailable";
    return new StartupError(code, error.message, { cause: error });
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && typeof path === "string") {
    return new StartupError("store-unavailable", `${path}: cannot be used for the store (${code})`, { cause: error });
  }
  return error;
}
