import { ConfigSaveError } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { StartupError } from "../cli/index.ts";

/** The response for a refused save (B30; O6); other errors are returned unchanged. */
export function problemOf(error: unknown): unknown {
  if (error instanceof StartupError) return new Problem(400, error.message, { cause: error });
  if (!(error instanceof ConfigSaveError)) return error;
  const conflict = error.code === "managed" || error.code === "revision" || error.code === "busy";
  return new Problem(conflict ? 409 : 400, error.message, { cause: error });
}
