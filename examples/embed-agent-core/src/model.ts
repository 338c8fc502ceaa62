import { chatCompletions, type ModelChoice, scripted } from "@agent-service/agent-core";

/** Any OpenAI-compatible gateway; without one the scripted model, which executes commands in the text. */
export function chooseModel({ MODEL_API_BASE, MODEL_API_KEY, SVC_MODEL }: NodeJS.ProcessEnv): ModelChoice {
  if (MODEL_API_BASE === undefined) return { model: scripted(), name: "scripted" };
  return chatCompletions({
    baseUrl: MODEL_API_BASE,
    model: SVC_MODEL ?? "qwen3:8b",
    ...(MODEL_API_KEY === undefined ? {} : { apiKey: MODEL_API_KEY }),
  });
}
