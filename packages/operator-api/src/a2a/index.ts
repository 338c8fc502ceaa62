import { defineResource } from "../resource/index.ts";

/** The A2A protocol: served beside the operator API, which has its flag. */
export const a2a = defineResource({
  name: "a2a",
  feature: "a2a",
});
