import { defineResource } from "../resource/index.ts";

/** Traces of turns: a flag, no routes. */
export const tracing = defineResource({
  name: "tracing",
  feature: "tracing",
});
