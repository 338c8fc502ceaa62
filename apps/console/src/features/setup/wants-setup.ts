import { type ConsoleApi, createStored, type Stored } from "../../api/index.ts";

/** Storage key of this browser: the wizard was left for later. */
export function skippedSetup(window: Window): Stored {
  return createStored("agent-service.setup-skipped", window);
}

/**
 * Whether the wizard is shown first: the agent is not configured, the scripted model answers
 * meanwhile, and the wizard was not left in this browser. Where the status cannot be read, the wizard is not shown.
 */
export async function wantsSetup(operator: ConsoleApi["operator"], skipped: Pick<Stored, "read">): Promise<boolean> {
  if (skipped.read() !== undefined) return false;
  try {
    const { setup_complete: complete, model } = await operator.get("/api/runtime/status");
    return !complete && model.provider === "scripted";
  } catch {
    return false;
  }
}
