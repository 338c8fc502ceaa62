import { defineResource } from "../resource/index.ts";
import { promptsRoutes, readLastPrompt, readPrompts } from "./routes.ts";

/** Captured model calls. */
export const prompts = defineResource({
  name: "prompts",
  feature: "prompts",
  definitions: [readLastPrompt, readPrompts],
  routes: promptsRoutes,
});
