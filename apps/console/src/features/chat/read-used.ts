import type { ServiceEvent } from "../../api/index.ts";
import type { UsedSoFar } from "./live-turn.ts";

/** Reads from an event that a model call of a turn ended (`turn.progress`, `model_end`); undefined: it is of something else. */
export function readUsed({
  topic,
  data,
}: ServiceEvent): { readonly taskId: string; readonly used: UsedSoFar } | undefined {
  if (topic !== "turn.progress" || data.phase !== "model_end") return undefined;
  const { task_id: taskId, model, input_tokens: input, output_tokens: output, context_tokens: context } = data;
  if (typeof taskId !== "string" || typeof model !== "string") return undefined;
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  const used = { model, tokens: input + output, context: typeof context === "number" ? context : undefined };
  return { taskId, used };
}
