import { defineResource } from "../resource/index.ts";

/** The OpenAI-compatible API: served beside the operator API, which has its flag. */
export const chatCompletions = defineResource({
  name: "chatCompletions",
  feature: "chat_completions",
});
