import { defineResource } from "../resource/index.ts";

/** Not built; no routes are specified. */
export const workflows = defineResource({ name: "workflows", feature: "workflows" });
