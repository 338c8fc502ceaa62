import type { ServiceEvent } from "../../../api/index.ts";
import type { TurnUsage } from "./live-turn.ts";

/** Reads the usage in an event that a model call ended (`turn.progress`, phase `model_end`); undefined for any other event. */
export function readUsage({
  topic,
  data,
}: ServiceEvent): { readonly taskId: string; readonly usage: TurnUsage } | undefined {
  if (topic !== "turn.progress" || data.phase !== "model_end") return undefined;
  const { task_id: taskId, model, input_tokens: input, output_tokens: output, context_tokens: context } = data;
  if (typeof taskId !== "string" || typeof model !== "string") return undefined;
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  const usage = { model, tokens: input + output, context: typeof context === "number" ? context : undefined };
  return { taskId, usage };
}
