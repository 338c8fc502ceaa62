import { type ConsoleApi, createStored, type Stored } from "../../api/index.ts";

/** Where this browser keeps that the wizard was left for later. */
export function skippedSetup(window: Window): Stored {
  return createStored("agent-service.setup-skipped", window);
}

/**
 * Whether the wizard is the first thing to show: nobody has said how the agent is to run, the scripted model answers
 * meanwhile, and nobody has left the wizard in this browser. What cannot be asked is no reason to stand in the way.
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
