import { defineResource } from "../resource/index.ts";

/** The audit log: a flag, no routes. */
export const audit = defineResource({
  name: "audit",
  feature: "audit",
});
